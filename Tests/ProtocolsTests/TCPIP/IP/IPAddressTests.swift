import TCPIP
import Testing

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "An address that is read is written in its canonical form",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"),
            ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
            ("fe80::", "fe80::"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
            ("::ffff:10.1.2.3", "::ffff:10.1.2.3"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ])
    func textComesBack(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
        #expect(address.isIPv6 == text.contains(":"))
    }

    @Test(
        "Text that is not an address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.+4", "1..2.3", "a.b.c.d",
            ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8",
            "12345::", "g::", "+1::", "::1.2.3", "1.2.3.4::", "fe80::1%lo", " ::1", "localhost",
        ])
    func otherTextIsRefused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("Numbers and bytes are in network order")
    func numbersAreInNetworkOrder() {
        #expect(IPAddress(ipv4: 0x0A00_0001).description == "10.0.0.1")
        #expect(IPAddress(ipv4: 0x0A00_0001).bytes == [10, 0, 0, 1])
        let address = IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 0xFF)
        #expect(address.description == "2001:db8::ff")
        #expect(address.bytes.prefix(4) == [0x20, 0x01, 0x0D, 0xB8])
        #expect(address.bytes.count == 16)
    }

    @Test("Loopback addresses are recognised, and IPv4 differs from its mapped form")
    func loopback() throws {
        #expect(IPAddress.loopback.isLoopback)
        #expect(IPAddress.loopback6.isLoopback)
        #expect(try #require(IPAddress("127.9.9.9")).isLoopback)
        #expect(try !#require(IPAddress("128.0.0.1")).isLoopback)
        #expect(IPAddress("::ffff:127.0.0.1") != .loopback)
    }

    @Test("Every IPv6 address is read back from its own text")
    func randomAddresses() {
        var state: UInt64 = 50
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
        for _ in 0..<500 {
            // Masks make runs of zeros of every length.
            let mask = next() | next()
            let address = IPAddress(ipv6High: next() & ~mask, low: next() & mask)
            #expect(IPAddress(address.description) == address)
        }
    }

    @Test("Addresses are ordered: IPv4 first, then by number")
    func order() throws {
        let texts = ["0.0.0.1", "10.0.0.1", "200.0.0.0", "::", "::1", "1::"]
        let addresses = try texts.map { try #require(IPAddress($0)) }
        #expect(addresses.reversed().sorted() == addresses)
    }
}
