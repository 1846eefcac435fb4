import Wire

/// The case of a drawn run, as nodes that a suite could contain.
struct DrawnCase {
    let exploration: Exploration
    let run: DrawnRun

    /// The case as a mapping of the suite language; its id is the one given.
    func node(id: String) -> YAMLNode {
        func text(_ text: String) -> YAMLNode {
            YAMLNode(.scalar(.string(text.escapingVariables)), at: exploration.position)
        }
        var entries = [entry("id", text(id)), entry("title", text(title))]
        var given = DrawSubstitution(exploration.givenDraws, run.given)
        for own in exploration.caseEntries {
            guard own.key == "given" else {
                entries.append(own)
                continue
            }
            if let value = given.filled(own.value) {
                entries.append(
                    YAMLNode.Entry(key: own.key, keyPosition: own.keyPosition, value: value))
            }
        }
        if !exploration.caseEntries.contains(where: { $0.key == "unexpected" }) {
            entries.append(entry("unexpected", text("allow")))
        }
        if !exploration.preamble.isEmpty {
            entries.append(
                entry("preamble", YAMLNode(.sequence(exploration.preamble), at: position)))
        }
        entries.append(entry("steps", YAMLNode(.sequence(steps), at: position)))
        return YAMLNode(.mapping(entries), at: position)
    }

    private var position: SourcePosition { exploration.position }

    private func entry(_ key: String, _ value: YAMLNode) -> YAMLNode.Entry {
        YAMLNode.Entry(key: key, keyPosition: value.position, value: value)
    }

    /// The title of the exploration, and what was drawn.
    var title: String {
        let drawn = Self.values(exploration.givenDraws, run.given).map { "given " + $0 }
        let acts = run.acts.map(text)
        return exploration.title + ": " + (drawn + acts).joined(separator: "; ")
    }

    /// The act with what was drawn: `other-head-unit (language: unsupported)`.
    func text(_ act: DrawnRun.Act) -> String {
        let kind = exploration.acts[act.act]
        let values = Self.values(kind.draws, act.choices)
        return kind.name + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")
    }

    private static func values(_ draws: [ExplorationDraw], _ choices: [UInt64]) -> [String] {
        zip(draws, choices).map { "\($0.label): \($0.name(of: $1))" }
    }

    private var steps: [YAMLNode] {
        var counts: [Int: Int] = [:]
        var steps = [exploration.firstRest]
        for (index, act) in run.acts.enumerated() {
            let kind = exploration.acts[act.act]
            var substitution = DrawSubstitution(kind.draws, act.choices)
            let filled = substitution.filled(kind.steps)
            let renaming = ActRenaming(filled, occurrence: counts[act.act, default: 0])
            counts[act.act, default: 0] += 1
            let note = "act \(index + 1): \(text(act))"
            steps += renaming.renamed(filled).map { noted($0, note) }
        }
        return steps
    }

    /// Returns a step whose note says which act it belongs to, before its own note.
    private func noted(_ step: YAMLNode, _ note: String) -> YAMLNode {
        guard let entries = step.entries, step["use"] == nil else { return step }
        let own = step["note"]?.string.map { ": " + $0 } ?? ""
        let text = YAMLNode(
            .scalar(.string(note.escapingVariables + own)), at: step.position)
        return YAMLNode(
            .mapping(entries.filter { $0.key != "note" } + [entry("note", text)]),
            at: step.position)
    }
}

/// What reads drawn cases outside the load of their suite.
struct DrawingSurroundings: Sendable {
    var protocols: ProtocolRegistry
    /// The protocols that the suite's own files describe.
    var described: [NamedProtocol]
    var values: [String: Value]
    var late: [String: ValueExpression]
    var missing: [String: Set<String>]
    var role: String
    var peers: [PeerDeclaration]
    var defaults: SuiteDefaults
    var ignore: [MessagePattern]
    var requirements: [String]
    var features: [String]
    var fragments: [String: Fragment]
    var parameters: [DeviceParameter]
    var missingParameters: Set<String>
    var bound: Set<String>

    init(_ context: CaseReader.SuiteContext) {
        protocols = context.scope.protocols
        described = context.scope.described?.own ?? []
        values = context.scope.values
        late = context.scope.late
        missing = context.scope.missing
        bound = context.scope.bound
        role = context.role
        peers = context.peers
        defaults = context.defaults
        ignore = context.ignore
        requirements = context.requirements.known
        features = context.features
        fragments = context.fragments
        parameters = context.parameters
        missingParameters = context.missing
    }

    /// The same parts of the suite, for a reader with these findings.
    func context(_ findings: Findings) -> CaseReader.SuiteContext {
        var scope = VariableScope(findings: findings, protocols: protocols)
        scope.described = DescribedProtocols(protocols: protocols, own: described, findings)
        (scope.values, scope.late, scope.missing) = (values, late, missing)
        scope.bound = bound
        return CaseReader.SuiteContext(
            scope: scope, role: role, peers: peers, defaults: defaults, ignore: ignore,
            requirements: RequirementNames(requirements, findings: findings), features: features,
            fragments: fragments, parameters: parameters, missing: missingParameters)
    }
}

