import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

/// Bytes and their notations, in `send`, in matchers and in values of fields.
struct ByteNotationTests {
    private struct Reading {
        let bytes: ByteExpression?
        let findings: [String]
    }

    private static func read(
        _ text: String, plain: ByteExpression.Notation? = .hex, values: [String: Value] = [:],
        saved: Set<String> = []
    ) throws -> Reading {
        let findings = Findings()
        var scope = VariableScope(findings: findings, protocols: .builtIn)
        scope.values = values
        scope.saved = saved
        let node = try YAMLNode.parse(text: text, file: "f")
        let bytes = ByteNotationReader(scope: scope).bytes(node, plain: plain, name: "\"bytes\"")
        return Reading(bytes: bytes, findings: findings.diagnostics.map(\.description))
    }

    @Test(
        "Each notation gives its bytes",
        arguments: [
            ("\"0a FF:01\"", [10, 255, 1]), ("{hex: \"0a\"}", [10]), ("{ascii: AB}", [65, 66]),
            ("{text: \"ä\\r\\n\"}", [0xC3, 0xA4, 13, 10]),
            ("{text: \"$${a}\"}", Array("${a}".utf8)),
            ("{text: \"<${t}>\"}", Array("<x>".utf8)), ("{hex: \"${t2}00\"}", [0xAB, 0]),
            ("{text: \"<${raw}>\"}", [60, 255, 62]), ("{hex: \"01${raw}\"}", [1, 255]),
            ("${raw}", [255]), ("${noted}", [80, 81]), ("{text: \"${n}\"}", [49, 50]),
        ] as [(String, [UInt8])])
    func notations(_ text: String, _ expected: [UInt8]) throws {
        let values: [String: Value] = [
            "t": "x", "t2": "ab", "raw": .bytes([255]), "noted": ["ascii": "PQ"], "n": 12,
        ]
        let reading = try Self.read(text, values: values)
        #expect(reading.findings == [])
        #expect(reading.bytes?.literalBytes == expected)
    }

    @Test(
        "What is not a notation of bytes is refused, with what to write",
        arguments: [
            ("abc", "not pairs of hexadecimal digits"), ("5", "this is an integer"),
            ("{ascii: ä}", "no character of ASCII"), ("{hex: 0g}", "not pairs"),
            ("{text: a, hex: 00}", "in one notation"), ("{utf8: a}", "in one notation"),
            ("\"\"", "at least one byte"), ("{hex: \"${n}\"}", "hex(number, digits)"),
            ("[1]", "this is a list"),
        ])
    func refusals(_ text: String, _ words: String) throws {
        let reading = try Self.read(text, values: ["n": 10])
        #expect(reading.bytes == nil)
        #expect(reading.findings.count == 1)
        #expect(reading.findings.first?.contains(words) == true, "\(reading.findings)")
    }

    @Test("A value that a step saves is inserted when the step is reached")
    func saved() throws {
        let text = try Self.read("{text: \"a${v}z\"}", saved: ["v"])
        #expect(text.findings == [] && text.bytes?.literalBytes == nil)
        #expect(try text.bytes?.evaluate(["v": .bytes([0, 255])]) == [97, 0, 255, 122])
        #expect(try text.bytes?.evaluate(["v": "-"]) == Array("a-z".utf8))
        #expect(throws: EvaluationError(unbound: "v")) { try text.bytes?.evaluate([:]) }
        let hex = try Self.read("\"00 ${hex(v, 4)}\"", saved: ["v"])
        #expect(try hex.bytes?.evaluate(["v": 258]) == [0, 1, 2])
    }

    @Test(
        "Bytes are written as they are read",
        arguments: [
            "{hex: 0aff}", "{text: QUIT}", "{text: \"a\\r\\n\"}", "{ascii: A}", "{text: \"$${a}\"}",
            "{text: \"${v}x\"}",
        ])
    func printed(_ text: String) throws {
        let bytes = try #require(Self.read(text, saved: ["v"]).bytes)
        #expect(bytes.suiteText == text)
        #expect(try Self.read(bytes.suiteText, saved: ["v"]).bytes == bytes)
    }

