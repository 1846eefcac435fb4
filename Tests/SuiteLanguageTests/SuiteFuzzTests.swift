import BuiltInProtocols
import TestSupport
import Testing

@testable import SuiteLanguage

/// Checks that loading any file gives a suite or findings.
struct SuiteFuzzTests {
    private static let good = SuiteFixture.suite(
        case: """
            title: ${language} $${x}
            needs: f.one and not (f.two or f.one)
            each: {language: [DE-DE, FR-CA, EN-US]}
            exclude: [{language: EN-US}]
            given: {hu: {language: "${language}"}, device: {a: [1, {b: "${language}"}]}}
            preamble: &p
              - expect: sdl.RegisterAppInterface.request
                save: {app: params.appID}
            steps:
              - expect: sdl.Show.request
                id: shown
                where: {params.mainField1: {matches: "^a", length: {min: 1}}, params.mainField2: "${app}"}
                within: 1.5s
              - send: sdl.Show.response
                with: {params.success: false}
                since: shown
              - do: {hu.configure: {language: DE-DE}}
              - wait: 100ms
              - {use: beat, id: b1, with: {n: "${limit * 2}", who: "${app}"}}
              - {use: plain}
              - expect: sdl.Show.request
                where: {params.mainField1: "${upper(b1.x)}-${list[0].a}", rpc.correlation_id: {min: 1, max: "${limit + 1}"}}
                since: b1.beat
            never: [sdl.Alert.*, {message: sdl.Show.request, where: {params.mainField1: "${b1.x}"}}]
            quiet: 1s
            """
    ).replacing(
        "cases:",
        with: """
            parameters: {limit: {default: 3, text: A limit}}
            variables: {list: [{a: "x${limit}"}]}
            fragments:
              plain: [{expect: sdl.Heartbeat}]
              beat:
                text: Beats
                arguments: {n: {default: 1}, who: }
                steps:
                  - use: plain
                  - expect: sdl.Show.request
                    id: beat
                    where: {params.mainField1: "${who} ${padded(n, 3)}"}
                    save: {x: params.mainField2}
            cases:
            """)

    @Test("The text that is mutated is a good suite")
    func seedIsGood() { #expect(SuiteFixture.findings(Self.good).map(\.description) == []) }

    @Test("Random bytes never crash the loader", arguments: [1, 2] as [UInt64])
    func randomBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array(
            "conform: 1\n[]{}&*!|>'\"%@`#-?,~ \t\r\u{85}\u{2028}\u{FEFF}ä🎉\\$".utf8)
        for _ in 0..<1500 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : alphabet.randomElement(using: &random) ?? 0
            }
            load(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(
        "Mutations of a good suite never crash the loader, and the schema accepts what it accepts",
        arguments: [3, 4] as [UInt64])
    func mutations(seed: UInt64) throws {
        let schema = try SchemaCheck(SuiteSchema(.builtIn).suite)
        var random = SeededGenerator(seed: seed)
        let original = Array(Self.good.utf8)
        let pieces = [
            "\n", " ", "  ", ":", "- ", "[", "]", "{", "}", "\"", "'", "${", "$${", "&p", "*p", "0",
            "-1", "null", "~", "steps:", "since: shown", "1e999", "use: beat", "${limit / 0}",
            "${(", "exclude: ", "- {", "fragments:",
            "b1.", "with: {", "${b1.x + 1}", "[[[[", "!!x", "\u{0}", "🎉", "%",
        ]
        for _ in 0..<120 {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes.removeSubrange(place..<end)
                case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
                default:
                    let piece = pieces.randomElement(using: &random) ?? ""
                    bytes.insert(contentsOf: Array(piece.utf8), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard load(text) else { continue }
            let value = try YAMLNode.parse(text: text, file: "f").value
            #expect(schema.problems(value) == [], "\(text)")
        }
    }

    @Test("A good suite cut off anywhere never crashes the loader")
    func truncation() {
        let text = Self.good
        for length in stride(from: 0, to: text.count, by: 7) { load(String(text.prefix(length))) }
    }

    /// Loads a text, if that is possible; findings must have positions within it.
    @discardableResult
    private func load(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        let findings: [Diagnostic]
        do throws(InvalidInput) {
            findings = try SuiteFixture.load(text).warnings
        } catch {
            findings = error.diagnostics
            #expect(findings.contains { $0.severity == .error }, "\(text)")
        }
        for finding in findings {
            guard let position = finding.position, position.file == "suite.yaml" else { continue }
            // A carriage return and the Unicode line ends count as lines too.
            let others = text.unicodeScalars.count {
                "\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0)
            }
            #expect((1...(lines + others + 1)).contains(position.line) && position.column >= 1)
        }
        return !findings.contains { $0.severity == .error }
    }
}
