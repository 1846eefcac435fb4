import Wire

/// Reads the entries of `explore`, and checks each act as a case of its own.
struct ExplorationReader {
    let suite: CaseReader.SuiteContext
    let classes: ClassReader

    private var findings: Findings { suite.scope.findings }

    /// Reads an exploration; `nil`, after a report, if it cannot be used.
    func read(_ node: YAMLNode) -> Exploration? {
        guard var reader = suite.scope.mapping(node, as: SuiteVocabulary.exploration)
        else { return nil }
        let errors = findings.errorCount
        let id = id(in: &reader)
        let title = reader.text("title")
        reader.require("acts")
        let rest = rest(in: &reader)
        let acts = (reader.mapping("acts") ?? []).compactMap { act($0, rest: rest) }
        if let entry = reader.entry("acts"), let entries = entry.value.entries,
            !(1...Exploration.Limits.acts).contains(entries.count)
        {
            findings.report(
                "bad-value",
                "an exploration has 1 to \(Exploration.Limits.acts) acts, not \(entries.count)",
                at: entry.keyPosition)
        }
        let given = reader.entry("given")?.value
        let quick = reader.integer("quick", in: 0...Int64(Exploration.Limits.quick)) ?? 8
        let length = length(in: &reader)
        let model = flags(&reader, "model").reduce(into: [String: Value]()) {
            $0[$1.flag] = $1.value
        }
        let preamble = reader.list("preamble") ?? []
        for key in SuiteVocabulary.caseKeysOfExploration { _ = reader.entry(key) }
        reader.finish()
        guard let id, findings.errorCount == errors else { return nil }
        let own = SuiteVocabulary.caseKeysOfExploration
        var exploration = Exploration(
            id: id, title: title ?? id, position: node.position, acts: acts,
            givenDraws: given.map { classes.draws(in: $0, under: "given") } ?? [],
            length: length, quick: Int(quick), model: model,
            caseEntries: reader.entries.filter { own.contains($0.key) }, preamble: preamble,
            firstRest: rest.first)
        guard findings.errorCount == errors else { return nil }
        checkModel(exploration)
        exploration.lastWatch = check(exploration)
        guard findings.errorCount == errors else { return nil }
        exploration.surroundings = DrawingSurroundings(suite)
        return exploration
    }

    private func id(in reader: inout YAMLMappingReader) -> String? {
        reader.require("id")
        guard let entry = reader.entry("id"), let id = reader.text("id") else { return nil }
        if PlainName.isValid(id) { return id }
        findings.report(
            "bad-name", "\"\(id)\" cannot be the id of an exploration",
            at: entry.value.position, advice: PlainName.advice)
        return nil
    }