    // MARK: - Matchers

    private static func matcher(_ text: String, type: FieldType? = nil) throws -> ValueMatcher {
        let findings = Findings()
        let scope = VariableScope(findings: findings, protocols: .builtIn)
        let node = try YAMLNode.parse(text: text, file: "f")
        let matcher = MatcherReader(scope: scope).matcher(node, type: type, name: "x")
        #expect(findings.diagnostics.map(\.description) == [])
        return try #require(matcher)
    }

    private static let line: Value = .bytes(Array("EHLO mx\r\n".utf8))

    @Test(
        "Matchers of bytes and of texts accept what they describe",
        arguments: [
            ("{text: \"EHLO mx\\r\\n\"}", line, true), ("{text: \"EHLO mx\"}", line, false),
            ("{ascii: ab}", "ab", true), ("{text: ab}", "ab", true),
            ("{hex: \"6162\"}", "ab", false),
            ("{starts: EHLO}", line, true), ("{starts: ehlo}", line, false),
            ("{starts: {hex: \"45 48\"}}", line, true), ("{starts: ab}", "abc", true),
            ("{starts: abcd}", "abc", false), ("{starts: \"1\"}", 1, false),
            ("{ends: \"\\r\\n\"}", line, true), ("{ends: {hex: 0d}}", line, false),
            ("{ends: bc}", "abc", true), ("{contains: \" mx\"}", line, true),
            ("{contains: {hex: \"6d 78\"}}", line, true), ("{contains: {hex: ff}}", line, false),
            ("{contains: {text: b}}", "abc", true),
            ("{matches: \"^EHLO \\\\S+\\\\r$\"}", line, true),
            ("{matches: \"\\\\xff\\\\x00\"}", .bytes([1, 255, 0]), true),
            ("{matches: \"^.$\"}", .bytes([0xC3, 0xA4]), false), ("{matches: \"^.$\"}", "ä", true),
            ("{mask: {bits: f0, value: \"40\"}}", .bytes([0x45]), true),
            ("{mask: {bits: f0, value: \"40\"}}", .bytes([0x55]), false),
            ("{mask: {bits: f0, value: \"40\"}}", 0x45, true),
            ("{mask: {bits: f0, value: \"40\"}}", .bytes([]), false),
            ("{mask: {at: 1, bits: ff01, value: \"0201\"}}", .bytes([0, 2, 3]), true),
            ("{mask: {bits: ff00, value: \"0100\"}}", 0x1FF, true),
            ("{slice: {at: 5, count: 2, is: {text: mx}}}", line, true),
            ("{slice: {at: 5, is: {starts: mx}}}", line, true),
            ("{slice: {at: 8, count: 2, is: {length: 2}}}", line, false),
            ("{slice: {at: 1, count: 1, is: b}}", "abc", true),
            ("{slice: {at: 1, is: [2, 3]}}", [1, 2, 3], true), ("{length: 9}", line, true),
            ("{some: {min: 3}}", [1, 3], true), ("{some: {min: 3}}", [1, 2], false),
            ("{every: {min: 1}}", [1, 3], true), ("{every: {min: 2}}", [1, 3], false),
            ("{every: {min: 2}}", 3, false), ("{some: 3}", 3, false),
        ] as [(String, Value, Bool)])
    func matching(_ text: String, _ value: Value, _ expected: Bool) throws {
        let matcher = try Self.matcher(text)
        #expect(matcher.matches(value) == expected)
        #expect(matcher.explain(FieldPath(components: [.name("x")]), value).isEmpty == expected)
        #expect(try Self.matcher(matcher.suiteText) == matcher, "\(matcher.suiteText)")
        #expect(!matcher.matches(nil))
    }

