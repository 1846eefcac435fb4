import Testing

@testable import SuiteLanguage

struct YAMLMappingReaderTests {
    @Test("Values are read by type, and everything else is reported")
    func reading() throws {
        let marked = MarkedText(
            """
            text: t
            number: 1.5
            whole: 7
            large: ⟦bad-value⟧70
            flag: true
            time: 1.5s
            word: ⟦bad-value⟧blak
            names: [a, ⟦wrong-type⟧1]
            one: a
            inner: {x: 1, ⟦unknown-key⟧xy: 2}
            ⟦unknown-key⟧tim: 5s
            empty:⟦wrong-type⟧
            """)
        let findings = Findings()
        let node = try YAMLNode.parse(text: marked.text, file: "f")
        let made = YAMLMappingReader(node, subject: "profile", findings: findings)
        var reader = try #require(made)
        #expect(reader.text("text") == "t" && reader.number("number") == 1.5)
        #expect(reader.integer("whole", in: 0...9) == 7 && reader.boolean("flag") == true)
        #expect(reader.integer("large", in: 0...9) == nil)
        #expect(reader.duration("time") == .milliseconds(1500))
        #expect(reader.word("word", of: ["black", "white"]) == nil)
        #expect(reader.texts("names")?.map(\.text) == ["a"])
        #expect(reader.texts("one")?.map(\.text) == ["a"])
        #expect(reader.text("absent") == nil && reader.text("empty") == nil)
        let madeInner = reader.reader("inner", subject: "part")
        var inner = try #require(madeInner)
        #expect(inner.integer("x", in: 0...1) == 1)
        inner.finish()
        reader.finish()
        #expect(SuiteFixture.places(findings.diagnostics) == marked.expected)
        #expect(
            findings.diagnostics.contains {
                $0.description
                    == "f:11:1: error: unknown key \"tim\" in a profile; did you mean \"time\"? "
                    + "[unknown-key]"
            })
    }

    @Test(
        "The closest name is suggested only if it is close",
        arguments: [
            ("withn", "within"), ("WITHIN", "within"), ("wihtin", "within"), ("quiet", "quite"),
            ("x", nil), ("something", nil), ("", nil), ("at", nil),
        ])
    func suggestions(_ name: String, _ expected: String?) {
        #expect(Suggestion.closest(to: name, in: ["after", "within", "quite"]) == expected)
    }

    @Test("Few candidates are all listed, many are not")
    func candidates() {
        #expect(Suggestion.advice(for: "xyz", in: ["alpha", "beta"]) == "there are: alpha, beta")
        #expect(
            Suggestion.advice(for: "when", in: ["then", "whenever"]) == "did you mean \"whenever\"?"
        )
        #expect(Suggestion.advice(for: "xyz", in: (1...20).map { "name-\($0)" }) == "")
    }
}