    private func length(in reader: inout YAMLMappingReader) -> ClosedRange<Int> {
        guard let node = reader.node("length") else { return 2...8 }
        let limit = 1...Exploration.Limits.length
        if case .scalar(.integer(let number)) = node.content, let count = Int(exactly: number),
            limit.contains(count)
        {
            return count...count
        }
        let parts = (node.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, parts[1].isEmpty, let least = Int(parts[0]), let most = Int(parts[2]),
            least <= most, limit.contains(least), limit.contains(most)
        {
            return least...most
        }
        findings.report(
            "bad-value", "\"length\" cannot be \(node.value.suiteText)", at: node.position,
            advice: "write a number of acts from 1 to \(limit.upperBound), or 2..8")
        return 2...8
    }

    // MARK: acts

    /// The steps that wait until the device is silent.
    private struct Rest {
        var first: YAMLNode
        /// The step after each act, which may contain a draw.
        var between: YAMLNode
        var limit: YAMLNode
    }

    private func rest(in reader: inout YAMLMappingReader) -> Rest {
        func node(_ text: String, _ position: SourcePosition) -> YAMLNode {
            YAMLNode(.scalar(.string(text)), at: position)
        }
        let usual = reader.entry("settle")?.value ?? node("1s", reader.position)
        let limit = reader.entry("settleMax")?.value ?? node("10s", reader.position)
        let draws = classes.draws(in: usual, under: "settle")
        var substitution = DrawSubstitution(draws, draws.map(\.plainest))
        let plain = substitution.filled(usual) ?? usual
        return Rest(
            first: Self.rest(plain, limit), between: Self.rest(usual, limit), limit: limit)
    }

    /// Returns the step that waits until the device has been silent, or until a limit.
    private static func rest(_ quiet: YAMLNode, _ limit: YAMLNode) -> YAMLNode {
        func entry(_ key: String, _ value: YAMLNode) -> YAMLNode.Entry {
            YAMLNode.Entry(key: key, keyPosition: value.position, value: value)
        }
        return YAMLNode(
            .mapping([
                entry("collect", YAMLNode(.sequence([]), at: quiet.position)),
                entry("quiet", quiet), entry("within", limit),
            ]), at: quiet.position)
    }

    private func act(_ entry: YAMLNode.Entry, rest: Rest) -> ExplorationAct? {
        guard PlainName.isValid(entry.key) else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of an act",
                at: entry.keyPosition, advice: PlainName.advice)
            return nil
        }
        guard var reader = suite.scope.mapping(entry.value, as: SuiteVocabulary.explorationAct)
        else { return nil }
        var steps: [YAMLNode] = []
        if let action = reader.entry("do") {
            steps = [YAMLNode(.mapping([action]), at: action.keyPosition)]
            if let other = reader.entry("steps") {
                findings.report(
                    "two-verbs", "\"steps\" together with \"do\"", at: other.keyPosition,
                    advice: "make the action one of the steps")
            }
        } else if let entry = reader.entry("steps") {
            steps = reader.list("steps") ?? []
            if steps.isEmpty {
                findings.report("empty-steps", "this act has no steps", at: entry.keyPosition)
            }
        } else {
            findings.report(
                "missing-key", "this act has no \"do\" and no \"steps\"", at: entry.keyPosition)
        }
        let weight = reader.integer("weight", in: 1...1_000) ?? 1
        let when = flags(&reader, "when", allowsLists: true)
        let sets = flags(&reader, "sets")
        let own = reader.entry("settle")?.value
        steps.append(own.map { Self.rest($0, rest.limit) } ?? rest.between)
        reader.finish()
        return ExplorationAct(
            name: entry.key, position: entry.keyPosition, weight: Int(weight),
            when: when.map { ($0.flag, $0.value.arrayValue ?? [$0.value]) },
            sets: sets.map { ($0.flag, $0.value) },
            draws: steps.flatMap { classes.draws(in: $0, under: "") }, steps: steps)
    }

    /// Reads the flags of the model under a key.
    private func flags(
        _ reader: inout YAMLMappingReader, _ key: String, allowsLists: Bool = false
    ) -> [(flag: String, value: Value, position: SourcePosition)] {
        (reader.mapping(key) ?? []).compactMap { entry in
            guard findings.checkName(entry, of: "a flag") else { return nil }
            guard let value = suite.scope.value(entry.value) else { return nil }
            let parts = allowsLists ? value.arrayValue ?? [value] : [value]
            let isPlain = parts.allSatisfy {
                $0.objectValue == nil && $0.arrayValue == nil && $0 != .null
            }
            guard isPlain, !parts.isEmpty else {
                findings.report(
                    "wrong-type", "a flag is true, false, a number or text",
                    at: entry.value.position)
                return nil
            }
            return (entry.key, value, entry.keyPosition)
        }
    }

    // MARK: checks

    /// Reports conditions on flags that nothing sets, and acts that can never be done.
    private func checkModel(_ exploration: Exploration) {
        let known = Set(exploration.model.keys)
            .union(exploration.acts.flatMap { $0.sets.map(\.flag) })
        for act in exploration.acts {
            for condition in act.when where !known.contains(condition.flag) {
                findings.report(
                    "unknown-flag", "nothing sets the flag \"\(condition.flag)\"",
                    at: act.position,
                    advice: Suggestion.advice(for: condition.flag, in: known.sorted()))
            }
        }
        let graph = ActGraph(exploration)
        guard graph.isComplete else {
            findings.report(
                "too-many-states",
                "the flags of this exploration have more than \(Exploration.Limits.states) states",
                at: exploration.position, advice: "keep what the conditions of acts need")
            return
        }
        let possible = Set(graph.pairs.map(\.second))
        for (index, act) in exploration.acts.enumerated() where !possible.contains(index) {
            findings.warn(
                "impossible-act", "the act \"\(act.name)\" is never possible", at: act.position,
                advice: "correct its \"when\", or the \"sets\" of the others")
        }
    }

    /// Reads each act with each of its values as the only act of a run, and so reports what is
    /// wrong with it.
    ///
    /// - Returns: The longest time that a run watches a silent device after an act.
    private func check(_ exploration: Exploration) -> Duration {
        var watch = Duration.zero
        let reader = CaseReader(suite: suite, isDrawn: true)
        var isFirst = true
        func check(_ acts: [Int], round: Int) {
            func choices(_ draws: [ExplorationDraw]) -> [UInt64] {
                draws.map { $0.covering[round % $0.covering.count] }
            }
            let run = DrawnRun(
                name: DrawnName(exploration: exploration.id, seed: 0, number: 1),
                given: choices(exploration.givenDraws),
                acts: acts.map {
                    DrawnRun.Act(act: $0, choices: choices(exploration.acts[$0].draws))
                })
            let count = findings.count
            let errors = findings.errorCount
            let cases = reader.cases(
                DrawnCase(exploration: exploration, run: run).node(id: exploration.id))
            // The first step precedes the act.
            for drawn in cases where !acts.isEmpty {
                let steps = drawn.steps.dropFirst().flatMap { [$0].plain }
                watch = max(watch, steps.reduce(drawn.quiet) { $0 + $1.lengthOfSilence })
            }
            // The same warnings for each act would be about parts that all share.
            if !isFirst, findings.errorCount == errors { findings.discard(from: count) }
            isFirst = false
        }
        // What is derived from a description needs no check of each value.
        func rounds(_ draws: [ExplorationDraw]) -> Int {
            draws.map { $0.isDerived ? 1 : $0.covering.count }.max() ?? 1
        }
        for round in 0..<rounds(exploration.givenDraws) { check([], round: round) }
        for (index, act) in exploration.acts.enumerated() {
            for round in 0..<rounds(act.draws) { check([index], round: round) }
        }
        return watch
    }
}

extension Step {
    /// How long it waits for a device that says nothing.
    fileprivate var lengthOfSilence: Duration {
        let start = at ?? after ?? .zero
        return switch verb {
        case .expect: max(start, within)
        default: start + .seconds(verb.leastSeconds)
        }
    }
}

extension Exploration {
    /// Warns of rules whose failure after the last act of a run is never seen.
    func checkWatch(of rules: [Rule], _ findings: Findings) {
        for rule in rules {
            guard let owed = rule.testCase.steps.first, case .expect = owed.verb,
                owed.within > lastWatch
            else { continue }
            findings.warn(
                "short-watch",
                "a run ends \(lastWatch.suiteText) after its last act or earlier, and the rule "
                    + "\"\(rule.id)\" allows \(owed.within.suiteText): what it demands then is not "
                    + "judged",
                at: position, advice: "write a longer \"quiet\"")
        }
    }
}