    @Test("A plain text in a matcher of bytes is part of them; a structure's member is no notation")
    func types() throws {
        let part = try Self.matcher("{contains: mx}", type: .bytes)
        #expect(part.matches(Self.line))
        let chunk = FieldType.structure(
            name: "Chunk", fields: [FieldDescription("text", .string(maxLength: nil))])
        let whole = try Self.matcher("{text: Hello}", type: chunk)
        #expect(whole.matches(["text": "Hello"]) && !whole.matches("Hello"))
    }

    @Test("A part of bytes is found where a plain search finds it")
    func search() {
        var generator = SeededBytes(seed: 7)
        for _ in 0..<500 {
            let bytes = generator.bytes(count: 12, of: 3)
            let part = generator.bytes(count: 3, of: 3)
            let isThere = (0...9).contains { Array(bytes[$0..<$0 + 3]) == part }
            #expect(bytes.hasPart(part) == isThere)
        }
        #expect([1, 2].hasPart([]) && ![UInt8]().hasPart([1]))
    }

    private struct SeededBytes {
        var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func bytes(count: Int, of values: UInt64) -> [UInt8] {
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: (state >> 33) % values)
            }
        }
    }
}

/// Sums and hashes, with their published values.
struct ChecksumFunctionTests {
    @Test(
        "Functions of bytes give the published values",
        arguments: [
            ("crc32('123456789')", 0xCBF4_3926), ("crc16('123456789')", 0xBB3D),
            ("crc16('123456789', 'modbus')", 0x4B37), ("crc16('123456789', 'ccitt')", 0x29B1),
            ("crc16('123456789', 'xmodem')", 0x31C3), ("crc16('123456789', 'kermit')", 0x2189),
            ("crc16('123456789', 'x25')", 0x906E), ("sum8('abc')", 0x26), ("crc32('')", 0),
            ("hex(md5(''))", "d41d8cd98f00b204e9800998ecf8427e"),
            ("hex(md5('message digest'))", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "hex(md5('12345678901234567890123456789012345678901234567890123456789012345678901234567890'))",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            ("hex(sha1('abc'))", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "hex(sha256('abc'))",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            ("base64('foob')", "Zm9vYg=="), ("bytes(3)", .bytes([0, 0, 0])),
            ("bytes(2, 255)", .bytes([255, 255])), ("bytes('hi')", .bytes([104, 105])),
            ("length(bytes(70000))", 70000),
            ("integer(slice(raw, 1, 2))", 0x0203), ("hex(raw)", "010203"),
            ("sum8(noted)", 0x91), ("text(slice(line, 0, 4))", "EHLO"),
            ("unhex('01 ff')", .bytes([1, 255])), ("unhex('')", .bytes([])),
            ("join('hi', raw)", .bytes([104, 105, 1, 2, 3])),
            ("hex(join(unhex('0102'), raw, 'a'))", "010201020361"),
        ] as [(String, Value)])
    func values(_ text: String, _ expected: Value) throws {
        let findings = Findings()
        var scope = VariableScope(findings: findings, protocols: .builtIn)
        scope.values = [
            "raw": .bytes([1, 2, 3]), "noted": ["hex": "90 01"],
            "line": .bytes(Array("EHLO x".utf8)),
        ]
        let node = YAMLNode(
            .scalar(.string("${\(text)}")), at: SourcePosition(file: "f", line: 1, column: 1))
        #expect(scope.value(node) == expected)
        #expect(findings.diagnostics.map(\.description) == [])
    }

    @Test(
        "A function without a value is refused",
        arguments: [
            "bytes(-1)", "bytes(1048577)", "bytes(1, 256)", "crc16('a', 'b')", "md5(1)",
            "unhex('0')", "unhex('zz')", "unhex(1)", "join(1, 'a')",
        ])
    func refused(_ text: String) throws {
        let findings = Findings()
        let scope = VariableScope(findings: findings, protocols: .builtIn)
        let node = YAMLNode(
            .scalar(.string("${\(text)}")), at: SourcePosition(file: "f", line: 1, column: 1))
        #expect(scope.value(node) == nil)
        #expect(findings.diagnostics.first?.code == "bad-expression")
    }
}
