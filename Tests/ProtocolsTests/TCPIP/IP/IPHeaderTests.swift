import TestSupport
import Testing

@testable import TCPIP
@testable import Wire

@Suite("IP headers")
struct IPHeaderTests {
    /// Returns an IPv4 packet from 10.0.0.1 to 10.0.0.2.
    private func version4(
        wordCount: UInt8 = 5, total: UInt16? = nil, fragment: UInt16 = 0,
        payload: [UInt8] = [1, 2, 3]
    ) -> [UInt8] {
        let options = [UInt8](repeating: 1, count: max(0, Int(wordCount) - 5) * 4)
        var bytes: [UInt8] = [0x40 | wordCount, 0]
        bytes.append(bigEndian: total ?? UInt16(20 + options.count + payload.count))
        bytes += [0, 0]
        bytes.append(bigEndian: fragment)
        bytes += [64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]
        return bytes + options + payload
    }

    /// Returns an IPv6 packet from ::1 to ::2.
    private func version6(
        next: UInt8 = 6, length: UInt16? = nil, payload: [UInt8] = [1, 2, 3]
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x60, 0, 0, 0]
        bytes.append(bigEndian: length ?? UInt16(payload.count))
        bytes += [next, 64]
        for low in [1, 2] as [UInt64] {
            bytes.append(bigEndian: UInt64(0))
            bytes.append(bigEndian: low)
        }
        return bytes + payload
    }

    private func header(_ bytes: [UInt8]) throws -> IPHeader {
        try IPHeader(parsing: bytes.span.bytes)
    }

    private func fault(_ bytes: [UInt8]) throws -> DecodeError {
        try #require(throws: DecodeError.self) { try header(bytes) }
    }

    @Test("An IPv4 header gives addresses, protocol and payload")
    func plainVersion4() throws {
        let header = try header(version4())
        #expect(header.source.description == "10.0.0.1")
        #expect(header.destination.description == "10.0.0.2")
        #expect(header.protocolNumber == .tcp)
        #expect(header.length == 20)
        #expect(header.payloadLength == 3)
        #expect(header.fragment == nil)
    }

    @Test("Options belong to the header")
    func options() throws {
        let header = try header(version4(wordCount: 15))
        #expect(header.length == 60)
        #expect(header.payloadLength == 3)
    }

    @Test("The payload's length is the length sent, not the captured length, and excludes padding")
    func payloadLengths() throws {
        #expect(try header(version4(total: 1_500)).payloadLength == 1_480)
        #expect(try header(version4() + [0, 0, 0]).payloadLength == 3)
        #expect(try header(version4(total: 0)).payloadLength == 3)
        #expect(try header(version6(length: 1_000)).payloadLength == 1_000)
        #expect(try header(version6(length: 0)).payloadLength == 3)
    }

    @Test(
        "A fragment is recognised, and a whole packet with the DF flag is not one",
        arguments: [
            (0x0000, false), (0x4000, false), (0x2000, true), (0x0001, true), (0x1FFF, true),
        ] as [(UInt16, Bool)])
    func fragmentsOfVersion4(field: UInt16, isFragment: Bool) throws {
        #expect(try (header(version4(fragment: field)).fragment != nil) == isFragment)
    }

    @Test("An IPv6 header gives addresses, protocol and payload")
    func plainVersion6() throws {
        let header = try header(version6())
        #expect(header.source == .loopback6)
        #expect(header.destination.description == "::2")
        #expect(header.protocolNumber == .tcp)
        #expect(header.length == 40)
        #expect(header.payloadLength == 3)
    }

    @Test("Extension headers of IPv6 are skipped")
    func extensionHeaders() throws {
        let hopByHop: [UInt8] = [43, 0, 0, 0, 0, 0, 0, 0]
        let routing: [UInt8] = [51, 1] + Array(repeating: 0, count: 14)
        let authentication: [UInt8] = [60, 1] + Array(repeating: 0, count: 10)
        let destination: [UInt8] = [17, 0, 0, 0, 0, 0, 0, 0]
        let extensions = hopByHop + routing + authentication + destination
        let header = try header(version6(next: 0, payload: extensions + [9]))
        #expect(header.protocolNumber == .udp)
        #expect(header.length == 40 + extensions.count)
        #expect(header.payloadLength == 1)
    }

    @Test("A fragment header means a fragment unless it marks the only one")
    func fragmentsOfVersion6() throws {
        for (field, isFragment) in [(0, false), (1, true), (8, true), (6, false)] {
            let fragment: [UInt8] = [6, 0, 0, UInt8(field), 0, 0, 0, 1]
            let header = try header(version6(next: 44, payload: fragment + [1]))
            #expect((header.fragment != nil) == isFragment)
            #expect(header.protocolNumber == .tcp)
        }
    }

    @Test("A header that ends too early is truncated", arguments: [4, 6])
    func shortHeaders(version: Int) throws {
        let hopByHop: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0]
        let (whole, length) =
            version == 4 ? (version4(wordCount: 7), 28) : (version6(next: 0, payload: hopByHop), 48)
        for count in 0..<length {
            #expect(try fault(Array(whole[..<count])).code == .truncated, "\(count) bytes")
        }
        #expect(try header(Array(whole[..<length])).length == length)
    }

    @Test("Lengths that contradict each other are reported")
    func badLengths() throws {
        #expect(try fault(version4(wordCount: 4)).code == .badLength)
        #expect(try fault(version4(total: 19)).code == .badLength)
        let hopByHop: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0]
        #expect(try fault(version6(next: 0, length: 7, payload: hopByHop)).code == .badLength)
        #expect(try fault([0x55] + version4().dropFirst()).code == .badValue)
    }
}

