/// Collects problems in input files while they are read.
///
/// All readers of one load share one collector, so that all errors of a file are reported together.
/// It is confined to the load that created it.
public final class Findings {
    private var collected: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []
    /// The positions of the uses of fragments that are being read, the innermost first.
    ///
    /// Every finding is reported with them.
    package var uses: [SourcePosition] = []

    /// Creates a collector without findings.
    public init() {}

    /// Adds a finding unless the same finding has been added before.
    ///
    /// Two findings are the same if their texts are equal, even if they come from different uses of
    /// the same fragment.
    public func add(_ diagnostic: Diagnostic) {
        guard seen.insert(diagnostic).inserted else { return }
        var diagnostic = diagnostic
        if diagnostic.uses.isEmpty { diagnostic.uses = uses }
        collected.append(diagnostic)
        if diagnostic.severity == .error { errorCount += 1 }
    }

    /// Adds all findings of an error.
    public func add(_ error: InvalidInput) { error.diagnostics.forEach(add) }

    /// Adds an error with these parts.
    public func report(
        _ code: String, _ what: String, at position: SourcePosition?, advice: String = ""
    ) {
        add(Diagnostic(code, what, at: position, advice: advice))
    }

    /// Adds a warning with these parts.
    public func warn(
        _ code: String, _ what: String, at position: SourcePosition?, advice: String = ""
    ) {
        add(Diagnostic(code, what, at: position, advice: advice, severity: .warning))
    }

    /// All findings: those without a position first, then by file, line and column.
    public var diagnostics: [Diagnostic] {
        collected.enumerated().sorted { left, right in
            switch (left.element.position, right.element.position) {
            case (nil, nil): left.offset < right.offset
            case (nil, _): true
            case (_, nil): false
            case (let first?, let second?):
                first == second ? left.offset < right.offset : first < second
            }
        }.map(\.element)
    }

    /// Whether one of the findings prevents the input from being used.
    public var hasErrors: Bool { errorCount > 0 }

    /// The number of findings that are errors.
    public private(set) var errorCount = 0

    /// The number of findings, for `discard(from:)`.
    package var count: Int { collected.count }

    /// Discards the findings after the given number of findings.
    package func discard(from count: Int) {
        for diagnostic in collected[count...] {
            var bare = diagnostic
            bare.uses = []
            seen.remove(bare)
            if diagnostic.severity == .error { errorCount -= 1 }
        }
        collected.removeSubrange(count...)
    }

    /// The keys that readers have queried, by the names of the mappings' descriptions.
    package private(set) var keysAskedFor: [String: Set<String>] = [:]

    /// Records that a reader has queried these keys of a mapping.
    package func recordKeys(_ keys: [String], of mapping: String) {
        keysAskedFor[mapping, default: []].formUnion(keys)
    }

    /// Throws all findings, warnings included, if one of them is an error.
    public func throwErrors() throws(InvalidInput) {
        if hasErrors { throw InvalidInput(diagnostics) }
    }
}
