import TCPIP
import Trace

/// A synthetic UDP datagram in IPv4 packets with correct lengths and checksums.
public struct Datagram {
    /// The sender.
    public var source: Endpoint
    /// The receiver.
    public var destination: Endpoint
    /// The data.
    public var payload: [UInt8]

    /// Creates a datagram.
    public init(from source: Endpoint, to destination: Endpoint, _ payload: [UInt8]) {
        self.source = source
        self.destination = destination
        self.payload = payload
    }

    /// The packet, for a capture of link type 101 (raw IP).
    public var packet: [UInt8] { ip(udp[...], protocolNumber: 17, from: source, to: destination) }

    /// Returns the packets of the datagram's fragments.
    ///
    /// - Parameters:
    ///   - size: The bytes of each fragment except the last, a multiple of 8.
    ///   - identification: The identification that the fragments share.
    public func fragments(of size: Int, identification: UInt16) -> [[UInt8]] {
        let udp = udp
        return stride(from: 0, to: udp.count, by: size).map { offset in
            let end = min(offset + size, udp.count)
            let more: UInt16 = end < udp.count ? 0x2000 : 0
            return ip(
                udp[offset..<end], protocolNumber: 17, from: source, to: destination,
                identification: identification, fragment: more | UInt16(offset / 8))
        }
    }

    /// Returns the packet of an ICMP message that this datagram cannot be delivered (RFC 792).
    ///
    /// The message is port unreachable, with the beginning of the datagram.
    public func unreachable(from host: IPAddress) -> [UInt8] {
        var message: [UInt8] = [3, 3, 0, 0, 0, 0, 0, 0] + packet.prefix(28)
        message.set(InternetChecksum.of([message]), at: 2)
        return ip(
            message[...], protocolNumber: 1, from: Endpoint(address: host, port: 0), to: source)
    }

    private var udp: [UInt8] {
        let length = UInt16(8 + payload.count)
        var bytes: [UInt8] = [source.port, destination.port, length, 0].flatMap(\.bigEndianBytes)
        bytes += payload
        let front = source.address.bytes + destination.address.bytes + [0, 17]
        let checksum = InternetChecksum.of([front + length.bigEndianBytes, bytes])
        bytes.set(checksum == 0 ? 0xFFFF : checksum, at: 6)
        return bytes
    }

    private func ip(
        _ payload: ArraySlice<UInt8>, protocolNumber: UInt8, from source: Endpoint,
        to destination: Endpoint, identification: UInt16 = 0, fragment: UInt16 = 0
    ) -> [UInt8] {
        var header: [UInt8] = [0x45, 0] + UInt16(20 + payload.count).bigEndianBytes
        header += identification.bigEndianBytes + fragment.bigEndianBytes
        header += [64, protocolNumber, 0, 0]
        header += source.address.bytes + destination.address.bytes
        header.set(InternetChecksum.of([header]), at: 10)
        return header + payload
    }
}

extension InternetChecksum {
    fileprivate static func of(_ parts: [[UInt8]]) -> UInt16 {
        var checksum = InternetChecksum()
        for part in parts { checksum.add(part.span.bytes) }
        return checksum.value
    }
}

extension UInt16 {
    fileprivate var bigEndianBytes: [UInt8] {
        [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)]
    }
}

extension [UInt8] {
    fileprivate mutating func set(_ number: UInt16, at offset: Int) {
        replaceSubrange(offset..<offset + 2, with: number.bigEndianBytes)
    }
}