@Suite("Internet checksum")
struct InternetChecksumTests {
    @Test("The example of RFC 1071 gives its checksum")
    func example() {
        var checksum = InternetChecksum()
        let bytes: [UInt8] = [0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7]
        checksum.add(bytes.span.bytes)
        #expect(checksum.value == ~0xDDF2)
    }

    @Test("The checksum of any bytes is that of adding them two by two")
    func slowSum() {
        var generator = SeededGenerator(seed: 1071)
        for count in 0..<200 {
            let isHigh = count % 3 == 0
            let bytes = (0..<count).map { _ in
                UInt8.random(in: isHigh ? 0xFE...0xFF : 0...0xFF, using: &generator)
            }
            var slow: UInt32 = 0
            for index in stride(from: 0, to: count, by: 2) {
                slow += UInt32(bytes[index]) << 8 + UInt32(index + 1 < count ? bytes[index + 1] : 0)
                slow = slow & 0xFFFF + slow >> 16
            }
            var checksum = InternetChecksum()
            checksum.add(bytes.span.bytes)
            #expect(checksum.value == ~UInt16(slow), "\(bytes)")
        }
    }

    @Test("A segment with the right checksum is valid, and with any changed bit it is not")
    func segment() {
        let header = IPHeader(
            source: .loopback, destination: .loopback, protocolNumber: .tcp, length: 20,
            payloadLength: 23, fragment: nil)
        var segment: [UInt8] = Array(1...23)
        segment[16] = 0
        segment[17] = 0
        var checksum = InternetChecksum()
        checksum.add(0x7F00_0001)
        checksum.add(0x7F00_0001)
        checksum.add(6)
        checksum.add(23)
        checksum.add(segment.span.bytes)
        segment[16] = UInt8(checksum.value >> 8)
        segment[17] = UInt8(checksum.value & 0xFF)
        func isValid(_ segment: [UInt8]) -> Bool {
            InternetChecksum.isValid(segment.span.bytes, of: header)
        }
        #expect(isValid(segment))
        for bit in 0..<(segment.count * 8) {
            var changed = segment
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isValid(changed))
        }
    }
}
