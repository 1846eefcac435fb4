import Capture
import Glibc
import PeerKit
import TCPIP
import Trace
import Wire

/// Small UDP packets from the harness that a capture made elsewhere must show.
///
/// They show how far the clock of the capture is ahead, that the capture continues while nobody
/// else sends anything, and up to which time all its packets have arrived.
final class CaptureProbes {
    /// Where the probes are sent.
    let target: PeerConnection
    private let port: DatagramPort
    private let mark: [UInt8]
    /// When each probe was sent, by its number.
    private(set) var sent: [Timestamp] = []

    /// How often probes are sent while something waits for the capture, and otherwise.
    private static let (urgentPause, pause): (Duration, Duration) = (
        .milliseconds(20), .milliseconds(500)
    )
    private static let digitCount = 8
    /// Packets up to this length are searched; ample for an ICMP packet that quotes a probe.
    private static let packetBytesMax = 256

    /// Opens the socket for sending probes.
    init(from address: IPAddress, to target: PeerConnection) throws {
        self.target = target
        port = try DatagramPort(address: address, port: 0)
        let nonce = UInt64.random(in: .min ... .max)
        mark = Array("conform-probe \(String(nonce, radix: 16)) ".utf8)
    }

    /// Sends a probe if one is due; returns how long it is until the next.
    func probe(isUrgent: Bool) -> Duration {
        let pause = isUrgent ? Self.urgentPause : Self.pause
        let now = WallClock.now
        if let last = sent.last, now - last < pause, now >= last { return pause - (now - last) }
        let digits = String(sent.count, radix: 16)
        let padding = String(repeating: "0", count: Self.digitCount - digits.count)
        sent.append(now)
        // A probe that cannot be sent is treated like a lost one.
        _ = try? port.perform(.command(.write(target, mark + Array((padding + digits).utf8))))
        return pause
    }

    /// Returns the number of the probe that a packet is or quotes; `nil` for another packet.
    func number(in packet: borrowing Packet) -> Int? {
        let count = packet.bytes.byteCount
        guard count <= Self.packetBytesMax, count >= mark.count + Self.digitCount else {
            return nil
        }
        let bytes = packet.bytes.withUnsafeBytes { Array($0) }
        for start in 0...(count - mark.count - Self.digitCount)
        where bytes[start] == mark[0] && bytes[start...].starts(with: mark) {
            let digits = bytes[(start + mark.count)...].prefix(Self.digitCount)
            let number = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            return number.flatMap { sent.indices.contains($0) ? $0 : nil }
        }
        return nil
    }
}
