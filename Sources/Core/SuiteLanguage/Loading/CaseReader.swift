import Wire

/// Reads one entry of `cases`: one case for each combination of its matrix.
struct CaseReader {
    /// The parts of the suite that apply to all of its cases.
    struct SuiteContext {
        var scope: VariableScope
        /// The kind of device that the suite is for.
        var role: String
        var peers: [PeerDeclaration]
        var defaults: SuiteDefaults
        var ignore: [MessagePattern]
        var requirements: RequirementNames
        var features: [String]
        var fragments: [String: Fragment] = [:]
        var parameters: [DeviceParameter] = []
        /// Parameters without a value that every case needs.
        var missing: Set<String> = []
        /// The states of the suite.
        var states: [StateVariable] = []
        /// Whether these parts could be read; otherwise nothing is said of what a case lacks.
        var isSound = true
    }

    /// The maximum number of combinations of one `each`.
    static let matrixLimit = 10_000

    let suite: SuiteContext
    /// Whether the cases are drawn: these need not judge anything by themselves.
    var isDrawn = false

    private var findings: Findings { suite.scope.findings }

    /// Reads the instances of a case; returns none, after a report, if one of them has an error.
    func cases(_ node: YAMLNode) -> [TestCase] {
        guard var reader = suite.scope.mapping(node, as: SuiteVocabulary.testCase)
        else { return [] }
        let matrix = MatrixReader(scope: suite.scope)
        let axes = matrix.axes(&reader)
        let combinations = matrix.combinations(axes, &reader)
        var scope = suite.scope
        scope.uses = VariableScope.UseLog()
        scope.uses.missing = suite.scope.uses.missing
        suite.scope.uses.missing = []
        var cases: [TestCase] = []
        for values in combinations {
            scope.values = suite.scope.values
            for value in values { scope.values[value.name] = value.value }
            let errors = findings.errorCount
            if let instance = instance(node, values, scope) { cases.append(instance) }
            guard findings.errorCount == errors else { return [] }
        }
        if scope.uses.missing.isEmpty, !cases.isEmpty { warnOfUnused(axes, in: scope.uses) }
        for state in suite.states where scope.uses.names.contains(state.name) {
            guard state.scope != .trace else { continue }
            findings.report(
                "state-scope",
                "\"\(state.name)\" is kept per \(state.scope.rawValue), and a case is judged on the "
                    + "whole trace", at: node.position, advice: "read it in a rule")
        }
        let states = scope.uses.names.intersection(suite.states.map(\.name))
        for index in cases.indices { cases[index].statesRead = states }
        suite.scope.uses.names.formUnion(scope.uses.names)
        suite.scope.uses.fragments.formUnion(scope.uses.fragments)
        return cases
    }

