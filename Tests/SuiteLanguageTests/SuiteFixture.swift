import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

/// Files in memory, and texts with marks at the places of the expected findings.
enum SuiteFixture {
    static let catalogue = """
        conform-requirements: 1
        document: Made up
        source: nowhere
        features:
          f.one: The first.
          f.two: The second.
        requirements:
          A-1: {section: "1", text: The device does it.}
        """

    /// The text before `cases` in most tests.
    static let head = """
        conform: 1
        suite: made-up
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        cases:

        """

    static func load(
        _ text: String, files: [String: String] = [:], searchPath: [String] = []
    ) throws(InvalidInput) -> Suite {
        let files = files.merging(["suite.yaml": text]) { $1 }
        return try SuiteLoader(.builtIn).load(path: "suite.yaml", searchPath: searchPath) {
            (path) throws(InvalidInput) -> String in
            if let text = files[path] { return text }
            if path == "catalogue.yaml" { return catalogue }
            throw InvalidInput([
                Diagnostic("unreadable-file", "cannot read \"\(path)\"", at: nil)
            ])
        }
    }

    /// Returns a suite with one case, whose lines after `id` and `checks` are given.
    static func suite(case lines: String) -> String {
        let indented = lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "    \($0)\n" }.joined()
        return head + "  - id: one\n    checks: [A-1]\n" + indented
    }

    /// Returns a suite with one case that has these steps.
    static func suite(steps lines: String) -> String {
        let indented = lines.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        return suite(case: "steps:\n" + indented)
    }

    static func onlyCase(_ text: String) throws -> TestCase {
        let suite = try load(text)
        #expect(suite.cases.count == 1)
        return try #require(suite.cases.first)
    }

    /// Returns the findings of a text, errors and warnings, as `line:column:code`.
    static func findings(
        _ text: String, files: [String: String] = [:], searchPath: [String] = []
    ) -> [Diagnostic] {
        do throws(InvalidInput) {
            return try load(text, files: files, searchPath: searchPath).warnings
        } catch {
            return error.diagnostics
        }
    }

    static func places(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.map { finding in
            guard let position = finding.position else { return "-:\(finding.code)" }
            return "\(position.line):\(position.column):\(finding.code)"
        }
    }
}

/// A text with marks `⟦code⟧`, each directly before the place of a finding.
struct MarkedText {
    let text: String
    /// `line:column:code` in the order of the text.
    private(set) var expected: [String] = []

    init(_ marked: String) {
        var text = ""
        var line = 1
        var column = 1
        var rest = marked[...]
        while let character = rest.first {
            if character == "⟦", let end = rest.firstIndex(of: "⟧") {
                expected.append(
                    "\(line):\(column):\(rest[rest.index(after: rest.startIndex)..<end])")
                rest = rest[rest.index(after: end)...]
                continue
            }
            text.append(character)
            rest.removeFirst()
            if character == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        self.text = text
    }
}
