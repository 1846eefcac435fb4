import Kaitai
import Testing

@Suite("Checksums by conform's own key")
struct ChecksumTests {
    private static func message(_ rule: String, type: String = "u2") -> String {
        """
        meta: {id: message, endian: be, bit-endian: be}
        seq:
          - {id: version, type: b4}
          - {id: flags, type: b4}
          - {id: header, type: header}
          - {id: sum, type: \(type), -conform-checksum: \(rule)}
          - {id: body, size: header.len_body}
        types:
          header:
            seq: [{id: len_body, type: u1}]
        """
    }

    private static let content = KaitaiContent.object([
        "version": .value(.integer(3)), "flags": .value(.integer(1)),
        "body": .value(.bytes(Array("123456789".utf8))),
    ])

    private static func encoded(_ rule: String, type: String = "u2") throws -> [UInt8] {
        let description = try ReadingTests.description(message(rule, type: type))
        let bytes = try description.encode(content)
        var reading = KaitaiReading(bytes, by: description)
        try reading.read()
        #expect(reading.wrongChecksum() == nil)
        return bytes
    }

    @Test(
        "A missing checksum is computed, over any part of the message",
        arguments: [
            ("{kind: crc16-ccitt, of: [body]}", 0x29B1),
            ("{kind: crc16-modbus, of: after}", 0x4B37),
            ("sum8", 0x31 + 9), ("{kind: sum16, of: [version, flags, header.len_body]}", 0x31 + 9),
            ("{kind: xor8, of: before}", 0x31 ^ 9),
            ("{kind: sum16, of: all}", 0x31 + 9 + 0x1DD),
            ("{kind: internet, of: [version, header]}", 0xFFFF - 0x3109),
        ])
    func filled(_ rule: String, _ sum: Int) throws {
        let bytes = try Self.encoded(rule)
        #expect(bytes[..<2] == [0x31, 9])
        #expect(Int(bytes[2]) << 8 | Int(bytes[3]) == sum)
        #expect(bytes.count == 13)
    }

    @Test(
        "The check values of the catalogue of CRC algorithms are computed",
        arguments: [
            ("crc32", 0xCBF4_3926), ("crc32c", 0xE306_9283), ("crc8", 0xF4),
            ("adler32", 0x091E_01DE), ("complement8", 0x100 - 0xDD),
        ])
    func kinds(_ kind: String, _ sum: Int) throws {
        let bytes = try Self.encoded("{kind: \(kind), of: [body]}", type: "u4")
        #expect(bytes[2..<6].reduce(0) { $0 << 8 | Int($1) } == sum)
    }

    @Test("A given wrong checksum is written as it is, and reading reports it")
    func wrong() throws {
        let text = Self.message("{kind: sum8, of: [header, body]}")
        let description = try ReadingTests.description(text)
        guard case .object(var fields) = Self.content.kind else { return }
        fields["sum"] = .value(.integer(7))
        let bytes = try description.encode(.object(fields))
        #expect(bytes[2..<4] == [0, 7])
        var reading = KaitaiReading(bytes, by: description)
        try reading.read()
        #expect(
            reading.wrongChecksum() == "sum: it is 0x7, and sum8 of header, body is 0xe6")
    }

    @Test("A checksum in a trailer covers what precedes the trailer")
    func trailer() throws {
        let description = try ReadingTests.description(
            """
            meta: {id: m, endian: le}
            seq:
              - {id: head, type: u1}
              - {id: data, type: str, encoding: ASCII, size: 3}
              - {id: trailer, type: trailer}
            types:
              trailer:
                seq:
                  - id: inner
                    type: u1
                    -conform-checksum: {kind: sum8, of: [_parent.head, _root.data]}
                  - {id: outer, type: u1, -conform-checksum: xor8}
            """)
        let bytes = try description.encode(
            .object(["head": .value(.integer(1)), "data": .value(.string("abc"))]))
        #expect(bytes == [1, 0x61, 0x62, 0x63, 0x27, 0x27])
        var reading = KaitaiReading([1, 0x61, 0x62, 0x63, 0x27, 0x26], by: description)
        try reading.read()
        #expect(reading.wrongChecksum()?.hasPrefix("outer: it is 0x26") == true)
    }

    @Test(
        "An unusable rule is refused",
        arguments: ["crc17", "{kind: sum8, of: middle}", "{of: all}", "{kind: sum8, off: all}"])
    func refused(_ rule: String) {
        #expect(throws: (any Error).self) {
            try ReadingTests.description(Self.message(rule))
        }
    }
}
