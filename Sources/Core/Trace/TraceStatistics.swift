/// What a trace engine has processed, and everything that it did not turn into messages.
public struct TraceStatistics: Sendable, Hashable, Codable {
    /// Packets consumed.
    public var packets = 0
    /// Captured bytes of those packets.
    public var bytes = 0
    /// Packets that are neither TCP nor UDP, or cannot be read, by reason.
    ///
    /// Examples are `arp`, `ip fragment` (of a packet that never became complete), `unknown link
    /// type 999` and `malformed tcp`.
    public var ignored: [String: Int] = [:]
    /// Packets of which the capture holds only the beginning.
    public var truncatedPackets = 0
    /// TCP connections and Bluetooth channels found.
    public var flows = 0
    /// Of those, Bluetooth channels.
    public var channels = 0
    /// Bluetooth hosts whose packets with their controllers were captured directly.
    public var hosts = 0
    /// Of the connections, those by which an app reports its profile connections.
    public var reportConnections = 0
    /// UDP datagrams.
    public var datagrams = 0
    /// UDP flows found: pairs of ends that exchange datagrams.
    public var datagramFlows = 0
    /// UDP flows dropped because too many were active at once.
    public var evictedDatagramFlows = 0
    /// TCP connections given up because too many were open at once.
    public var evictedFlows = 0
    /// TCP connections given up because they were silent for `TraceOptions.idleWait`.
    public var expiredFlows = 0
    /// TCP segments.
    public var segments = 0
    /// Segments whose payload, SYN or FIN had been captured completely before.
    public var retransmissions = 0
    /// Segments with new payload that were captured after bytes that follow it in the stream.
    public var outOfOrder = 0
    /// Segments with partly new payload, of which the rest had been captured before.
    public var overlaps = 0
    /// Segments that repeat bytes of the latest segments, with other contents; the first ones count.
    public var conflicts = 0
    /// The frame of the first of these segments.
    public var firstConflict: Int?
    /// Urgent bytes, which a receiver does not find in the stream.
    public var urgentBytes = 0
    /// Packets for which the capture has no time.
    public var untimedPackets = 0
    /// Datagrams that another interface, VLAN or hop of the network has shown already.
    public var copiedDatagrams = 0
    /// Holes in streams: each is a `tcp.gap` message.
    public var gaps = 0
    /// Bytes in those holes.
    public var gapBytes = 0
    /// Acknowledgements so far beyond all captured bytes that they cannot be correct.
    public var implausibleAcknowledgements = 0
    /// New payload bytes, in order.
    public var streamBytes = 0
    /// Of those, bytes that no protocol decoder accepted: each range is a `tcp.data` message.
    public var undecodedBytes = 0
    /// Frames that are missing from the list of a message that arrived in too many pieces.
    public var forgottenFrames = 0

    /// Creates statistics with all counts at zero.
    public init() {}

    /// Adds the connection counts of the engine of another share of the same packets.
    ///
    /// Every engine sees all packets, including those that belong to no connection. These are
    /// counted once.
    public mutating func merge(share other: TraceStatistics) {
        for path in Self.flowCounts { self[keyPath: path] += other[keyPath: path] }
        firstConflict = [firstConflict, other.firstConflict].compactMap(\.self).min()
        for reason in [Self.badChecksum, Self.badDatagramChecksum, DatagramTrace.cut] {
            ignore(reason, count: other.ignored[reason] ?? 0)
        }
    }

    /// The category under which packets with a wrong TCP checksum are counted.
    static let badChecksum = "bad tcp checksum"
    /// The category under which packets with a wrong UDP checksum are counted.
    static let badDatagramChecksum = "bad udp checksum"

    /// Counts a segment that repeats bytes with other contents.
    mutating func recordConflict(frame: Int) {
        conflicts += 1
        firstConflict = firstConflict ?? frame
    }

    private static var flowCounts: [WritableKeyPath<TraceStatistics, Int>] {
        [
            \.flows, \.channels, \.hosts, \.reportConnections, \.evictedFlows, \.expiredFlows,
            \.segments, \.datagrams, \.datagramFlows, \.evictedDatagramFlows,
            \.retransmissions, \.outOfOrder,
            \.overlaps, \.conflicts, \.gaps, \.gapBytes, \.implausibleAcknowledgements,
            \.streamBytes, \.undecodedBytes, \.forgottenFrames, \.urgentBytes,
        ]
    }

    mutating func ignore(_ reason: String, count: Int = 1) {
        if count > 0 { ignored[reason, default: 0] += count }
    }
}
