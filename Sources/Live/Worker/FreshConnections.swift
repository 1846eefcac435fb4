import Capture
import TCPIP
import Trace

/// Tells packets of TCP connections that are older than the case.
///
/// A device that is not launched for the case may still send on a connection of an earlier one, which
/// is answered by a reset. Such packets are nothing of this case. All others are the case's: those of
/// connections whose SYN was seen, and all that is no TCP.
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

    /// Connections that are remembered; beyond that every packet is the case's.
    private static let countMax = 1 << 16

    private var known: Set<Ends> = []

    /// Whether a packet belongs to a connection that was open before the first packet was looked at.
    mutating func isOlder(_ packet: borrowing Packet) -> Bool {
        guard let packet = PacketEnds(packet), let flags = packet.flags else { return false }
        let ends = Ends(packet.source, packet.destination)
        if flags.contains(.syn), known.count < Self.countMax { known.insert(ends) }
        return known.count < Self.countMax && !known.contains(ends)
    }
}