    private func instance(
        _ node: YAMLNode, _ values: [Value.Member], _ scope: VariableScope
    ) -> TestCase? {
        guard var reader = scope.mapping(node, as: SuiteVocabulary.testCase) else { return nil }
        let (findingCount, errorCount) = (findings.count, findings.errorCount)
        reader.refuseLaterKeys()
        _ = (reader.entry("each"), reader.entry("combine"), reader.entry("exclude"))
        let id = id(in: &reader)
        var result = TestCase(
            id: (id ?? "") + CaseReader.suffix(values), title: id ?? "", position: node.position,
            checks: suite.requirements.check(reader.texts("checks") ?? []), steps: [],
            known: KnownMessages(scope.protocols, scope.described?.own ?? []))
        result.title = reader.text("title") ?? result.title
        result.tags = reader.texts("tags")?.map(\.text) ?? []
        result.needs = needs(in: &reader)
        result.values = values
        var defaults = suite.defaults
        defaults.readCaseKeys(&reader)
        result.unexpected = defaults.unexpected
        result.violations = defaults.violations
        result.quiet = defaults.quiet
        result.isQuietToTheEnd = defaults.isQuietToTheEnd
        result.timeout = defaults.timeout
        result.devices = DeviceReader(
            scope: scope, role: suite.role, peers: suite.peers.map(\.name)
        ).read(reader.mapping("devices") ?? [])
        given(&result, &reader, scope)
        result.isJudgedWithoutReports = reader.boolean("withoutReports") ?? false
        sequence(&result, &reader, scope)
        reader.finish()
        if result.allChecks.isEmpty, !hasUnusableChecks(node), !isDrawn {
            findings.report(
                "no-checks", "this case judges no requirement", at: node.position,
                advice: "add \"checks\" with the requirements that it shows")
        }
        let missing = suite.missing.union(scope.uses.missing)
        if missing.isEmpty {
            if result.isJudgedWithoutReports, result.withoutReports == nil {
                findings.report(
                    "rests-on-reports", "without reports of the app nothing of this case is left",
                    at: node.position, advice: "leave out \"withoutReports\"")
            }
            if suite.isSound, findings.errorCount == errorCount {
                if !isDrawn { warnIfHarmless(result) }
                CaseLint(result, suite).report(to: findings)
            }
        } else {
            findings.discard(from: findingCount)
            result.leaveOut(forWantOf: missing)
        }
        let names = suite.parameters.map(\.name)
        result.parameters = names.filter { scope.uses.names.contains($0) || missing.contains($0) }
        return id == nil ? nil : result
    }

    /// Whether `checks` names requirements, which have then been reported as unknown.
    private func hasUnusableChecks(_ node: YAMLNode) -> Bool {
        guard let checks = node["checks"] else { return false }
        return checks.elements?.isEmpty != true && checks.content != .scalar(.null)
    }

    private func id(in reader: inout YAMLMappingReader) -> String? {
        reader.require("id")
        guard let entry = reader.entry("id"), let id = reader.text("id") else { return nil }
        if PlainName.isValid(id) { return id }
        findings.report(
            "bad-name", "\"\(id)\" cannot be the id of a case", at: entry.value.position,
            advice: PlainName.advice)
        return nil
    }

    /// Returns the suffix of an instance's id: `[language=DE-DE,x=1]`, or nothing.
    static func suffix(_ values: [Value.Member]) -> String {
        guard !values.isEmpty else { return "" }
        return "["
            + values.map { "\($0.name)=\($0.value.suiteText)" }.joined(separator: ",") + "]"
    }

    func needs(in reader: inout YAMLMappingReader) -> FeatureExpression? {
        guard let text = reader.text("needs"), let node = reader.node("needs") else { return nil }
        do throws(FeatureExpressionParser.SyntaxError) {
            let expression = try FeatureExpressionParser.parse(text)
            for name in expression.names.sorted() where !suite.features.contains(name) {
                findings.report(
                    "unknown-feature", "no catalogue declares a feature \"\(name)\"",
                    at: node.position, advice: Suggestion.advice(for: name, in: suite.features))
            }
            return expression
        } catch {
            findings.report(
                "bad-needs", "\"needs\" does not parse: \(error.what)", at: node.position,
                advice: "combine names of features with and, or, not and brackets")
            return nil
        }
    }

    /// Reads `given`: settings that override those of the suite's peers, and the device's
    /// configuration.
    private func given(
        _ result: inout TestCase, _ reader: inout YAMLMappingReader, _ scope: VariableScope
    ) {
        result.peers = suite.peers
        let peers = PeerReader(scope: scope)
        for entry in reader.mapping("given") ?? [] {
            result.setsPreconditions = true
            if result.isDevice(entry.key) {
                guard let value = scope.value(entry.value) else { continue }
                guard case .object = value else {
                    findings.report(
                        "wrong-type", "the device's configuration is a mapping",
                        at: entry.value.position)
                    continue
                }
                if let index = result.devices.firstIndex(where: { $0.name == entry.key }) {
                    result.devices[index].configuration = value
                } else {
                    result.deviceConfiguration = value
                }
            } else if let index = result.peers.firstIndex(where: { $0.name == entry.key }) {
                result.peers[index] = peers.override(result.peers[index], with: entry.value)
            } else if !scope.unreadPeers.contains(entry.key) {
                let names = result.deviceNames + suite.peers.map(\.name)
                findings.report(
                    "unknown-party", "there is no peer \"\(entry.key)\"", at: entry.keyPosition,
                    advice: Suggestion.advice(for: entry.key, in: names))
            }
        }
    }

