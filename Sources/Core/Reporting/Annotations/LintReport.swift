import Results
import SuiteLanguage
import Wire

/// The findings of `conform lint` in suites, for people and for programs.
public struct LintReport: Sendable {
    /// The format of the report.
    public enum Form: String, Sendable {
        case text, json, sarif, github
    }

    /// A file and its findings.
    private struct File {
        let path: String
        /// The number of its cases; `nil` if the file is invalid.
        let cases: Int?
        let findings: [Diagnostic]
        /// What could not be checked.
        let remark: String?
    }

    private var files: [File] = []
    private var findings: [Diagnostic] { files.flatMap(\.findings) }

    /// Creates an empty report.
    public init() {}

    /// The number of errors.
    public var errors: Int { findings.count { $0.severity == .error } }
    /// The number of warnings.
    public var warnings: Int { findings.count { $0.severity == .warning } }

    /// Adds a valid suite with its warnings.
    public mutating func add(_ suite: Suite, at path: String) {
        files.append(
            File(
                path: path, cases: suite.cases.count, findings: suite.warnings,
                remark: Self.unchecked(in: suite)))
    }

    /// Adds the findings of an invalid file.
    public mutating func add(_ findings: [Diagnostic], of path: String) {
        files.append(File(path: path, cases: nil, findings: findings, remark: nil))
    }

    /// Returns the text of the report.
    ///
    /// - Parameters:
    ///   - form: The format.
    ///   - root: The path from the root of a CI engine's checkout to the working directory.
    public func text(as form: Form, root: String = "") -> String {
        switch form {
        case .text: lines.map { $0 + "\n" }.joined()
        case .json: json.jsonText(pretty: true) + "\n"
        case .sarif: sarif(root).jsonText(pretty: true) + "\n"
        case .github:
            findings.map { finding in
                GitHubAnnotations.command(
                    finding.severity == .error ? "error" : "warning", at: finding.position,
                    title: "conform: \(finding.code)", text: Self.message(finding), root: root)
                    + "\n"
            }.joined()
        }
    }

    private var lines: [String] {
        files.flatMap { file -> [String] in
            file.findings.map(\.description)
                + (file.cases.map { ["\(file.path): \(NumberText.count($0, "case"))"] } ?? [])
                + (file.remark.map { ["\(file.path): \($0)"] } ?? [])
        } + [
            "\(NumberText.count(errors, "error")), \(NumberText.count(warnings, "warning"))"
        ]
    }

    /// Returns a remark about cases whose steps could not be read because parameters have no value.
    private static func unchecked(in suite: Suite) -> String? {
        let cases = suite.cases.filter { !$0.missingParameters.isEmpty }
        let names = Set(cases.flatMap(\.missingParameters)).sorted()
        guard let first = names.first else { return nil }
        return "\(NumberText.count(cases.count, "case")) not checked, because there is no value of "
            + "\(names.joined(separator: ", ")); give --parameter \(first)=VALUE"
    }

    private static func message(_ finding: Diagnostic) -> String {
        finding.advice.isEmpty ? finding.what : "\(finding.what); \(finding.advice)"
    }

    private var json: Value {
        typealias Member = Value.Member
        let files = files.map { file -> Value in
            .object(
                [Member("file", .string(file.path))]
                    + (file.cases.map { [Member("cases", .integer(Int64($0)))] } ?? []))
        }
        let findings = findings.map { finding -> Value in
            let place = finding.position.map { position in
                [
                    Member("file", .string(position.file)),
                    Member("line", .integer(Int64(position.line))),
                    Member("column", .integer(Int64(position.column))),
                ]
            }
            let text = [
                Member("code", .string(finding.code)),
                Member("severity", .string(finding.severity.rawValue)),
                Member("what", .string(finding.what)), Member("advice", .string(finding.advice)),
            ]
            return .object(text + (place ?? []))
        }
        return .object([
            Member("conform-lint", .integer(1)), Member("files", .array(files)),
            Member("findings", .array(findings)),
        ])
    }

    /// OASIS SARIF 2.1.0: one run, a rule for each code that occurs.
    private func sarif(_ root: String) -> Value {
        typealias Member = Value.Member
        func message(_ text: String) -> Value { .object([Member("text", .string(text))]) }
        let results = findings.map { finding -> Value in
            let location = finding.position.map { position -> Value in
                let file = AnnotatedCase.path(position.file, below: root)
                let region = Value.object([
                    Member("startLine", .integer(Int64(position.line))),
                    Member("startColumn", .integer(Int64(position.column))),
                ])
                let artifact = Value.object([Member("uri", .string(Self.address(file)))])
                let place = Value.object([
                    Member("artifactLocation", artifact), Member("region", region),
                ])
                return .object([Member("physicalLocation", place)])
            }
            return .object([
                Member("ruleId", .string(finding.code)),
                Member("level", .string(finding.severity == .error ? "error" : "warning")),
                Member("message", message(Self.message(finding))),
                Member("locations", .array(location.map { [$0] } ?? [])),
            ])
        }
        let rules = Set(findings.map(\.code)).sorted().map { code -> Value in
            .object([Member("id", .string(code))])
        }
        let driver = Value.object([
            Member("name", "conform"), Member("version", .string(ConformVersion.current)),
            Member("rules", .array(rules)),
        ])
        let run = Value.object([
            Member("tool", .object([Member("driver", driver)])),
            // Columns are counted as in the other forms: by characters.
            Member("columnKind", "unicodeCodePoints"), Member("results", .array(results)),
        ])
        return .object([
            Member("$schema", "https://json.schemastore.org/sarif-2.1.0.json"),
            Member("version", "2.1.0"), Member("runs", .array([run])),
        ])
    }

    /// Returns a path as a URI reference (RFC 3986): every byte that is not an unreserved character
    /// or a slash is escaped.
    private static func address(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "/-._~".contains(character)
            {
                text.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
