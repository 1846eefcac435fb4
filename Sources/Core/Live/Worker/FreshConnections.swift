import Capture
import TCPIP
import Trace

/// Recognises packets of TCP connections that are older than the case.
///
/// A device that is not launched for the case may still send on a connection of an earlier case,
/// which is answered by a reset. Such packets do not belong to this case. All others do: those of
/// connections whose SYN was seen, and everything that is not TCP.
struct FreshConnections {
    private struct Ends: Hashable {
        let lower: Endpoint
        let upper: Endpoint

        init(_ one: Endpoint, _ other: Endpoint) {
            let (a, b) = (one.address.words, other.address.words)
            let isOrdered = (a.high, a.low, one.port) < (b.high, b.low, other.port)
            (lower, upper) = isOrdered ? (one, other) : (other, one)
        }
    }

    /// How many connections are remembered; beyond that every packet belongs to the case.
    private static let countMax = 1 << 16

    private var known: Set<Ends> = []

    /// Returns whether a packet's connection was open before the first packet was seen.
    mutating func isOlder(_ packet: borrowing Packet) -> Bool {
        guard let packet = PacketEnds(packet), let flags = packet.flags else { return false }
        let ends = Ends(packet.source, packet.destination)
        if flags.contains(.syn), known.count < Self.countMax { known.insert(ends) }
        return known.count < Self.countMax && !known.contains(ends)
    }
}
