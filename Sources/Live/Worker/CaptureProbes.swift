import Capture
import Glibc
import Peers
import TCPIP
import Trace
import Wire

/// Small UDP packets of the harness that a capture made elsewhere must show.
///
/// They show how far the clock of the capture is ahead, that it goes on while nobody else sends
/// anything, and up to when all that it saw has come.
final class CaptureProbes {
    /// Where they go.
    let target: PeerConnection
    private let port: DatagramPort
    private let mark: [UInt8]
    /// When each was sent, by its number.
    private(set) var sent: [Timestamp] = []

    /// How often they are sent while something waits for what the capture has seen, and otherwise.
    private static let (urgentPause, pause): (Duration, Duration) = (
        .milliseconds(20), .milliseconds(500)
    )
    private static let digitCount = 8
    /// A packet of this length is looked at, which is ample for an ICMP packet that quotes one.
    private static let packetBytesMax = 256

    /// Opens the socket that they are sent from.
    init(from address: IPAddress, to target: PeerConnection) throws {
        self.target = target
        port = try DatagramPort(address: address, port: 0)
        let nonce = UInt64.random(in: .min ... .max)
        mark = Array("conform-probe \(String(nonce, radix: 16)) ".utf8)
    }

    /// Sends one if it is due; returns how long it is until the next.
    func ask(isUrgent: Bool) -> Duration {
        let pause = isUrgent ? Self.urgentPause : Self.pause
        let now = WallClock.now
        if let last = sent.last, now - last < pause, now >= last { return pause - (now - last) }
        let digits = String(sent.count, radix: 16)
        let padding = String(repeating: "0", count: Self.digitCount - digits.count)
        sent.append(now)
        // One that cannot be sent is missed as one that is lost.
        _ = try? port.perform(.command(.write(target, mark + Array((padding + digits).utf8))))
        return pause
    }

    /// The number of the probe that a packet is, or quotes; `nil` for another packet.
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