    /// Reads the preamble, the body and the rules that apply during them.
    private func sequence(
        _ result: inout TestCase, _ reader: inout YAMLMappingReader, _ scope: VariableScope
    ) {
        reader.require("steps")
        let preamble = reader.list("preamble") ?? []
        let body = reader.list("steps")
        if let body, body.isEmpty {
            findings.report(
                "empty-steps", "this case has no steps", at: reader.entry("steps")?.keyPosition,
                advice: "write at least what the device must do")
        }
        var steps = StepReader(
            scope: scope, suite: suite, nodes: preamble + (body ?? []),
            devices: result.devices.map(\.name))
        result.preamble = steps.steps(preamble)
        result.steps = steps.steps(body ?? [])
        let ids = (result.preamble + result.steps).plain.compactMap(\.id)
        result.measures = MeasureReader(scope: scope, ids: ids)
            .read(reader.list("measure") ?? [])
        var everything = steps.scope
        everything.saved.formUnion(steps.everSaved)
        let others = suite.peers.map(\.name) + result.devices.map(\.name)
        let patterns = PatternReader(
            scope: everything, peers: others, described: suite.peers.compactMap(\.described))
        for node in reader.list("never") ?? [] {
            guard let rule = patterns.rule(node, as: SuiteVocabulary.neverRule) else { continue }
            result.never.append(rule.never(ids: ids, suite.requirements, findings))
        }
        let own = (reader.list("ignore") ?? []).compactMap {
            patterns.rule($0, as: SuiteVocabulary.ignoreRule)?.pattern
        }
        result.ignore = suite.ignore + own
        result.recordLaterAnswers()
        AmbiguityCheck(result).report(to: findings)
    }

    private func warnOfUnused(_ axes: [MatrixReader.Axis], in uses: VariableScope.UseLog) {
        for axis in axes where !uses.names.contains(axis.name) {
            findings.warn(
                "unused-variable", "this case does not use \"${\(axis.name)}\"", at: axis.position,
                advice: "all combinations are the same case")
        }
    }

    /// Warns of a case that cannot fail, whatever the device does.
    private func warnIfHarmless(_ result: TestCase) {
        let demands = result.steps.plain.contains { $0.demandsOfDevice(in: result) }
        guard !demands || result.steps.canBeEmpty, result.never.isEmpty,
            result.unexpected == .allow, result.violations != .fail, !result.steps.isEmpty
        else { return }
        findings.warn(
            "cannot-fail", "nothing that the device sends can fail this case",
            at: result.position,
            advice: "expect something of the device, add \"never\", or say \"unexpected: fail\"")
    }
}

extension TestCase {
    /// Records how late its steps let its peers answer.
    fileprivate mutating func recordLaterAnswers() {
        for step in (preamble + steps).plain {
            guard case .perform(let action) = step.verb, action.name == "configure",
                let index = peers.firstIndex(where: { $0.name == action.party }),
                let later = action.arguments.knownPart?.latestAnswer
            else { continue }
            peers[index].answersLater = max(peers[index].answersLater, later)
        }
    }
}

extension ValueExpression {
    /// The value without what is known in a run only; `nil` if nothing is left.
    fileprivate var knownPart: Value? {
        switch self {
        case .literal(let value): value
        case .array(let elements): .array(elements.compactMap(\.knownPart))
        case .object(let members):
            .object(
                members.compactMap { member in
                    member.value.knownPart.map { Value.Member(member.name, $0) }
                })
        case .template, .bytes: nil
        }
    }
}
