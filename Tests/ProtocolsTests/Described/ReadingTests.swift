import Kaitai
import Testing
import YAML

@Suite("Reading bytes by a description")
struct ReadingTests {
    static func description(_ text: String) throws -> KaitaiDescription {
        try KaitaiDescription.load(path: "top.ksy") { _ throws(InvalidInput) in text }
    }

    private static let message = """
        meta: {id: message, endian: be}
        seq:
          - {id: kind, type: u1, enum: kind}
          - {id: len_body, type: u2}
          - {id: body, type: body, size: len_body}
          - {id: sum, type: u1, valid: 7}
        types:
          body:
            seq:
              - {id: first, type: b4}
              - {id: second, type: b4}
              - {id: rest, size-eos: true}
            instances:
              total: {value: first + second}
        enums:
          kind: {1: hello}
        """

    @Test("Fields have ranges in the input")
    func ranges() throws {
        var reading = KaitaiReading(
            [1, 0, 3, 0x12, 0xAA, 0xBB, 7], by: try Self.description(Self.message))
        try reading.read()
        #expect(reading.range(of: "kind", in: reading.root) == 0..<1)
        #expect(reading.range(of: "len_body", in: reading.root) == 1..<3)
        #expect(reading.range(of: "body", in: reading.root) == 3..<6)
        guard case .object(let body) = try reading.value(of: "body", in: reading.root) else {
            Issue.record("no object")
            return
        }
        #expect(reading.range(of: body) == 3..<6)
        #expect(reading.range(of: "rest", in: body) == 4..<6)
        #expect(reading.typeName(of: body) == "message::body")
        #expect(reading.fieldNames(of: body) == ["first", "second", "rest"])
        #expect(try reading.value(of: "total", in: body) == .integer(3))
        #expect(reading.range(of: "total", in: body) == nil)
        #expect(reading.bytesTaken == 7)
    }

    @Test("A number of 32 bits is shown as the shortest decimal that has these bits")
    func single() throws {
        let description = try Self.description(
            """
            meta: {id: message, endian: be}
            seq:
              - {id: kind, type: u1}
              - {id: one, type: f4}
              - {id: list, type: f4, repeat: expr, repeat-expr: 2}
              - {id: wide, type: f8}
              - {id: either, type: {switch-on: kind, cases: {1: f4, 2: f8}}}
            instances:
              sum: {value: one + one}
            """)
        func bytes(_ number: Float) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        func bytes(_ number: Double) -> [UInt8] {
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        let wide = Double(Float(0.1))
        func members(_ kind: UInt8, _ either: [UInt8]) throws -> [String: KaitaiValue] {
            let head = [kind] + bytes(Float(0.1)) + bytes(Float(0.2)) + bytes(Float(-3e38))
            var reading = KaitaiReading(head + bytes(wide) + either, by: description)
            try reading.read()
            return Dictionary(
                uniqueKeysWithValues: reading.members(of: reading.root, withInstances: true)
                    .map { ($0.name, $0.value) })
        }
        let narrow = try members(1, bytes(Float(0.3)))
        #expect(narrow["one"] == .float(0.1))
        #expect(narrow["list"] == .array([.float(0.2), .float(-3e38)]))
        #expect(narrow["wide"] == .float(wide))
        #expect(narrow["either"] == .float(0.3))
        #expect(narrow["sum"] == .float(wide + wide))
        #expect(try members(2, bytes(wide))["either"] == .float(wide))
    }

    @Test("Bytes that are not text of their encoding are replaced, and the rest is read")
    func undecodable() throws {
        let cases: [(String, [UInt8], String)] = [
            ("ASCII", [0x4B, 0xC3, 0xBC, 0x68], "K\u{FFFD}\u{FFFD}h"),
            ("UTF-8", [0x4B, 0xC3, 0xBC, 0x68], "K\u{FC}h"),
            ("UTF-8", [0x4B, 0xFC, 0x68], "K\u{FFFD}h"),
            ("UTF-8", [0x4B, 0xC3], "K\u{FFFD}"),
            ("UTF-16LE", [0x4B, 0, 0, 0xDC, 0x68, 0, 0x69], "K\u{FFFD}h\u{FFFD}"),
            ("Shift_JIS", [0x4B, 0xFF, 0x83, 0x8F, 0x83], "K\u{FFFD}\u{30EF}\u{FFFD}"),
            ("windows-1253", [0x4B, 0xD2, 0x68], "K\u{FFFD}h"),
        ]
        for (encoding, bytes, text) in cases {
            let description = try Self.description(
                """
                meta: {id: top}
                seq:
                  - {id: name, type: str, size: \(bytes.count), encoding: \(encoding)}
                  - {id: next, type: u1}
                """)
            var reading = KaitaiReading(bytes + [7], by: description)
            try reading.read()
            #expect(
                try reading.value(of: "name", in: reading.root) == .string(text), "\(encoding)")
            #expect(try reading.value(of: "next", in: reading.root) == .integer(7))
        }
    }

    @Test("An error has its field and its offset")
    func place() throws {
        var reading = KaitaiReading(
            [1, 0, 3, 0x12, 0xAA, 0xBB, 8], by: try Self.description(Self.message))
        let error = #expect(throws: KaitaiError.self) { try reading.read() }
        #expect(error?.code == .notEqual)
        #expect(error?.path == ["sum"])
        #expect(error?.offset == 6)
        #expect(error?.isIncomplete == false)
    }

    @Test("Only a read past the end of the whole input counts as incomplete")
    func incomplete() throws {
        let description = try Self.description(Self.message)
        for count in 0..<7 {
            var reading = KaitaiReading(
                Array([1, 0, 3, 0x12, 0xAA, 0xBB, 7].prefix(count)), by: description)
            let error = #expect(throws: KaitaiError.self) { try reading.read() }
            #expect(error?.isIncomplete == true)
            #expect((error?.bytesNeeded ?? 0) > count)
        }
        // The body has one byte, but its field needs four.
        let inner = """
            meta: {id: top, endian: be}
            seq: [{id: len, type: u1}, {id: body, type: b, size: len}]
            types: {b: {seq: [{id: n, type: u4}]}}
            """
        var reading = KaitaiReading([1, 0xFF], by: try Self.description(inner))
        let error = #expect(throws: KaitaiError.self) { try reading.read() }
        #expect(error?.isIncomplete == false)
        #expect(error?.path == ["body", "n"])
    }

    @Test("Text in each encoding is read")
    func encodings() throws {
        let cases: [(String, [UInt8], String)] = [
            ("UTF-8", [0xC3, 0xA9], "é"), ("ISO-8859-1", [0xE9], "é"),
            ("UTF-16LE", [0xE9, 0], "é"), ("UTF-16BE", [0, 0xE9], "é"),
            ("IBM437", [0x82], "é"), ("windows-1252", [0x80], "€"), ("ISO-8859-15", [0xA4], "€"),
            ("Shift_JIS", [0x82, 0xA0], "あ"), ("EUC-KR", [0xB0, 0xA1], "가"),
            ("Big5", [0xA4, 0xA4], "中"), ("IBM866", [0x80], "А"),
            ("UTF-32LE", [0xE9, 0, 0, 0], "é"),
        ]
        for (name, bytes, text) in cases {
            var reading = KaitaiReading(
                bytes,
                by: try Self.description(
                    "{meta: {id: a}, seq: [{id: x, type: str, encoding: \(name), size-eos: true}]}")
            )
            try reading.read()
            #expect(try reading.value(of: "x", in: reading.root) == .string(text), "\(name)")
        }
    }
}
