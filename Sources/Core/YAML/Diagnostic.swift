/// A finding about an input file: the position, the problem, the reason, and the remedy.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable {
        case error
        case warning
    }

    /// A stable code such as `unknown-key`, listed in the language reference.
    public var code: String
    /// The severity; an error prevents any run.
    public var severity: Severity
    /// The position; `nil` if the finding is about a whole file that could not be opened.
    public var position: SourcePosition?
    /// The problem, as a phrase: `unknown key "withn"`.
    public var what: String
    /// The remedy, as a phrase: `did you mean "within"?`; empty if there is none.
    public var advice: String
    /// The positions of the uses of fragments that contain it, the innermost first; empty
    /// elsewhere.
    public var uses: [SourcePosition] = []

    /// Creates a finding.
    public init(
        _ code: String, _ what: String, at position: SourcePosition?, advice: String = "",
        severity: Severity = .error
    ) {
        self.code = code
        self.severity = severity
        self.position = position
        self.what = what
        self.advice = advice
    }

    /// The text `file:line:column: error: what; advice [code]`; fragments add `(used at ...)`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        let tail = advice.isEmpty ? "" : "; \(advice)"
        let used = uses.map { ", used at \($0)" }.joined().dropFirst(2)
        let origin = used.isEmpty ? "" : " (\(used))"
        return "\(place)\(severity.rawValue): \(what)\(origin)\(tail) [\(code)]"
    }
}

/// An error for input files that cannot be used, with all findings.
public struct InvalidInput: Error, Sendable, CustomStringConvertible {
    /// All findings, errors and warnings, in file order.
    public let diagnostics: [Diagnostic]

    /// Creates an error from its findings.
    public init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// The findings, one on each line.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
