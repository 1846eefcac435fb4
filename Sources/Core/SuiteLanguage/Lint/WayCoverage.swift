/// The cases that would detect each way of breaking each requirement, from the suites' catalogues.
public struct WayCoverage: Sendable {
    /// The requirements in catalogue order, without duplicates.
    public private(set) var rows: [Row] = []
    /// Ways without a case, and patterns that select no case that checks the requirement.
    public private(set) var findings: [Diagnostic] = []

    /// The coverage of one requirement.
    public struct Row: Sendable {
        /// The requirement.
        public var requirement: Requirement
        /// The ways of breaking it, in catalogue order.
        public var ways: [Way]
        /// The rules that judge it, as `suite/rule`.
        public var rules: [String]
    }

    /// One way of breaking a requirement, with the cases that would detect it.
    public struct Way: Sendable {
        /// The way, as a phrase.
        public var text: String
        /// The cases, as `suite/case`, with `(rule)` or `(exploration)` after those.
        public var cases: [String]
        /// Patterns for suites that are not loaded.
        public var elsewhere: [String]

        /// Whether no case would detect it.
        public var isOpen: Bool { cases.isEmpty && elsewhere.isEmpty }
    }

    /// Finds the matching cases in the suites.
    public init(suites: [Suite]) {
        var seen: Set<String> = []
        for requirement in suites.flatMap(\.requirements)
        where seen.insert(requirement.id).inserted {
            let known = suites.lazy.compactMap { $0.ways[requirement.id] }.first ?? []
            let ways = known.map { way(requirement, $0, suites) }
            let rules = suites.flatMap { suite in
                suite.rules.filter { $0.checks.contains(requirement.id) }
                    .map { "\(suite.id)/\($0.id)" }
            }
            rows.append(Row(requirement: requirement, ways: ways, rules: rules))
        }
    }

    private mutating func way(
        _ requirement: Requirement, _ way: RequirementWay, _ suites: [Suite]
    ) -> Way {
        var result = Way(text: way.text, cases: [], elsewhere: [])
        for text in way.cases {
            guard suites.contains(where: { text.hasPrefix("\($0.id)/") }) else {
                result.elsewhere.append(text)
                continue
            }
            let pattern = CasePattern(text)
            let found = suites.flatMap { suite in
                suite.judges(of: requirement.id).filter {
                    pattern.selects(suite: suite.id, id: $0.id)
                }
                .map { "\(suite.id)/\($0.id)\($0.kind)" }
            }
            if found.isEmpty {
                let names = suites.flatMap { suite in
                    suite.judges(of: requirement.id).map { "\(suite.id)/\($0.id)" }
                }
                let near = Suggestion.closest(to: text, in: names)
                findings.append(
                    Diagnostic(
                        "idle-way",
                        "no case or rule that checks \(requirement.id) matches \"\(text)\"",
                        at: way.position,
                        advice: near.map { "did you mean \"\($0)\"?" }
                            ?? "conform list shows the cases"))
            }
            result.cases += found.filter { !result.cases.contains($0) }
        }
        if way.cases.isEmpty {
            findings.append(
                Diagnostic(
                    "open-way",
                    "no case would notice this way of breaking \(requirement.id): \(way.text)",
                    at: way.position, advice: "write a case, and name it here"))
        }
        return result
    }
}

extension Suite {
    /// What judges a requirement: cases, rules, and the explorations in which it is judged.
    fileprivate func judges(of requirement: String) -> [(id: String, kind: String)] {
        let rules = rules.filter { $0.checks.contains(requirement) }
        return cases.filter { $0.allChecks.contains(requirement) }.map { ($0.id, "") }
            + rules.map { ($0.id, " (rule)") }
            + explorations.filter { !rules.isEmpty || $0.checks.contains(requirement) }
            .map { ($0.id, " (exploration)") }
    }
}
