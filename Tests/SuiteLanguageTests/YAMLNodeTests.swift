import Testing
import Wire

@testable import SuiteLanguage

struct YAMLNodeTests {
    @Test(
        "Plain scalars are read by the core schema of YAML 1.2",
        arguments: [
            ("", Value.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null),
            ("nUll", "nUll"), ("true", true), ("True", true), ("TRUE", true), ("false", false),
            ("tRUE", "tRUE"), ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"),
            ("y", "y"), ("N", "N"), ("0", 0), ("-1", -1), ("+12", 12), ("007", 7), ("0o17", 15),
            ("0x1F", 31), ("0xff", 255), ("0b1", "0b1"), ("0o8", "0o8"), ("-0x1", "-0x1"),
            ("1_000", "1_000"), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("1.5", 1.5), ("-.5", -0.5), ("1.", 1.0),
            ("1e3", 1000.0), ("12.5E-1", 1.25), ("1e", "1e"), (".", "."), ("+", "+"), ("-", "-"),
            (".inf", .double(.infinity)), ("-.INF", .double(-.infinity)), ("1.2.3", "1.2.3"),
            ("5.4.0", "5.4.0"), ("2026-01-02", "2026-01-02"), ("12:30", "12:30"), ("٣", "٣"),
            ("1 2", "1 2"), ("DE-DE", "DE-DE"),
        ])
    func coreSchema(_ text: String, _ expected: Value) {
        #expect(CoreSchema.value(ofPlain: text) == expected)
    }

    @Test("Not-a-number is a number, and numbers beyond 64 bits are refused")
    func oddNumbers() {
        guard case .double(let number)? = CoreSchema.value(ofPlain: ".nan") else {
            Issue.record("no number")
            return
        }
        #expect(number.isNaN)
        #expect(CoreSchema.value(ofPlain: "9223372036854775808") == nil)
        #expect(CoreSchema.value(ofPlain: "0xffffffffffffffff") == nil)
        #expect(CoreSchema.value(ofPlain: "1e999") == nil)
    }

    @Test("Quoted scalars, block scalars and those tagged !!str are text")
    func texts() throws {
        let node = try YAMLNode.parse(
            text: "a: '1'\nb: \"true\"\nc: |\n  12\nd: >-\n  null\ne: !!str 5\nf: ''", file: "f")
        #expect(
            node.value == ["a": "1", "b": "true", "c": "12\n", "d": "null", "e": "5", "f": ""])
    }

    @Test("Every node and every key has its line and its column in characters")
    func positions() throws {
        let node = try YAMLNode.parse(
            text: "# comment\nfirst:  1\nä ö: {x: [ü, 'é', z]}\nlist:\n  - a\n  -   b: c\nnone:\n",
            file: "f")
        func place(_ position: SourcePosition?) -> String {
            position.map { "\($0.line):\($0.column)" } ?? "-"
        }
        let entries = try #require(node.entries)
        #expect(place(node.position) == "2:1")
        #expect(entries.map { place($0.keyPosition) } == ["2:1", "3:1", "4:1", "7:1"])
        #expect(entries.map { place($0.value.position) } == ["2:9", "3:6", "5:3", "7:6"])
        let inner = try #require(node["ä ö"]?["x"]?.elements)
        #expect(inner.map { place($0.position) } == ["3:11", "3:14", "3:19"])
        let item = try #require(node["list"]?.elements?[1])
        #expect(place(item.position) == "6:7" && place(item["b"]?.position) == "6:10")
    }

    @Test("An alias is a copy of its anchor, with the position of the alias")
    func aliases() throws {
        let node = try YAMLNode.parse(text: "a: &x {b: [1]}\nc: *x\n&k d: *k", file: "f")
        #expect(node.value == ["a": ["b": [1]], "c": ["b": [1]], "d": "d"])
        #expect(node["c"]?.position == SourcePosition(file: "f", line: 2, column: 4))
        #expect(node["c"]?["b"]?.position == SourcePosition(file: "f", line: 1, column: 11))
    }

    @Test("Aliases of aliases are refused before they fill the memory")
    func billionLaughs() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...30 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(codes(text) == ["yaml-limit"])
    }

    @Test("Deep nesting is refused, directly and through aliases")
    func depth() {
        #expect(codes(String(repeating: "[", count: 100_000)) == ["yaml-limit"])
        let allowed = YAMLLimits.depth + 1
        let deepest =
            String(repeating: "[", count: allowed) + String(repeating: "]", count: allowed)
        #expect(codes(deepest) == [])
        #expect(codes("[\(deepest)]") == ["yaml-limit"])
        var text = "a0: &a0 [[[[[[[[x]]]]]]]]\n"
        for level in 1...8 { text += "a\(level): &a\(level) [[[[[[[[*a\(level - 1)]]]]]]]]\n" }
        #expect(codes(text) == ["yaml-limit"])
    }

    @Test(
        "All duplicate keys of a file are reported together, each with the place of the first one")
    func duplicates() {
        do throws(InvalidInput) {
            _ = try YAMLNode.parse(text: "a: 1\nb: {c: 1, c: 2}\na: 2", file: "f")
            Issue.record("no error")
        } catch {
            #expect(
                error.description == """
                    f:2:11: error: duplicate key "c"; it is at f:2:5 already; \
                    remove one of them [duplicate-key]
                    f:3:1: error: duplicate key "a"; it is at f:1:1 already; \
                    remove one of them [duplicate-key]
                    """)
        }
    }

    @Test("An empty text is null, a byte order mark and a version directive are skipped")
    func surroundings() throws {
        #expect(try YAMLNode.parse(text: "", file: "f").value == .null)
        #expect(try YAMLNode.parse(text: "# nothing\n", file: "f").value == .null)
        #expect(try YAMLNode.parse(text: "\u{FEFF}a: 1", file: "f").value == ["a": 1])
        #expect(
            try YAMLNode.parse(text: "%YAML 1.2\n---\na: 1\n...\n", file: "f").value == ["a": 1])
        #expect(
            try YAMLNode.parse(text: "{\"a\":1,\"b\":[true]}", file: "f").value == [
                "a": 1, "b": [true],
            ])
    }

    @Test("A file that cannot be read is reported with the reason")
    func files() {
        func text(_ path: String) -> String {
            do throws(InvalidInput) {
                _ = try YAMLNode.load(path: path)
                return "read"
            } catch {
                return error.description
            }
        }
        #expect(
            text("/nonexistent.yaml")
                == "error: cannot read \"/nonexistent.yaml\": there is no such file [unreadable-file]"
        )
        #expect(text("/").contains("it is a folder"))
        #expect(text("/dev/zero").contains("it is a character device, not a file"))
    }

    @Test("The place at which a text stops being UTF-8 is found")
    func encoding() {
        let bytes: [UInt8] = Array("ä\nöx".utf8) + [0xC3, 0x28]
        bytes.withUnsafeBufferPointer { buffer in
            let offset = TextPlace.firstInvalidByte(in: buffer)
            let place = TextPlace(byteOffset: offset, in: buffer)
            #expect(offset == 6 && place.line == 2 && place.column == 3)
        }
    }

    private func codes(_ text: String) -> [String] {
        do throws(InvalidInput) {
            _ = try YAMLNode.parse(text: text, file: "f")
            return []
        } catch {
            return error.diagnostics.map(\.code)
        }
    }
}