extension Exploration {
    /// Returns the case of a run.
    ///
    /// - Throws: What is wrong with the case, if its acts do not go together.
    public func testCase(of run: DrawnRun) throws(InvalidInput) -> TestCase {
        let findings = Findings()
        guard let surroundings else { throw InvalidInput([]) }
        let reader = CaseReader(suite: surroundings.context(findings), isDrawn: true)
        let cases = reader.cases(DrawnCase(exploration: self, run: run).node(id: id))
        try findings.throwErrors()
        guard var drawn = cases.first else { throw InvalidInput(findings.diagnostics) }
        drawn.id = run.name.description
        drawn.drawn = run
        (drawn.rules, drawn.states) = (rules, states)
        drawn.timeout = max(drawn.timeout, timeout(of: drawn))
        return drawn
    }

    /// Returns the case of a run without the acts that do not fit, and those that need them.
    ///
    /// It is the whole run if that does not fit without its acts either.
    func testCase(
        of run: DrawnRun, fitting fits: (TestCase) -> Bool
    ) throws(InvalidInput) -> TestCase {
        let whole = try testCase(of: run)
        func fit(_ acts: [DrawnRun.Act]) -> Bool {
            var part = run
            part.acts = acts
            return (try? testCase(of: part)).map(fits) ?? false
        }
        guard !fits(whole), fit([]) else { return whole }
        var name = run.name
        name.acts = []
        var flags = model
        for (number, act) in zip(run.name.acts ?? run.acts.indices.map { $0 + 1 }, run.acts)
        where acts[act.act].isPossible(flags) && fit([act]) {
            name.acts?.append(number)
            flags = acts[act.act].flags(after: flags)
        }
        guard var rest = self.run(named: name) else { return whole }
        rest.isFitted = true
        return try testCase(of: rest)
    }

    /// A time in which the case certainly ends by itself, because each of its steps does.
    private func timeout(of testCase: TestCase) -> Duration {
        let steps = (testCase.preamble + testCase.steps).plain
        return steps.reduce(.seconds(30)) { sum, step in
            let length = Duration.seconds(step.verb.leastSeconds)
            return sum + max(length, step.within) + (step.at ?? step.after ?? .zero)
        }
    }

    /// Returns what each act of a run is, with what was drawn.
    public func texts(of run: DrawnRun) -> [String] {
        let drawn = DrawnCase(exploration: self, run: run)
        return run.acts.map(drawn.text)
    }

    /// Returns the run as a case that can be put into a suite.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - id: The id of the case.
    ///   - checks: Requirements that the case checks; those of the exploration if it has any.
    public func suiteText(of run: DrawnRun, id: String, checks: [String]) -> String {
        let node = DrawnCase(exploration: self, run: run).node(id: id)
        var lines: [String] = []
        for entry in node.entries ?? [] {
            let name = Value.string(entry.key).suiteText
            let start = lines.isEmpty ? "  - " : "    "
            if let elements = entry.value.elements, ["steps", "preamble"].contains(entry.key) {
                lines.append("\(start)\(name):")
                lines += elements.map { "      - \($0.value.suiteText)" }
            } else if entry.key == "given", let parties = entry.value.entries, !parties.isEmpty {
                lines.append("\(start)\(name):")
                lines += parties.map {
                    "      \(Value.string($0.key).suiteText): \($0.value.value.suiteText)"
                }
            } else {
                lines.append("\(start)\(name): \(entry.value.value.suiteText)")
            }
            if entry.key == "title", node["checks"] == nil, !checks.isEmpty {
                let names = checks.map { Value.string($0).suiteText }.joined(separator: ", ")
                lines.append("    checks: [\(names)]")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Suite {
    /// Returns the case of that id: one of its cases, or the case of a drawn run.
    ///
    /// - Throws: What is wrong with a drawn case, if its acts do not go together.
    public func testCase(_ id: String) throws(InvalidInput) -> TestCase? {
        if let known = cases.first(where: { $0.id == id }) { return known }
        guard let name = DrawnName(id),
            let exploration = explorations.first(where: { $0.id == name.exploration }),
            let run = exploration.run(named: name)
        else { return nil }
        return try exploration.testCase(of: run)
    }

    /// Returns the suite with drawn cases after its own.
    ///
    /// - Parameters:
    ///   - seed: The seed of the runs.
    ///   - count: How many runs each exploration has; `nil` for as many as it says itself.
    ///   - further: Ids of further drawn runs.
    ///   - fits: Whether the device can do what a case demands of it. A run is without the acts that
    ///     the device cannot do.
    public func drawing(
        seed: UInt64, count: Int?, further: [String] = [], fits: (TestCase) -> Bool = { _ in true }
    ) throws(InvalidInput) -> Suite {
        guard !explorations.isEmpty else { return self }
        var suite = self
        var ids = Set(suite.cases.map(\.id))
        for exploration in explorations {
            let runs =
                exploration.runs(seed: seed, count: count ?? exploration.quick)
                + further.compactMap { DrawnName($0).flatMap(exploration.run) }
            for run in runs {
                let drawn = try exploration.testCase(of: run, fitting: fits)
                if ids.insert(drawn.id).inserted { suite.cases.append(drawn) }
            }
        }
        return suite
    }
}
