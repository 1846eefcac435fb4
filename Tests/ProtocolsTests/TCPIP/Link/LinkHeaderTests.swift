import Testing

@testable import TCPIP
@testable import Wire

@Suite("Link-layer headers")
struct LinkHeaderTests {
    private func header(_ bytes: [UInt8], _ framing: LinkFraming) throws -> LinkHeader {
        try LinkHeader(parsing: bytes.span.bytes, framing: framing)
    }

    @Test("The type follows the addresses of Ethernet")
    func ethernet() throws {
        let frame = [UInt8](repeating: 0xAA, count: 12) + [0x08, 0x00, 0x45]
        #expect(
            try header(frame, .ethernet) == LinkHeader(etherType: .ipv4, length: 14))
    }

    @Test("VLAN tags are skipped, and the innermost identifier is kept")
    func vlanTags() throws {
        let frame =
            [UInt8](repeating: 0, count: 12)
            + [0x88, 0xA8, 0x00, 0x07, 0x81, 0x00, 0xE1, 0x23, 0x86, 0xDD]
        #expect(
            try header(frame, .ethernet)
                == LinkHeader(etherType: .ipv6, length: 22, vlan: 0x123))
    }

    @Test("A type below 0x0600 is a length")
    func lengthFrames() throws {
        let frame = [UInt8](repeating: 0, count: 12) + [0x05, 0xFF]
        #expect(try header(frame, .ethernet).isLengthFramed)
        #expect(try !header(frame.dropLast(2) + [0x06, 0x00], .ethernet).isLengthFramed)
    }

    @Test("Linux cooked captures have the type at the end, in version 2 at the beginning")
    func linuxCooked() throws {
        let first = [UInt8](repeating: 0, count: 14) + [0x08, 0x06]
        #expect(
            try header(first, .linuxCooked) == LinkHeader(etherType: .arp, length: 16))
        let second = [0x86, 0xDD] + [UInt8](repeating: 0, count: 18)
        #expect(
            try header(second, .linuxCooked2) == LinkHeader(etherType: .ipv6, length: 20))
    }

    @Test(
        "The family of a BSD loopback gives the IP version in either byte order",
        arguments: [
            ([2, 0, 0, 0], EtherType.ipv4), ([0, 0, 0, 2], .ipv4), ([30, 0, 0, 0], .ipv6),
            ([24, 0, 0, 0], .ipv6), ([0, 0, 0, 28], .ipv6), ([10, 0, 0, 0], .ipv6),
        ] as [([UInt8], EtherType)])
    func loopback(bytes: [UInt8], type: EtherType) throws {
        #expect(try header(bytes, .null) == LinkHeader(etherType: type, length: 4))
        #expect(try header(bytes, .loop) == LinkHeader(etherType: type, length: 4))
    }

    @Test("The first bits of a raw packet give its IP version")
    func raw() throws {
        #expect(try header([0x45], .raw) == LinkHeader(etherType: .ipv4, length: 0))
        #expect(try header([0x60], .raw) == LinkHeader(etherType: .ipv6, length: 0))
        #expect(try header([], .ipv4).etherType == .ipv4)
        #expect(try header([], .ipv6).etherType == .ipv6)
    }

    @Test("A packet that is neither IPv4 nor IPv6 is a bad value")
    func otherFamilies() throws {
        let others: [([UInt8], LinkFraming)] = [([7, 0, 0, 0], .null), ([0x15], .raw)]
        for (bytes, framing) in others {
            let error = try #require(throws: DecodeError.self) {
                try header(bytes, framing)
            }
            #expect(error.code == .badValue)
        }
    }

    @Test(
        "A frame that ends within its header is truncated",
        arguments: [
            (LinkFraming.ethernet, 14), (.linuxCooked, 16), (.linuxCooked2, 20), (.null, 4),
            (.loop, 4), (.raw, 1),
        ])
    func shortFrames(framing: LinkFraming, length: Int) throws {
        for count in 0..<length {
            let bytes = [UInt8](repeating: 0, count: count)
            let error = try #require(throws: DecodeError.self) {
                try header(bytes, framing)
            }
            #expect(error.code == .truncated)
        }
    }
}
