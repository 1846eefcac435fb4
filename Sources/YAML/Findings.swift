/// Collects what is found wrong in input files while they are read.
///
/// All readers of one load share one collector, so that a file's errors come out together. It is
/// confined to the load that made it.
public final class Findings {
    private var collected: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []
    /// Where the fragments are used that are read at present, the innermost first; every finding
    /// is told with them.
    package var uses: [SourcePosition] = []

    /// Makes a collector without findings.
    public init() {}

    /// Adds a finding; one that is there already, to the letter, is not added again, also if
    /// another use of the same fragment shows it.
    public func add(_ diagnostic: Diagnostic) {
        guard seen.insert(diagnostic).inserted else { return }
        var diagnostic = diagnostic
        if diagnostic.uses.isEmpty { diagnostic.uses = uses }
        collected.append(diagnostic)
        if diagnostic.severity == .error { errorCount += 1 }
    }

    /// Adds every finding of an error.
    public func add(_ error: InvalidInput) { error.diagnostics.forEach(add) }

    /// Adds an error with its parts.
    public func report(
        _ code: String, _ what: String, at position: SourcePosition?, advice: String = ""
    ) {
        add(Diagnostic(code, what, at: position, advice: advice))
    }

    /// Adds a warning with its parts.
    public func warn(
        _ code: String, _ what: String, at position: SourcePosition?, advice: String = ""
    ) {
        add(Diagnostic(code, what, at: position, advice: advice, severity: .warning))
    }

    /// Every finding, those without a position first, then by file, line and column.
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

    /// Whether one of the findings keeps the input from being used.
    public var hasErrors: Bool { errorCount > 0 }

    /// How many of the findings are errors.
    public private(set) var errorCount = 0

    /// How many findings there are, for `discard(from:)`.
    package var count: Int { collected.count }

    /// Forgets the findings behind the first so many.
    package func discard(from count: Int) {
        for diagnostic in collected[count...] {
            var bare = diagnostic
            bare.uses = []
            seen.remove(bare)
            if diagnostic.severity == .error { errorCount -= 1 }
        }
        collected.removeSubrange(count...)
    }

    /// The keys that readers have asked for, by the names of the mappings' descriptions.
    package private(set) var keysAskedFor: [String: Set<String>] = [:]

    /// Notes that a reader has asked for these keys of a mapping.
    package func noteKeys(_ keys: [String], of mapping: String) {
        keysAskedFor[mapping, default: []].formUnion(keys)
    }

    /// Throws all findings, warnings included, if one of them is an error.
    public func throwErrors() throws(InvalidInput) {
        if hasErrors { throw InvalidInput(diagnostics) }
    }
}
