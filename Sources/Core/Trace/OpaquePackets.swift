import TCPIP
import Wire

/// Packets that are not TCP segments but may carry some; what they carry is not seen.
enum OpaquePackets {
    /// EtherTypes that carry other packets: MPLS, PPPoE sessions, HSR and PRP, MACsec, NSH, TRILL,
    /// provider backbone bridges, VLAN tags of old kinds.
    private static let etherTypes: Set<UInt16> = [
        0x8847, 0x8848, 0x8864, 0x88FB, 0x892F, 0x88E5, 0x894F, 0x22F3, 0x88E7, 0x9100, 0x9200,
    ]
    /// IP protocols that carry other packets: IP in IP, IPv6, GRE, ESP, AH, EtherIP, IPComp, L2TP,
    /// MPLS in IP.
    private static let ipProtocols: Set<UInt8> = [4, 41, 47, 50, 51, 94, 97, 98, 108, 115, 137]
    /// UDP ports of tunnels: L2TP, GTP-U, Teredo, LISP, IPsec, VXLAN (registered, of Linux), with
    /// GPE, CAPWAP, GUE, Geneve, MPLS in UDP, TZSP.
    private static let udpPorts: Set<UInt16> = [
        1701, 2152, 3544, 4341, 4500, 4789, 8472, 4790, 5247, 6080, 6081, 6635, 37008,
    ]
    /// The usual port of WireGuard, which a client of another protocol may draw.
    private static let wireGuardPort: UInt16 = 51820

    /// Returns whether the payload of a frame may hold others.
    ///
    /// Of an EtherType that is not known, only a payload does in which an IP packet is found.
    static func hold(etherType: UInt16, _ payload: RawSpan) -> Bool {
        etherTypes.contains(etherType) || contains(ipPacketIn: payload)
    }

    /// The most bytes of other headers before an IP packet.
    private static let headersMax = 96

    /// Returns whether there is the header of an IP packet in bytes, after at most 96 others.
    static func contains(ipPacketIn bytes: RawSpan) -> Bool {
        for offset in 0..<max(0, min(headersMax, bytes.byteCount - 20)) {
            let rest = bytes.extracting(droppingFirst: offset)
            guard let header = try? IPHeader(parsing: rest) else { continue }
            if header.source.isIPv6 {
                if header.length + header.payloadLength == rest.byteCount { return true }
            } else if InternetChecksum(of: rest.extracting(first: header.length)).value == 0 {
                return true
            }
        }
        return false
    }

    static func hold(ipProtocol: UInt8) -> Bool { ipProtocols.contains(ipProtocol) }

    /// Returns whether a UDP datagram is sent to the port of a tunnel, and may be of WireGuard if it
    /// is sent to that of WireGuard.
    static func hold(datagram: RawSpan) -> Bool {
        var reader = ByteReader(datagram, unit: "udp")
        guard (try? reader.uint16("srcport")) != nil,
            let port = try? reader.uint16("dstport")
        else { return false }
        if udpPorts.contains(port) { return true }
        // The shortest message has 32 bytes; each begins with its type and three zeros.
        guard port == wireGuardPort, let length = try? reader.uint16("length"), length >= 8 + 32,
            (try? reader.skip(2, "checksum")) != nil
        else { return false }
        guard let type = try? reader.uint32("wg.type") else { return true }
        return [1, 2, 3, 4].contains(type >> 24) && type & 0xFF_FFFF == 0
    }
}
