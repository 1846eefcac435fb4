import BuiltInProtocols
import SuiteLanguage
import Testing
import Wire

@Suite("Display filters")
struct MessageFilterTests {
    /// The fields of a Show request as a filter sees them.
    private let fields = Value.object([
        .init("sdl", .object([.init("service_type", .integer(7)), .init("version", .integer(5))])),
        .init("rpc", .object([.init("function", .string("Show"))])),
        .init(
            "params",
            .object([
                .init("mainField1", .string("Rain \"today\"")),
                .init("mainField2", .string("")), .init("alignment", .string("CENTERED")),
            ])),
    ])

    private func accepts(_ text: String, name: String = "sdl.Show.request") throws -> Bool {
        let filter = try MessageFilter(
            text, KnownMessages(.builtIn), additionalFields: ["frame.number", "ip.addr"])
        return filter.accepts(name: name) { path in
            switch path.description {
            case "frame.number": [.integer(4), .integer(6)]
            case "ip.addr": [.string("10.0.0.1"), .string("10.0.0.2")]
            default: fields[path].map { [$0] } ?? []
            }
        }
    }

    @Test(
        "A message that fits is accepted",
        arguments: [
            "sdl.service_type == 7", "sdl.service_type eq 7", "sdl.service_type == 0x07",
            "sdl.service_type == 7 && rpc.function == \"Show\"",
            "sdl.service_type == 9 or rpc.function == 'Show'",
            "sdl.service_type > 6 and sdl.service_type < 8", "sdl.service_type >= 7",
            "sdl.service_type <= 7", "sdl.service_type in {1, 7 9}", "sdl.service_type != 8",
            "params.mainField1 contains \"today\"", "params.mainField1 matches \"^R.*n\"",
            "params.mainField1 ~ '\\d|ain'", "params.mainField1 == \"Rain \\\"today\\\"\"",
            "params.mainField1", "!params.mainField3", "not params.mainField3",
            "!(params.mainField3 == \"x\")", "sdl.Show", "sdl.Show.request", "sdl",
            "sdl.Alert || sdl.Show", "params.mainField2 == \"\"",
            "((sdl.service_type == 7))", "frame.number == 6", "ip.addr == 10.0.0.2",
            "!sdl.Alert && !tcp",
        ])
    func fitting(text: String) throws { #expect(try accepts(text)) }

    @Test(
        "A message that does not fit is not accepted",
        arguments: [
            "sdl.service_type == 8", "sdl.service_type == \"7\"", "sdl.service_type > 7",
            "sdl.service_type < 7", "sdl.service_type != 7", "params.mainField3 == \"x\"",
            "params.mainField3 != \"x\"", "params.mainField3", "sdl.Alert", "tcp",
            "sdl.Show.response", "sdl.service_type in {8}", "!(sdl.service_type == 7)",
            "sdl.service_type == 7 && rpc.function == \"Alert\"",
            "sdl.service_type == 8 || sdl.Show && rpc.function == \"Alert\"",
            "frame.number == 5", "ip.addr == 10.0.0.3", "params.mainField1 matches \"^ain\"",
        ])
    func notFitting(text: String) throws { #expect(try !accepts(text)) }

    @Test("A name matches only whole parts of message names")
    func prefixesAreWholeParts() throws {
        #expect(try !accepts("sdl.Show", name: "sdl.ShowConstantTBT.request"))
    }

    @Test(
        "What is not a filter is reported with its place and what to do",
        arguments: [
            ("", 1, "empty"), ("sdl.service_typ == 7", 1, "did you mean \"sdl.service_type\""),
            ("sdl.service_type = 7", 18, "no meaning"), ("sdl.service_type ==", 20, "a value"),
            ("(sdl", 5, "not closed"), ("sdl sdl", 5, "expected \"and\""),
            ("rpc.function == \"Show", 17, "no closing"), ("sdl.Shaw", 1, "did you mean"),
            ("rpc.function matches \"(\"", 22, "no regular expression"),
            ("rpc.function matches 7", 22, "in quotes"), ("sdl.service_type in 7", 21, "braces"),
            ("sdl.service_type in {}", 23, "no value"), ("&& sdl", 1, "expected a field"),
            ("sdl..x == 1", 1, "no path"),
        ] as [(String, Int, String)])
    func syntaxErrors(text: String, column: Int, words: String) throws {
        do {
            _ = try MessageFilter(text, KnownMessages(.builtIn))
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.column == column, "\(text): \(error)")
            #expect(error.description.contains(words), "\(text): \(error)")
        }
    }

    @Test("Endless brackets are refused before they are followed")
    func depthIsBounded() {
        #expect(throws: MessageFilter.SyntaxError.self) {
            try MessageFilter(String(repeating: "(", count: 100_000), KnownMessages(.builtIn))
        }
        #expect(throws: MessageFilter.SyntaxError.self) {
            try MessageFilter(
                String(repeating: "!", count: 100_000) + "sdl", KnownMessages(.builtIn))
        }
    }

    @Test("Random texts never crash")
    func randomTexts() {
        var generator = SystemRandomNumberGenerator()
        let pieces = ["sdl", "rpc.function", "==", "\"", "(", ")", "!", "in", "{", "}", "1", "&&"]
        var taken = 0
        for _ in 0..<400 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
            if (try? MessageFilter(text.joined(separator: " "), KnownMessages(.builtIn))) != nil {
                taken += 1
            }
        }
        #expect(taken < 400)
    }

    @Test("A message is shown if a limit leaves open whether it fits, also negated")
    func limit() throws {
        let text = String(repeating: "a", count: 40) + "b"
        for words in ["x matches \"^(a+)+$\"", "!(x matches \"^(a+)+$\")"] {
            let filter = try MessageFilter(words, KnownMessages(.builtIn), additionalFields: ["x"])
            #expect(filter.accepts(name: "sdl.Show.request") { _ in [.string(text)] }, "\(words)")
        }
    }
}
