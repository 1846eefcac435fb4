import Results
import SuiteLanguage

/// A selection of cases.
public struct CaseSelection: Sendable {
    /// Only cases that one of these selects; empty for all.
    public var patterns: [CasePattern]
    /// Only cases with one of these tags, and without those after `!`; empty for all.
    public var tags: [String]
    /// Only cases that check one of these requirements; empty for all.
    public var requirements: [CasePattern]
    /// Only cases for requirements that are based on one of these; empty for all.
    public var bases: [RequirementBasis.Kind]
    /// Only these cases; `nil` for all.
    public var only: Set<CaseReference>?

    /// Creates a selection.
    public init(
        patterns: [CasePattern] = [], tags: [String] = [], requirements: [CasePattern] = [],
        bases: [RequirementBasis.Kind] = [], only: Set<CaseReference>? = nil
    ) {
        self.patterns = patterns
        self.tags = tags
        self.requirements = requirements
        self.only = only
        self.bases = bases
    }

    /// Whether the case is wanted.
    package func selects(_ testCase: TestCase, of suite: Suite) -> Bool {
        (patterns.isEmpty || patterns.contains { $0.selects(suite: suite.id, id: testCase.id) })
            && TagFilter.selects(testCase.tags, by: tags)
            && (requirements.isEmpty || checksWanted(testCase))
            && only?.contains(CaseReference(suite: suite.id, id: testCase.id)) != false
            && (bases.isEmpty || restsOnWanted(testCase, of: suite))
    }

    /// The ids of drawn runs of a suite that it names one by one.
    package func drawnIDs(of suite: Suite) -> [String] {
        let prefix = suite.id + "/"
        let written = patterns.map(\.description).map {
            $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
        }
        let listed = (only ?? []).filter { $0.suite == suite.id }.map(\.id).sorted()
        return (written + listed).filter { DrawnName($0) != nil }
    }

    private func checksWanted(_ testCase: TestCase) -> Bool {
        testCase.allChecks.contains { id in requirements.contains { $0.matches(id) } }
    }

    /// Whether all requirements of the case as a whole are based on the wanted bases.
    private func restsOnWanted(_ testCase: TestCase, of suite: Suite) -> Bool {
        let checks = testCase.checks.isEmpty ? testCase.allChecks : testCase.checks
        return checks.allSatisfy { id in
            suite.requirement(id)?.basis.map { bases.contains($0.kind) } ?? false
        }
    }
}
