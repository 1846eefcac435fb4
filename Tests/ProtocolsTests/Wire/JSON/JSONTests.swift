import TestSupport
import Testing

@testable import Wire

@Suite("JSON")
struct JSONTests {
    @Test("Order and duplicates of members are kept")
    func orderAndDuplicates() throws {
        let value = try Value(json: #"{"b":1,"a":{"x":[true,null]},"b":2}"#)
        let members = try #require(value.objectValue)
        #expect(members.map(\.name) == ["b", "a", "b"])
        #expect(members[2].value == 2)
        #expect(members[1].value == ["x": [true, .null]])
    }

    @Test("A part found by a path of names is that of the whole value")
    func parts() throws {
        let text = #"{"a":{"b":1,"c":[{"d":2}],"~/":"x"},"b":"t","b":null,"e":{}}"#
        let bytes = Array(text.utf8)
        let whole = try Value(json: text)
        let paths = [
            ["a"], ["a", "b"], ["a", "c"], ["a", "c", "d"], ["b"], ["e"], ["a", "~/"], ["x"],
        ]
        for names in paths {
            let path = FieldPath(components: names.map { .name($0) })
            let part = try Value.part(of: bytes.span.bytes, at: JSONPointer(names))
            #expect(part == whole[path], "\(names)")
        }
        #expect(throws: DecodeError.self) {
            _ = try Value.part(of: bytes.span.bytes.extracting(first: 9), at: JSONPointer(["a"]))
        }
        #expect(FieldPath.memberNames([.name("a"), .index(0)]) == nil)
        #expect(FieldPath.memberNames([.name("0")]) == nil)
        #expect(FieldPath.memberNames([]) == nil)
    }

    @Test("A member found by its path is that of the whole value, whatever precedes it")
    func members() throws {
        var generator = SeededGenerator(seed: 6_901)
        let names = ["a", "b", "ab", "ü", "c\"", "d/", "e~", "\u{1}", ""]
        func object(_ depth: Int) -> Value {
            .object(
                (0..<generator.below(5)).map { _ in
                    let isObject = depth > 0 && generator.below(3) == 0
                    return Value.Member(
                        names[generator.below(names.count)],
                        isObject ? object(depth - 1) : generator.value())
                })
        }
        for round in 0..<4_000 {
            let whole = object(3)
            let text = Array(whole.jsonText(pretty: round % 2 == 0).utf8)
            for _ in 0..<8 {
                let path = (0...generator.below(3)).map { _ in names[generator.below(names.count)] }
                let found = Value.member(of: text.span.bytes, at: JSONPointer(path))
                let parsed = try Value(json: text.span.bytes)
                #expect(found == parsed[FieldPath(components: path.map { .name($0) })])
            }
        }
    }

