import Wire

/// Reads `state` and `rules` of suites and included files.
struct RuleReader {
    let suite: CaseReader.SuiteContext
    /// The states that rules may read.
    var states: [StateVariable] = []

    /// The longest time that an instance of a rule may last; it ends with its scope.
    private static let forEver = Duration.seconds(1000 * 86_400)
    /// What a rule knows of the message that started it.
    private static let ofTrigger: Set<String> = ["trigger", "request", Rule.now]
    /// What an update knows of its message.
    private static let ofUpdate: Set<String> = ["message", "request", Rule.now]

    private var findings: Findings { suite.scope.findings }
    private var peers: [String] { suite.peers.map(\.name) }

    /// Returns the scope in which further names have values when messages are judged.
    private func scope(adding names: Set<String>) -> VariableScope {
        var scope = suite.scope
        scope.uses = VariableScope.UseLog()
        scope.bound.formUnion(names.union(peers).union([Step.device]))
        return scope
    }

    private func patterns(_ scope: VariableScope) -> PatternReader {
        PatternReader(
            scope: scope, peers: peers, described: suite.peers.compactMap(\.described))
    }

    // MARK: state

    /// Reads the states by name; the scope must know all of their names.
    func readStates(_ entries: [YAMLNode.Entry]) -> [StateVariable] {
        let states: [StateVariable] = entries.compactMap { entry in
            guard var reader = suite.scope.mapping(entry.value, as: SuiteVocabulary.state)
            else { return nil }
            let per = scopeName(in: &reader)
            let initial = scope(adding: [])
            let starts = reader.entry("starts").flatMap {
                ValueReader(scope: initial, misfit: .irregular)
                    .expression($0.value, type: nil, name: "starts")
            }
            reader.require("on")
            let node = reader.node("on")
            reader.finish()
            let nodes = node?.elements ?? node.map { [$0] } ?? []
            let updating = scope(adding: Self.ofUpdate)
            let updates = nodes.compactMap { update($0, updating) }
            record(initial, updating)
            var state = StateVariable(
                name: entry.key, scope: per, starts: starts ?? .literal(.null), updates: updates,
                position: entry.keyPosition)
            state.reads = updating.uses.names
            state.readsConfiguration =
                state.reads.union(initial.uses.names).contains(Step.device)
            return state
        }
        return Self.spreadingConfiguration(over: states)
    }

    /// Returns states of which each depends on the configuration if one that it reads does.
    private static func spreadingConfiguration(over states: [StateVariable]) -> [StateVariable] {
        var states = states
        for _ in states.indices {
            let names = Set(states.filter(\.readsConfiguration).map(\.name))
            for index in states.indices where !states[index].reads.isDisjoint(with: names) {
                states[index].readsConfiguration = true
            }
        }
        return states
    }

    private func scopeName(in reader: inout YAMLMappingReader) -> RuleScope {
        reader.word("per", of: RuleScope.allCases.map(\.rawValue)).flatMap(RuleScope.init)
            ?? .trace
    }

    private func update(_ node: YAMLNode, _ scope: VariableScope) -> StateUpdate? {
        guard var reader = suite.scope.mapping(node, as: SuiteVocabulary.stateUpdate)
        else { return nil }
        let pattern = patterns(scope).pattern(in: &reader)
        let operations = StateUpdate.Operation.allCases.compactMap { operation in
            reader.entry(operation.rawValue).map { (operation, $0) }
        }
        reader.finish()
        guard operations.count == 1, let (operation, entry) = operations.first else {
            findings.report(
                "bad-update", "this update does \(operations.count) things with the state",
                at: node.position,
                advice: "write one of "
                    + StateUpdate.Operation.allCases.map(\.rawValue).joined(separator: ", "))
            return nil
        }
        let value = ValueReader(scope: scope, misfit: .irregular)
            .expression(entry.value, type: nil, name: operation.rawValue)
        guard let pattern, let value else { return nil }
        return StateUpdate(pattern: pattern, operation: operation, value: value)
    }

    /// Passes on which names were used.
    private func record(_ scopes: VariableScope...) {
        for scope in scopes { suite.scope.uses.names.formUnion(scope.uses.names) }
    }

    // MARK: rules

