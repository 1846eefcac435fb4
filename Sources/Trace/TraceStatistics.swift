/// What a trace engine has seen, and everything that it did not turn into messages.
public struct TraceStatistics: Sendable, Hashable, Codable {
    /// Packets consumed.
    public var packets = 0
    /// Captured bytes of those packets.
    public var bytes = 0
    /// Packets that are neither TCP nor UDP, or cannot be read, by reason: `arp`, `ip fragment` (of a
    /// packet that never became whole),
    /// `unknown link type 999`, `malformed tcp`.
    public var ignored: [String: Int] = [:]
    /// Packets of which the capture holds only the front.
    public var truncatedPackets = 0
    /// TCP connections and Bluetooth channels met.
    public var flows = 0
    /// Of those, Bluetooth channels.
    public var channels = 0
    /// Bluetooth hosts whose packets with their controllers were captured as such.
    public var hosts = 0
    /// Of the connections, those by which an app reports of its profile connections.
    public var reportConnections = 0
    /// UDP datagrams.
    public var datagrams = 0
    /// UDP flows met: pairs of ends that exchange datagrams.
    public var datagramFlows = 0
    /// UDP flows forgotten because too many were known at once.
    public var evictedDatagramFlows = 0
    /// TCP connections given up because too many were open at once.
    public var evictedFlows = 0
    /// TCP connections given up because nothing came for `TraceOptions.idleWait`.
    public var expiredFlows = 0
    /// TCP segments.
    public var segments = 0
    /// Segments all of whose payload, SYN or FIN had been captured before.
    public var retransmissions = 0
    /// Segments with new payload that were captured after bytes that follow it in the stream.
    public var outOfOrder = 0
    /// Segments of whose payload some had been captured before and some was new.
    public var overlaps = 0
    /// Overlapping segments whose bytes differ from those that were captured first and still at
    /// hand, waiting for a hole before them; the first ones count.
    public var conflicts = 0
    /// Holes in streams: each is a `tcp.gap` message.
    public var gaps = 0
    /// Bytes in those holes.
    public var gapBytes = 0
    /// Acknowledgements so far beyond all captured bytes that they cannot be true.
    public var implausibleAcknowledgements = 0
    /// New payload bytes, in order.
    public var streamBytes = 0
    /// Of those, bytes that no protocol decoder took: each stretch is a `tcp.data` message.
    public var undecodedBytes = 0
    /// Frames that are missing in the list of a message that came in too many pieces.
    public var forgottenFrames = 0

    /// Starts with all counts at zero.
    public init() {}

    /// Adds what the engine of another share of the same packets has seen of its connections.
    ///
    /// Packets, and those that belong to no connection, are seen by every engine; they are counted
    /// once.
    public mutating func merge(share other: TraceStatistics) {
        for path in Self.flowCounts { self[keyPath: path] += other[keyPath: path] }
        for reason in [Self.badChecksum, Self.badDatagramChecksum, DatagramTrace.cut] {
            ignore(reason, count: other.ignored[reason] ?? 0)
        }
    }

    /// What a packet with a wrong TCP checksum is counted as.
    static let badChecksum = "bad tcp checksum"
    /// What a packet with a wrong UDP checksum is counted as.
    static let badDatagramChecksum = "bad udp checksum"

    private static var flowCounts: [WritableKeyPath<TraceStatistics, Int>] {
        [
            \.flows, \.channels, \.hosts, \.reportConnections, \.evictedFlows, \.expiredFlows,
            \.segments, \.datagrams, \.datagramFlows, \.evictedDatagramFlows,
            \.retransmissions, \.outOfOrder,
            \.overlaps, \.conflicts, \.gaps, \.gapBytes, \.implausibleAcknowledgements,
            \.streamBytes, \.undecodedBytes, \.forgottenFrames,
        ]
    }

    mutating func ignore(_ reason: String, count: Int = 1) {
        if count > 0 { ignored[reason, default: 0] += count }
    }
}
