import Glibc
import TestSupport
import Testing

@testable import Wire

@Suite("Whether bytes are a JSON object")
struct JSONObjectTests {
    private static let seeds: [[UInt8]] = [
        #"{"success":true,"resultCode":"SUCCESS","info":null,"n":[1,-2.5,0,[],{}],"o":{"a":{"b":[{"c":""}]}}}"#,
        #"{ "text" : "a\"b\\c\/\b\f\n\r\té€😀" , "x" : [ true , false , null , 1e3 , -0.0 , 1E-2 ] }"#,
        #"{"pair":"\uD83D\uDE00","wide":18446744073709551615,"least":-9223372036854775808,"d":0.1234567890123456789}"#,
        "{\"umlaut\":\"Zürich 北京 😀\",\"tab\":\t[\n1\r,2 ] }",
        "{}", "[]", "\"\"", "1", " {\"a\":1} ",
    ].map { Array($0.utf8) }

    /// The pieces that are inserted to break a text.
    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "\\u00e9", "\\ud800", "\\uDC00", "\\x",
            "0",
            "1", "-", "+", ".", "e", "E9", "t", "true", "false", "null", "nul", " ", "\n", "\r",
            "\t",
            "\u{1}", "\u{1F}", "\u{7F}", "\u{C}", "\u{A0}", "é", "€", "😀", "9999999999999999999",
            "1e400", "/",
            "\"a\":1,", "{}", "[]", ",,", "\u{FEFF}",
        ].map { Array($0.utf8) } + [
            [0], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]

    private func isHeld(_ bytes: some Collection<UInt8>) -> Bool {
        Array(bytes).span.bytes.isJSONObject
    }

    private func isHeld(_ text: String) -> Bool { isHeld(text.utf8) }

    /// Whether the parser that builds values accepts bytes as an object.
    private func isObject(_ bytes: [UInt8]) -> Bool {
        (try? Value(json: bytes.span.bytes))?.objectValue != nil
    }

    @Test("The answer is that of the parser that builds values, however a text is broken")
    func mutations() {
        var generator = SeededGenerator(seed: 8_259)
        var soundCount = 0
        for round in 0..<60_000 {
            var text = Self.seeds[generator.below(Self.seeds.count)]
            if round % 4 == 0 {
                let value = Value.object([.init("a", generator.value())])
                text = Array(value.jsonText(pretty: generator.below(2) == 0).utf8)
            }
            for _ in 0..<generator.below(4) {
                let place = generator.below(text.count + 1)
                let end = min(text.count, place + generator.below(3))
                let piece =
                    generator.below(4) == 0 ? [] : Self.pieces[generator.below(Self.pieces.count)]
                text.replaceSubrange(place..<end, with: piece)
            }
            let expected = isObject(text)
            soundCount += expected ? 1 : 0
            let isSame = isHeld(text) == expected
            #expect(isSame, "\(String(decoding: text, as: UTF8.self)) \(text)")
        }
        #expect((10_000..<50_000).contains(soundCount), "both answers must be seen")
    }

    @Test("A text that is cut short anywhere is not an object")
    func cuts() {
        for seed in Self.seeds where isHeld(seed) {
            let count = seed.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for end in 0..<count { #expect(!isHeld(seed[..<end])) }
        }
    }

    @Test("Bytes before and after the text make no difference")
    func surroundings() {
        let text = Array(#"{"a":[1,true,"x\n"]}"#.utf8)
        for around in ["\"", "}", "\\", "1", "e", "{", "\u{1}"] {
            let bytes = Array(around.utf8) + text + Array(around.utf8)
            for end in 2...text.count {
                let isObject = bytes.span.bytes.extracting(1..<1 + end).isJSONObject
                #expect(isObject == (end == text.count))
            }
        }
    }

    @Test("A text of any length is recognised, also after a longer one")
    func lengths() {
        for count in [0, 1, 63, 64, 65, 1_000, 200_000, 3, 70_000] {
            let word = String(repeating: "x", count: count)
            #expect(isHeld(#"{"a":"\#(word)"}"#))
            #expect(!isHeld(#"{"a":"\#(word)}"#))
        }
    }

    @Test("Deep nesting is recognised within the limit")
    func depth() {
        for depth in 1..<150 {
            let arrays =
                String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            let objects =
                String(repeating: #"{"a":"#, count: depth) + "1"
                + String(repeating: "}", count: depth)
            #expect(isHeld(objects) == (depth < 100))
            #expect(isHeld(#"{"a":\#(arrays)}"#) == (depth < 99))
        }
    }

    @Test("No byte after the text is read")
    func nothingBehind() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = mmap(
            nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let start = try #require(memory)
        try #require(start != MAP_FAILED)
        defer { munmap(start, 2 * page) }
        try #require(mprotect(start + page, page, PROT_NONE) == 0)
        for seed in Self.seeds {
            for end in 0...seed.count {
                let place = start + page - end
                place.copyMemory(from: Array(seed[..<end]), byteCount: end)
                let text = UnsafeRawBufferPointer(start: place, count: end).bytes
                let isObject = text.isJSONObject
                #expect(isObject == self.isObject(Array(seed[..<end])))
                _ = Value.member(of: text, at: JSONPointer(["o", "a"]))
            }
        }
    }
}