    /// Reads one rule; `nil`, after a report, if it cannot be used.
    ///
    /// A rule that needs a parameter without a value is left out.
    func read(_ node: YAMLNode) -> Rule? {
        guard var reader = suite.scope.mapping(node, as: SuiteVocabulary.rule) else { return nil }
        let (findingCount, errorCount) = (findings.count, findings.errorCount)
        reader.require("id")
        let id = reader.text("id") ?? ""
        if let position = reader.node("id")?.position, !PlainName.isValid(id) {
            findings.report(
                "bad-name", "\"\(id)\" cannot be the id of a rule", at: position,
                advice: PlainName.advice)
        }
        reader.require("whenever", advice: "write a message, or beginning")
        let isAtBeginning = reader.node("whenever")?.string == Self.beginning
        let scope = scope(adding: isAtBeginning ? [Rule.now] : Self.ofTrigger)
        let patterns = patterns(scope)
        let trigger = isAtBeginning ? nil : pattern(reader.entry("whenever")?.value, patterns)
        var judged = TestCase(
            id: id, title: reader.text("title") ?? id, position: node.position,
            checks: suite.requirements.check(reader.texts("checks") ?? []), peers: suite.peers,
            steps: [], unexpected: .allow, quiet: .zero, timeout: Self.forEver,
            known: KnownMessages(scope.protocols, scope.described?.own ?? []))
        judged.kind = .rule
        judged.tolerance = suite.defaults.tolerance
        var rule = Rule(
            id: id, title: judged.title, needs: CaseReader(suite: suite).needs(in: &reader),
            scope: scopeName(in: &reader), trigger: trigger, testCase: judged)
        rule.quiet = reader.duration("quiet") ?? rule.quiet
        rule.conditions = conditions("if", in: &reader, scope)
        rule.holds = conditions("holds", in: &reader, scope)
        rule.atRest = conditions("atRest", in: &reader, scope)
        rule.until = (reader.list("until") ?? []).compactMap { pattern($0, patterns) }
        sequence(&rule, &reader, scope)
        reader.finish()
        record(scope)
        suite.scope.uses.fragments.formUnion(scope.uses.fragments)
        guard scope.uses.missing.isEmpty else {
            findings.discard(from: findingCount)
            return nil
        }
        rule.reads = scope.uses.names.intersection(states.map(\.name))
        rule.readsRequest =
            scope.uses.names.contains("request")
            || states.contains { rule.reads.contains($0.name) && $0.reads.contains("request") }
        rule.readsConfiguration =
            scope.uses.names.contains(Step.device)
            || states.contains { rule.reads.contains($0.name) && $0.readsConfiguration }
        if findings.errorCount == errorCount { check(rule) }
        return findings.errorCount == errorCount && (isAtBeginning || trigger != nil) ? rule : nil
    }

    private static let beginning = "beginning"

    private func pattern(_ node: YAMLNode?, _ patterns: PatternReader) -> MessagePattern? {
        node.flatMap { patterns.rule($0, as: SuiteVocabulary.ignoreRule)?.pattern }
    }

    /// Reads conditions on computed values: a mapping of expressions and matchers.
    private func conditions(
        _ key: String, in reader: inout YAMLMappingReader, _ scope: VariableScope
    ) -> [ValueCondition] {
        (reader.mapping(key) ?? []).compactMap { entry in
            guard let value = value(entry, scope),
                let matcher = MatcherReader(scope: scope).matcher(
                    entry.value, type: nil, name: entry.key)
            else { return nil }
            return ValueCondition(value: value, matcher: matcher, position: entry.keyPosition)
        }
    }

    /// Reads the key of a condition: an expression, with or without `${` and `}`.
    private func value(_ entry: YAMLNode.Entry, _ scope: VariableScope) -> ValueExpression? {
        let text = entry.key.hasPrefix("${") ? entry.key : "${\(entry.key)}"
        return ValueReader(scope: scope, misfit: .irregular).expression(
            YAMLNode(.scalar(.string(text)), at: entry.keyPosition), type: nil, name: entry.key)
    }

    /// Reads what is judged from the trigger on.
    private func sequence(
        _ rule: inout Rule, _ reader: inout YAMLMappingReader, _ scope: VariableScope
    ) {
        let nodes = reader.list("then") ?? []
        var steps = StepReader(scope: scope, suite: suite, nodes: nodes)
        rule.testCase.steps = steps.steps(nodes)
        var everything = steps.scope
        everything.saved.formUnion(steps.everSaved)
        let patterns = patterns(everything)
        for node in reader.list("never") ?? [] {
            guard let never = patterns.rule(node, as: SuiteVocabulary.neverRule) else { continue }
            let ids = rule.testCase.steps.plain.compactMap(\.id)
            rule.testCase.never.append(never.never(ids: ids, suite.requirements, findings))
        }
        rule.testCase.isQuietToTheEnd =
            !rule.testCase.never.isEmpty || !rule.atRest.isEmpty || !rule.holds.isEmpty
    }

    // MARK: lint

    private func check(_ rule: Rule) {
        let judged = rule.testCase
        if judged.allChecks.isEmpty {
            findings.report(
                "no-checks", "this rule judges no requirement", at: rule.position,
                advice: "add \"checks\" with the requirements that it states")
        }
        for step in judged.steps.plain where step.isAct {
            findings.report(
                "rule-acts", "a rule only watches, it does not act", at: step.position,
                advice: "act in a case or in an exploration")
        }
        for state in states where rule.reads.contains(state.name) {
            guard !rule.scope.canRead(state.scope) else { continue }
            findings.report(
                "state-scope",
                "\"\(state.name)\" is kept per \(state.scope.rawValue), and this rule is per "
                    + rule.scope.rawValue, at: rule.position,
                advice: "write per: \(state.scope.rawValue)")
        }
        let demands = judged.steps.plain.contains { $0.demandsOfDevice(in: judged) }
        if !demands || judged.steps.canBeEmpty, judged.never.isEmpty, rule.atRest.isEmpty,
            rule.holds.isEmpty
        {
            findings.report(
                "cannot-fail", "nothing that the device does can break this rule",
                at: rule.position,
                advice:
                    "expect something of the device in \"then\", or add \"never\", \"holds\" or \"atRest\""
            )
            return
        }
        AmbiguityCheck(judged).report(to: findings)
        CaseLint(judged, suite).report(to: findings)
    }
}

extension Step {
    /// Whether the harness executes it.
    fileprivate var isAct: Bool {
        switch verb {
        case .send, .sendBytes, .perform: true
        default: false
        }
    }

    /// Whether the device can fail it.
    func demandsOfDevice(in testCase: TestCase) -> Bool {
        switch verb {
        case .expect, .lost, .backoff: testCase.isDevice(from)
        case .collect(let items, _):
            items.contains { testCase.isDevice($0.pattern.from ?? Step.device) }
        default: false
        }
    }
}
