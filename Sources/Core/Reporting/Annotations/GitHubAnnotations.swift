import Results
import SuiteLanguage

/// Workflow commands of GitHub: each failure is a remark at its line of the suite.
public struct GitHubAnnotations: Sendable {
    private let run: RunResult
    private let root: String

    /// How many annotations of one level GitHub shows in one step; it silently drops the others.
    private static let shownPerLevel = 10

    /// Creates the annotations of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - root: The path from the root of the repository to the working directory; empty if they
    ///     are the same.
    public init(_ run: RunResult, root: String = "") {
        self.run = run
        self.root = root
    }

    /// The commands, one on each line.
    public var lines: [String] {
        let found = AnnotatedCase.all(of: run)
        let errors = found.filter { $0.level == .error }
        let warnings = found.filter { $0.level == .warning }
        let shown = errors.prefix(Self.shownPerLevel) + warnings.prefix(Self.shownPerLevel)
        let left = found.count - shown.count
        let rest =
            left > 0
            ? ["::notice title=conform::" + Self.data("\(left) more, see the reports of the run")]
            : []
        return shown.map(line) + rest
    }

    private func line(_ found: AnnotatedCase) -> String {
        Self.command(
            found.level.rawValue, at: found.position.file.isEmpty ? nil : found.position,
            title: "conform: \(found.title)", text: found.text, root: root)
    }

    /// Returns a workflow command.
    static func command(
        _ level: String, at position: SourcePosition?, title: String, text: String, root: String
    ) -> String {
        var properties: [(String, String)] = []
        if let position {
            properties = [
                ("file", AnnotatedCase.path(position.file, below: root)),
                ("line", String(position.line)), ("col", String(position.column)),
            ]
        }
        properties.append(("title", title))
        let list = properties.map { "\($0.0)=\(property($0.1))" }.joined(separator: ",")
        return "::\(level) \(list)::\(data(text))"
    }

    /// Returns the escaped text after the second `::`.
    private static func data(_ text: String) -> String {
        PlainText.line(text).reduce(into: "") { escaped, character in
            escaped += character == "%" ? "%25" : String(character)
        }
    }

    /// Returns the escaped value of a property, in which a comma or colon would be a delimiter.
    private static func property(_ text: String) -> String {
        data(text).reduce(into: "") { escaped, character in
            switch character {
            case ":": escaped += "%3A"
            case ",": escaped += "%2C"
            default: escaped.append(character)
            }
        }
    }
}
