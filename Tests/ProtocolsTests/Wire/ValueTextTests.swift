import Testing
import Wire

@Suite("Text of values in suite syntax")
struct ValueTextTests {
    @Test(
        "A string is plain if the core schema reads it back as a string",
        arguments: [
            "DE-DE", "no", "on", "off", "yes", "y", "http://example.org:80/a", "a:b", "-5 apples",
            "?x", "a b", "1.2.3", "5.4.0", "0x", "0o9", "1e", ".", "+", "é", "語", "a#b", "08:15",
            "truE", "nULL", "~x",
        ])
    func plain(text: String) {
        #expect(Value.string(text).suiteText == text)
    }

    @Test(
        "A string is quoted if it would be read as something else",
        arguments: [
            "", " a", "a ", "null", "~", "True", "false", "12", "-1", "+1.5", "1e3", ".5", "1.",
            ".inf", "-.INF", ".NaN", "0x1F", "0o17", "a: b", "a:", "a #b", "#a", "- a", "-", "? a",
            "?", ":", "[a", "a]", "a,b", "{", "}", "&a", "*a", "!a", "|", ">", "'a", "\"a", "%a",
            "@a", "`a", "a\nb", "\t", "\u{7F}", "\u{85}", "\u{2028}",
        ])
    func quoted(text: String) throws {
        let written = Value.string(text).suiteText
        #expect(written.first == "\"" && written.last == "\"")
        #expect(try Value(json: written) == .string(text))
    }

    @Test("Collections are written in flow style on one line")
    func collections() {
        let value: Value = [
            "language": "DE-DE", "ttsName": [["text": "x", "type": "TEXT"]], "n": 1, "f": 2.0,
            "b": true, "z": .null, "e": [], "o": [:], "a: b": "",
        ]
        let expected = """
            {language: DE-DE, ttsName: [{text: x, type: TEXT}], n: 1, f: 2.0, b: true, z: null, \
            e: [], o: {}, "a: b": ""}
            """
        #expect(value.suiteText == expected)
    }

    @Test("Bytes are written as a matcher that accepts them, and special numbers by YAML's names")
    func bytesAndNumbers() {
        #expect(Value.bytes([0x0A, 0xFF]).suiteText == "{hex: 0aff}")
        #expect(Value.bytes([0x12, 0x34]).suiteText == "{hex: \"1234\"}")
        #expect(Value.double(.infinity).suiteText == ".inf")
        #expect(Value.double(-.infinity).suiteText == "-.inf")
        #expect(Value.double(.nan).suiteText == ".nan")
    }
}
