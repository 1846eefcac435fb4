import Capture
import TCPIP
import Trace
import Wire

/// The keys that devices write for their TLS connections with peers whose keys `conform` lacks.
///
/// What it passes on of a connection is complete when the first packet that needs it is decoded:
/// nothing later is added, so that the saved capture decrypts to the same messages.
final class DeviceKeys {
    /// A packet that may have to wait for keys.
    struct Held {
        let packet: KeptPacket
        let segment: Segment?
    }

    /// What matters of a TCP segment.
    struct Segment {
        let ends: PacketEnds
        /// The random value of the ClientHello with which it begins.
        let clientRandom: String?

        init?(_ packet: borrowing Packet) {
            guard let ends = PacketEnds(packet), ends.flags != nil else { return nil }
            self.ends = ends
            let content = packet.bytes.extracting(ends.content)
            clientRandom = TLSHandshake.clientRandom(in: content)?.hexText
        }

        fileprivate var connection: Set<Endpoint> { [ends.source, ends.destination] }
    }

    private struct Handshake {
        let random: String
        let client: Endpoint
    }

    /// How long packets wait for keys.
    static let patience = Duration.seconds(1)
    /// How many packets wait at most.
    private static let heldMax = 4_096
    /// How many connections are followed, and of how many others lines are kept.
    private static let connectionsMax = 1 << 16
    /// How many lines a connection has at most; in TLS 1.3 there are six.
    private static let linesMax = 16

    private let isPeer: (Endpoint) -> Bool
    private let read: () -> [UInt8]
    private var handshakes: [Set<Endpoint>: Handshake] = [:]
    /// The lines of each connection that have not been passed on, by its random value.
    private var lines: [String: [Substring]] = [:]
    /// The connections whose ClientHello has been seen, and the labels of the lines of each.
    private var labels: [String: Set<String>] = [:]
    /// The connections that get no further lines.
    private var settled: Set<String> = []
    private var ready: [UInt8] = []
    /// How many connections got no keys in time.
    private(set) var missingCount = 0

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - isPeer: Returns whether a peer whose keys `conform` lacks is at an endpoint.
    ///   - read: Returns the lines that devices have written since the last call.
    init(for isPeer: @escaping (Endpoint) -> Bool, _ read: @escaping () -> [UInt8]) {
        self.isPeer = isPeer
        self.read = read
    }

    /// Returns and removes the lines of a key log for the packets that have been admitted.
    func take() -> [UInt8] {
        defer { ready = [] }
        return ready
    }

    /// Whether a packet can be decoded now, because its keys are known or will not come.
    ///
    /// - Parameters:
    ///   - segment: What matters of it; `nil` if it is not a segment.
    ///   - time: When it was captured.
    ///   - later: The packets that were captured after it.
    func admits(_ segment: Segment?, at time: Timestamp, before later: ArraySlice<Held>) -> Bool {
        guard let segment, isPeer(segment.ends.source) != isPeer(segment.ends.destination) else {
            return true
        }
        let connection = segment.connection
        if segment.ends.flags?.contains(.syn) == true { handshakes[connection] = nil }
        if let random = segment.clientRandom {
            begin(Handshake(random: random, client: segment.ends.source), connection)
        }
        guard let handshake = handshakes[connection] else { return true }
        let random = handshake.random
        guard !settled.contains(random) else { return true }
        gather()
        guard segment.ends.source != handshake.client, !segment.ends.content.isEmpty else {
            return true
        }
        if !TLSHandshake.isWhole(labels[random] ?? []) {
            let isOver = later.contains { $0.segment.map(isEnd(of: connection)) ?? false }
            guard isOver || WallClock.now - time > Self.patience || later.count > Self.heldMax
            else { return false }
            if !isOver { missingCount += 1 }
        }
        settled.insert(random)
        return true
    }

    /// Whether a segment shows that a device will write no keys of a connection any more.
    private func isEnd(of connection: Set<Endpoint>) -> (Segment) -> Bool {
        { segment in
            guard segment.connection == connection, let flags = segment.ends.flags else {
                return false
            }
            return flags.contains(.rst) || flags.contains(.fin) && !self.isPeer(segment.ends.source)
        }
    }

    private func begin(_ handshake: Handshake, _ connection: Set<Endpoint>) {
        guard labels[handshake.random] == nil else {
            // A server that wants another key share gets a second ClientHello with the same value.
            return
        }
        guard labels.count < Self.connectionsMax else { return }
        handshakes[connection] = handshake
        labels[handshake.random] = []
        for line in lines.removeValue(forKey: handshake.random) ?? [] {
            pass(line, of: handshake.random)
        }
    }

    /// Reads what devices have written.
    private func gather() {
        let text = String(decoding: read(), as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            guard words.count == 3 else { continue }
            let random = words[1].lowercased()
            if labels[random] != nil {
                pass(line, of: random)
            } else if lines.count < Self.connectionsMax, random.utf8.count == 64,
                line.utf8.count <= 1 << 8, lines[random]?.count ?? 0 < Self.linesMax
            {
                lines[random, default: []].append(line)
            }
        }
    }

    private func pass(_ line: Substring, of random: String) {
        guard !settled.contains(random), let label = line.split(separator: " ").first,
            labels[random]?.count ?? 0 < Self.linesMax
        else { return }
        labels[random]?.insert(String(label))
        ready += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
}
