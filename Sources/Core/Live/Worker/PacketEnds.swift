import Capture
import TCPIP
import Trace
import Wire

/// The two ends of a TCP or UDP packet.
struct PacketEnds {
    let source: Endpoint
    let destination: Endpoint
    /// The flags of a TCP segment; `nil` for a datagram.
    let flags: TCPFlags?
    /// Where the payload of a TCP segment is in the packet; empty for a datagram.
    let content: Range<Int>

    /// Reads the headers; `nil` if it is neither TCP nor UDP, or is a later fragment.
    init?(_ packet: borrowing Packet) {
        guard let (header, length) = Self.header(of: packet),
            [.tcp, .udp].contains(header.protocolNumber), header.fragment?.offset ?? 0 == 0,
            length + header.length <= packet.bytes.byteCount
        else { return nil }
        let payload = packet.bytes.extracting(droppingFirst: length + header.length)
        let isTCP = header.protocolNumber == .tcp
        let segment = isTCP ? try? TCPHeader(parsing: payload) : nil
        if isTCP, segment == nil { return nil }
        var reader = ByteReader(payload, unit: "ports")
        guard let from = try? reader.uint16("source"), let to = try? reader.uint16("destination")
        else { return nil }
        source = Endpoint(address: header.source, port: from)
        destination = Endpoint(address: header.destination, port: to)
        flags = segment?.flags
        let start = length + header.length
        let end = min(start + header.payloadLength, packet.bytes.byteCount)
        content = min(start + (segment?.length ?? header.payloadLength), end)..<end
    }

    /// Reads the IP header, which begins after the returned number of bytes; `nil` if there is none.
    static func header(of packet: borrowing Packet) -> (header: IPHeader, offset: Int)? {
        guard let framing = LinkFraming(rawValue: packet.linkType.rawValue),
            let link = try? LinkHeader(parsing: packet.bytes, framing: framing),
            [.ipv4, .ipv6].contains(link.etherType),
            let header = try? IPHeader(
                parsing: packet.bytes.extracting(droppingFirst: link.length))
        else { return nil }
        return (header, link.length)
    }
}

/// Selects the packets between the device and the peers in a capture made elsewhere.
///
/// It selects what `captureFilter` describes to libpcap.
struct PacketSelector {
    let device: IPAddress
    let ports: Set<UInt16>
    /// The groups in which peers receive datagrams, with the address of each peer.
    let groups: [(source: IPAddress, group: IPAddress)]
    /// The addresses of the peers.
    let peers: Set<IPAddress>

    /// Returns whether it selects a packet.
    func holds(_ packet: borrowing Packet) -> Bool {
        if let (header, _) = PacketEnds.header(of: packet), header.fragment != nil {
            return holdsFragment(from: header.source, to: header.destination)
        }
        guard let ends = PacketEnds(packet) else { return false }
        let (from, to) = (ends.source, ends.destination)
        guard ports.contains(from.port) || ports.contains(to.port) else { return false }
        return from.address == device || to.address == device
            || groups.contains { $0.source == from.address && $0.group == to.address }
    }

    /// Returns whether it selects a fragment, of which only the first one has ports.
    private func holdsFragment(from source: IPAddress, to destination: IPAddress) -> Bool {
        if groups.contains(where: { $0.source == source && $0.group == destination }) {
            return true
        }
        if source == device {
            return peers.contains(destination) || groups.contains { $0.group == destination }
        }
        return destination == device && peers.contains(source)
    }
}
