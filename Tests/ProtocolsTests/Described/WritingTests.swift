import Kaitai
import Testing

@Suite("Writing objects by a description")
struct WritingTests {
    private static let message = """
        meta: {id: message, endian: be, encoding: UTF-8}
        seq:
          - {id: magic, contents: [0xCA, 0xFE]}
          - {id: kind, type: u1, enum: kind}
          - {id: header, type: header}
          - {id: body, type: body, size: header.len_body - 2}
          - {id: reserved, type: u1, valid: 0}
        types:
          header:
            seq:
              - {id: len_body, type: u2}
          body:
            seq:
              - {id: num_words, type: u1}
              - {id: words, type: word, repeat: expr, repeat-expr: num_words}
          word:
            seq:
              - {id: len, type: b4}
              - {id: flag, type: b1}
              - {id: gap, type: b3, valid: 0}
              - {id: text, type: str, size: len}
        enums:
          kind: {1: hello, 2: bye}
        """

    private static func word(_ text: String, flag: Bool = true) -> KaitaiContent {
        .object(["flag": .value(.bool(flag)), "text": .value(.string(text))])
    }

    private static func fields(
        _ more: [String: KaitaiContent] = [:]
    ) -> KaitaiContent {
        let fields: [String: KaitaiContent] = [
            "kind": .value(.string("bye")),
            "body": .object(["words": .array([word("ab"), word("c", flag: false)])]),
        ]
        return .object(fields.merging(more) { $1 })
    }

    @Test("Lengths, counts and constants are computed")
    func filled() throws {
        let description = try ReadingTests.description(Self.message)
        let bytes = try description.encode(Self.fields())
        #expect(
            bytes == [
                0xCA, 0xFE, 2, 0, 8, 2, 0x28, UInt8(ascii: "a"), UInt8(ascii: "b"), 0x10,
                UInt8(ascii: "c"), 0,
            ])
        var reading = KaitaiReading(bytes, by: description)
        try reading.read()
        #expect(try description.encode(reading.content) == bytes)
    }

    @Test("An integer beyond 63 bits is written from the text that a reading gives")
    func wideIntegers() throws {
        let description = try ReadingTests.description(
            "{meta: {id: m, endian: be}, seq: [{id: number, type: u8}]}")
        func bytes(_ text: String) throws -> [UInt8] {
            try description.encode(.object(["number": .value(.string(text))]))
        }
        #expect(try bytes("18446744073709551615") == [UInt8](repeating: 0xFF, count: 8))
        #expect(try bytes("9223372036854775808") == [0x80, 0, 0, 0, 0, 0, 0, 0])
        for wrong in ["18446744073709551616", "-9223372036854775809", "5", "x"] {
            #expect(throws: (any Error).self, "\(wrong)") { try bytes(wrong) }
        }
    }

    @Test("A given value is kept, even one that the description forbids")
    func given() throws {
        let description = try ReadingTests.description(Self.message)
        let header = KaitaiContent.object(["len_body": .value(.integer(99))])
        let error = #expect(throws: KaitaiError.self) {
            try description.encode(Self.fields(["header": header]))
        }
        #expect(error?.path == ["body"])
        let bytes = try description.encode(
            Self.fields(["header": header, "reserved": .value(.integer(7))]), isStrict: false)
        #expect(bytes[4] == 99)
        #expect(bytes.last == 7)
        #expect(bytes.count == 12)
    }

    @Test("A value that does not fit, is missing or is unknown is refused with its path")
    func refused() throws {
        let description = try ReadingTests.description(Self.message)
        let cases: [([String: KaitaiContent], [String])] = [
            (["kind": .value(.string("ciao"))], ["kind"]),
            (["kind": .value(.integer(300))], ["kind"]),
            (["other": .value(.integer(3))], []),
            (
                [
                    "body": .object([
                        "words": .array([Self.word(String(repeating: "x", count: 16))])
                    ])
                ],
                ["body", "words", "len"]
            ),
            (
                ["body": .object(["words": .array([.object(["flag": .value(.bool(true))])])])],
                ["body", "words", "text"]
            ),
        ]
        for (fields, path) in cases {
            let error = #expect(throws: KaitaiError.self) {
                try description.encode(Self.fields(fields), isStrict: false)
            }
            #expect(error?.path == path, "\(fields)")
        }
    }

    @Test("A length that includes itself and a length of several fields are computed")
    func settles() throws {
        let text = """
            meta: {id: m, endian: be}
            seq:
              - {id: length, type: u4}
              - {id: id, type: u2}
              - {id: payload, size: length - 2}
              - {id: twice, type: u1, repeat: expr, repeat-expr: half * 2}
            instances:
              half: {value: count}
            types: {}
            """.replacing("- {id: id,", with: "- {id: count, type: u1}\n  - {id: id,")
        let description = try ReadingTests.description(text)
        let content = KaitaiContent.object([
            "id": .value(.integer(1)), "payload": .value(.bytes([1, 2, 3])),
            "twice": .array([.value(.integer(8)), .value(.integer(9))]),
        ])
        #expect(try description.encode(content) == [0, 0, 0, 5, 1, 0, 1, 1, 2, 3, 8, 9])
    }
}