    @Test("Looking for a member never reads past the end, whatever the bytes are")
    func membersOfArbitraryBytes() {
        var generator = SeededGenerator(seed: 8)
        let alphabet = Array(#"{}[]":,a\0-1te "#.utf8)
        for _ in 0..<20_000 {
            let inner = (0..<generator.below(30)).map { _ in
                alphabet[generator.below(alphabet.count)]
            }
            let bytes = Array(#"{"a"#.utf8) + inner
            _ = Value.member(of: bytes.span.bytes, at: JSONPointer(["a", "a"]))
            _ = Value.member(of: bytes.span.bytes, at: JSONPointer(["b"]))
        }
    }

    @Test(
        "The fault of a text is the first byte that JSON does not allow there",
        arguments: [
            ("", 0), (" ", 1), ("{", 1), (#"{"a""#, 4), (#"{"a":1,}"#, 7), ("[1,]", 3),
            ("[1 2]", 3), ("nul", 3), ("nulL", 3), ("truex", 4), ("01", 1), ("-", 1), ("1.", 2),
            ("1.e1", 2),
            ("1e", 2), ("[1e999]", 1), (#"["a\x"]"#, 4), (#"["\u12G4"]"#, 6), (#"["\ud800"]"#, 2),
            (#"["\udc00"]"#, 2), ("[\"\t\"]", 2), ("\u{FEFF}{", 4), (#"{"a":{"b":[{}]}]"#, 15),
        ])
    func faults(text: String, offset: Int) {
        let bytes = Array(text.utf8)
        #expect(JSONFault.offset(in: bytes.span.bytes) == offset)
        #expect {
            _ = try Value(json: text)
        } throws: {
            ($0 as? DecodeError)?.offset == offset
        }
    }

    @Test(
        "The fault of bytes that are not UTF-8 is the first of them",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func faultsOfEncoding(character: [UInt8]) {
        let bytes = Array("[\"ü€😀".utf8) + character + Array("\"]".utf8)
        #expect(JSONFault.offset(in: bytes.span.bytes) == 11)
    }

    @Test("A text has a fault if and only if the parser refuses it")
    func faultsOfArbitraryBytes() {
        var generator = SeededGenerator(seed: 22)
        let alphabet = Array(#"{}[]":,a\u0-1.te "#.utf8) + [0xC3, 0xBC, 0x80, 0x1F]
        for _ in 0..<20_000 {
            var bytes = Array(generator.value().jsonText().utf8)
            for _ in 0..<generator.below(3) where !bytes.isEmpty {
                bytes[generator.below(bytes.count)] = alphabet[generator.below(alphabet.count)]
            }
            let isRead = (try? Value(json: bytes.span.bytes)) != nil
            #expect((JSONFault.offset(in: bytes.span.bytes) == nil) == isRead, "\(bytes)")
        }
    }

    @Test("Integers that fit 64 signed bits stay integers, and larger ones become doubles")
    func integers() throws {
        #expect(try Value(json: "9223372036854775807") == .integer(.max))
        #expect(try Value(json: "-9223372036854775808") == .integer(.min))
        #expect(try Value(json: "18446744073709551615") == .double(0x1p64))
        #expect(try Value(json: "1.0") == .double(1))
    }

    @Test("All that RFC 8259 allows can be read, and what a value cannot hold is text")
    func anyJSON() throws {
        func read(_ text: String) throws -> Value {
            try Value(anyJSON: text.utf8.span.bytes)
        }
        let large = "12345678901234567890123"
        #expect(
            try read(
                #"{"a":9223372036854775807,"b":9223372036854775808,"c":-\#(large),"d":[1e400,-1E+999],"e":1.5}"#
            )
                == [
                    "a": .integer(.max), "b": "9223372036854775808", "c": .string("-" + large),
                    "d": ["1e400", "-1E+999"], "e": 1.5,
                ])
        #expect(try read("18446744073709551615") != read("18446744073709551614"))
        #expect(
            try read(#"{"\ud800":["\udc00x","\ud800\ud83d\ude00","\ud800\n","\\ud800"]}"#)
                == [#"\ud800"#: [#"\udc00x"#, #"\ud800😀"#, "\\ud800\n", #"\ud800"#]])
        #expect(try read(#"{"b":2,"a":"ü"}"#) == Value(json: #"{"b":2,"a":"ü"}"#))
        for wrong in [
            "", "[1,]", "01", #"["\ud8"]"#, "1e", "[1e400", "[\u{1F600}", "99999999999999999999x",
        ] {
            #expect(throws: DecodeError.self) { try read(wrong) }
        }
        for depth in [JSONLimits.maximumDepth + 1, 2_000] {
            let nested =
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect {
                _ = try read(nested)
            } throws: {
                ($0 as? DecodeError)?.code == .limit
            }
        }
    }

    @Test(
        "Text that is not JSON is refused",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\"}", "{'a':1}", "nul", "1 2", "\"\n\"", "{\"a\":1}x", "01",
            "1e999", "\"\\ud800\"",
        ])
    func malformed(text: String) {
        #expect(throws: DecodeError.self) { try Value(json: text) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func notUTF8() {
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(throws: DecodeError.self) { try Value(json: bytes.span.bytes) }
    }

    @Test("Nesting is read up to the limit and refused beyond it")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try Value(json: nested(JSONLimits.maximumDepth))
        do throws(DecodeError) {
            _ = try Value(json: nested(JSONLimits.maximumDepth + 1))
            Issue.record("no error")
        } catch {
            #expect(error.code == .limit)
        }
        #expect(throws: DecodeError.self) { try Value(json: nested(100_000)) }
    }

    @Test("Every value reads back from its text, compact and pretty")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 0x4A53_4F4E)
        for _ in 0..<500 {
            let value = generator.value()
            #expect(try Value(json: value.jsonText()) == value)
            #expect(try Value(json: value.jsonText(pretty: true)) == value)
        }
    }

    @Test("Text is compact or indented by two spaces")
    func layout() {
        let value: Value = ["a": [1, 2.5], "e": [], "o": [:], "s": "x\"\\\n\u{1}/é"]
        #expect(value.jsonText() == #"{"a":[1,2.5],"e":[],"o":{},"s":"x\"\\\n\u0001/é"}"#)
        let pretty = """
            {
              "a": [
                1,
                2.5
              ],
              "e": [],
              "o": {},
              "s": "x\\"\\\\\\n\\u0001/é"
            }
            """
        #expect(value.jsonText(pretty: true) == pretty)
    }

    @Test("Bytes become hexadecimal text and numbers that JSON lacks become null")
    func beyondJSON() {
        #expect(Value.bytes([0, 0xAB]).jsonText() == "\"00ab\"")
        #expect(Value.double(.nan).jsonText() == "null")
        #expect(Value.double(-.infinity).jsonText() == "null")
    }

    @Test("Arbitrary bytes never crash the reader")
    func arbitraryBytes() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn\\u \n".utf8)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? Value(json: bytes.span.bytes)
        }
    }
}
