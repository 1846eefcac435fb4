/// A finding about an input file: where, what, why, and what to do.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How grave it is.
    public enum Severity: String, Sendable, Hashable {
        case error
        case warning
    }

    /// A stable code such as `unknown-key`, listed in the language reference.
    public var code: String
    /// How grave it is; an error keeps anything from running.
    public var severity: Severity
    /// Where it stands; `nil` if it is about a file as a whole that could not be opened.
    public var position: SourcePosition?
    /// What is wrong, as a phrase: `unknown key "withn"`.
    public var what: String
    /// What to do about it, as a phrase: `did you mean "within"?`; empty if there is nothing to say.
    public var advice: String
    /// Where the fragments are used that it stands in, the innermost first; empty elsewhere.
    public var uses: [SourcePosition] = []

    /// Makes a finding.
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

    /// `file:line:column: error: what; advice [code]`, for a fragment with `(used at ...)`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        let tail = advice.isEmpty ? "" : "; \(advice)"
        let used = uses.map { ", used at \($0)" }.joined().dropFirst(2)
        let origin = used.isEmpty ? "" : " (\(used))"
        return "\(place)\(severity.rawValue): \(what)\(origin)\(tail) [\(code)]"
    }
}

/// Input files that cannot be used, with everything that was found in them.
public struct InvalidInput: Error, Sendable, CustomStringConvertible {
    /// All findings, errors and warnings, in file order.
    public let diagnostics: [Diagnostic]

    /// Makes an error from its findings.
    public init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// One finding a line.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
