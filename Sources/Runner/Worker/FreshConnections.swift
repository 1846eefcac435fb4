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
        guard let (ends, flags) = Self.segment(packet) else { return false }
        if flags.contains(.syn), known.count < Self.countMax { known.insert(ends) }
        return known.count < Self.countMax && !known.contains(ends)
    }

    private static func segment(_ packet: borrowing Packet) -> (Ends, TCPFlags)? {
        guard let framing = LinkFraming(rawValue: packet.linkType.rawValue),
            let link = try? LinkHeader(parsing: packet.bytes, framing: framing),
            [.ipv4, .ipv6].contains(link.etherType)
        else { return nil }
        let datagram = packet.bytes.extracting(droppingFirst: link.length)
        guard let header = try? IPHeader(parsing: datagram), header.protocolNumber == .tcp,
            header.fragment?.offset ?? 0 == 0, header.length <= datagram.byteCount,
            let segment = try? TCPHeader(
                parsing: datagram.extracting(droppingFirst: header.length))
        else { return nil }
        let ends = Ends(
            Endpoint(address: header.source, port: segment.sourcePort),
            Endpoint(address: header.destination, port: segment.destinationPort))
        return (ends, segment.flags)
    }
}
