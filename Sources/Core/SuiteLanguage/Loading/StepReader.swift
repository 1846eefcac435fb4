import Wire

/// Reads the steps of one case, the preamble first and then the body.
struct StepReader {
    /// The variables that are available; steps add those that they save.
    var scope: VariableScope
    let peers: [PeerDeclaration]
    /// The further devices, in addition to the one that every case has.
    let devices: [String]
    private let defaults: SuiteDefaults
    let requirements: RequirementNames
    /// The named fragments that steps may use.
    let fragments: [String: Fragment]
    /// The variables of the suite that fragments can use.
    let suiteScope: VariableScope
    /// The fragment that is being read, or the case itself.
    var frame = Frame()
    /// The number of steps that fragments have contributed so far.
    var fragmentStepCount = 0
    private var takenIDs: Set<String> = []
    /// What has certainly been done before the next step.
    var past = PrecedingSteps() {
        didSet { scope.saved = past.saved }
    }
    /// All variables that any step saves.
    private(set) var everSaved: Set<String> = []

    init(
        scope: VariableScope, suite: CaseReader.SuiteContext, nodes: [YAMLNode],
        devices: [String] = []
    ) {
        self.devices = devices
        self.scope = scope
        self.peers = suite.peers
        self.defaults = suite.defaults
        self.requirements = suite.requirements
        self.fragments = suite.fragments
        self.suiteScope = suite.scope
        frame.ids = StepReader.ids(in: nodes)
        past.saved = scope.saved
        past.exchange.devices.formUnion(devices)
    }

    var findings: Findings { scope.findings }
    var patterns: PatternReader {
        PatternReader(
            scope: scope, peers: peers.map(\.name) + devices,
            described: peers.compactMap(\.described))
    }

    /// Reads a list of steps; reports and omits those that cannot be used.
    mutating func steps(_ nodes: [YAMLNode]) -> [Step] {
        nodes.flatMap { node -> [Step] in
            guard
                var reader = YAMLMappingReader(
                    node, subject: "step",
                    advice: "it has one of \(SuiteVocabulary.verbs.joined(separator: ", "))",
                    findings: findings, resolver: scope.resolve),
                let verb = verb(of: &reader)
            else {
                past.exchange.skip()
                return []
            }
            reader.narrow(to: SuiteVocabulary.step(verb))
            reader.refuse(
                SuiteVocabulary.misplacedKeys(beside: verb), code: "misplaced-key",
                because: "has no meaning with \"\(verb)\"")
            if SuiteVocabulary.useVerbs.contains(verb) { return use(node, &reader) }
            return step(verb, node, &reader).map { [$0] } ?? []
        }
    }

    private mutating func step(
        _ verb: String, _ node: YAMLNode, _ reader: inout YAMLMappingReader
    ) -> Step? {
        var step = Step(verb: .wait(.zero), position: node.position, tolerance: defaults.tolerance)
        step.uses = frame.uses
        if SuiteVocabulary.groupVerbs.contains(verb) {
            step.note = reader.text("note")
            let group = group(verb, &reader)
            reader.finish()
            guard let group else { return nil }
            step.verb = group
            return step
        }
        step.id = id(in: &reader)
        step.note = reader.text("note")
        let isByRules = verb == "backoff" && reader.node("checks")?.entries != nil
        if verb != "wait", !isByRules {
            step.checks = requirements.check(reader.texts("checks") ?? [])
        }
        step.within = defaults.within
        step.isWithinNamed = defaults.isWithinNamed
        if verb == "backoff" {
            step.tolerance = reader.tolerance("tolerance") ?? defaults.tolerance
        } else if verb != "wait" {
            window(&step, verb, &reader)
        }
        if ["expect", "send", "lost"].contains(verb) {
            step.connection = earlierStep("on", in: &reader)
        }
        let action: Step.Verb?
        switch verb {
        case "expect": action = expect(&step, &reader)
        case "send": action = send(&step, &reader)
        case "backoff":
            let checks = isByRules ? ruleChecks(in: &reader) : []
            action = backoff(&step, &reader, checks: checks)
        case "lost": action = lost(&step, &reader)
        case "collect": action = collect(&step, &reader)
        case "do": action = ActionReader(scope: scope, peers: peers, devices: devices).read(&reader)
        default: action = reader.duration("wait").map(Step.Verb.wait)
        }
        reader.finish()
        if let id = step.id { past.ids.append(id) }
        guard let action else {
            past.exchange.skip()
            return nil
        }
        step.verb = past.exchange.record(
            action, from: step.from, to: step.to, by: MessageVocabulary(scope))
        return step
    }

    /// Creates a step that waits for the message of that name, with the defaults of the suite.
    mutating func plainExpectation(_ node: YAMLNode) -> Step? {
        let vocabulary = MessageVocabulary(scope)
        guard let name = node.string, vocabulary.check(message: name, at: node.position) else {
            past.exchange.skip()
            return nil
        }
        var step = Step(verb: .wait(.zero), position: node.position, tolerance: defaults.tolerance)
        step.within = defaults.within
        step.isWithinNamed = defaults.isWithinNamed
        step.verb = past.exchange.record(
            .expect(name), from: step.from, to: nil, by: vocabulary)
        return step
    }

    /// Returns the only verb of a step; `nil`, after a report, if there is none or more than one.
    private func verb(of reader: inout YAMLMappingReader) -> String? {
        let found = reader.entries.filter { SuiteVocabulary.verbs.contains($0.key) }
        for entry in found.dropFirst() {
            findings.report(
                "two-verbs", "this step has \"\(found[0].key)\" and \"\(entry.key)\"",
                at: entry.keyPosition, advice: "make two steps of it")
        }
        guard found.isEmpty else { return found.count == 1 ? found[0].key : nil }
        let slip = reader.entries.lazy.compactMap {
            Suggestion.closest(to: $0.key, in: SuiteVocabulary.verbs)
        }.first
        findings.report(
            "no-verb", "this step has no verb", at: reader.position,
            advice: slip.map { "did you mean \"\($0)\"?" }
                ?? "give it one of \(SuiteVocabulary.verbs.joined(separator: ", "))")
        return nil
    }

    /// Reads `id` and returns the full name, with the prefix of the present fragment.
    mutating func id(in reader: inout YAMLMappingReader) -> String? {
        guard let id = reader.text("id"), let node = reader.node("id") else { return nil }
        guard PlainName.isValid(id) else {
            findings.report(
                "bad-name", "\"\(id)\" cannot be the id of a step", at: node.position,
                advice: PlainName.advice)
            return nil
        }
        let name = frame.prefix + id
        if !takenIDs.insert(name).inserted {
            findings.report(
                "duplicate-id", "another step of this case has the id \"\(name)\"",
                at: node.position,
                advice: frame.uses.isEmpty
                    ? "choose another" : "give each use of the fragment an \"id\" of its own")
        }
        return name
    }

    // MARK: expect

    private mutating func expect(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        let message = message("expect", in: &reader)
        if let from = patterns.party("from", in: &reader) { step.from = from }
        step.to = patterns.party("to", in: &reader)
        step.isNext = reader.boolean("next") ?? false
        let conditions = reader.entry("where")
        let saves = reader.node("save")
        guard let message else { return nil }
        if let conditions {
            step.conditions = patterns.conditions(conditions.value, of: message)
        }
        if let saves { step.saves = save(saves, of: message) }
        return .expect(message)
    }

    private mutating func lost(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        _ = reader.word("lost", of: ["bytes"])
        if let from = patterns.party("from", in: &reader) { step.from = from }
        step.to = patterns.party("to", in: &reader)
        if let conditions = reader.entry("where") {
            step.conditions = patterns.conditions(conditions.value, of: LostBytes.name)
        }
        if let saves = reader.node("save") { step.saves = save(saves, of: LostBytes.name) }
        return .lost
    }

    func message(_ key: String, in reader: inout YAMLMappingReader) -> String? {
        guard let name = reader.text(key), let node = reader.node(key) else { return nil }
        let vocabulary = MessageVocabulary(scope)
        return vocabulary.check(message: name, at: node.position) ? name : nil
    }

    mutating func save(_ node: YAMLNode, of message: String) -> [Step.Save] {
        guard let entries = node.entries else {
            findings.report(
                "wrong-type", "\"save\" takes a mapping, this is \(node.kindInWords)",
                at: node.position)
            return []
        }
        let vocabulary = MessageVocabulary(scope)
        var saves: [Step.Save] = []
        for entry in entries {
            guard checkVariable(entry), let source = saveSource(entry.value) else { continue }
            guard
                let field = vocabulary.field(source.path, of: message, at: source.position)
            else { continue }
            var save = Step.Save(variable: frame.prefix + entry.key, path: field.path)
            if let fallback = source.fallback {
                save.fallback = ValueReader(scope: scope, misfit: .irregular)
                    .expression(fallback, type: nil, name: "the default of \(entry.key)")
            }
            saves.append(save)
        }
        past.saved.formUnion(saves.map(\.variable))
        everSaved.formUnion(saves.map(\.variable))
        return saves
    }

    /// Reads a field's path, or `{field: path, default: value}`.
    private func saveSource(
        _ node: YAMLNode
    ) -> (path: String, position: SourcePosition, fallback: YAMLNode?)? {
        guard let target = scope.resolve(node) else { return nil }
        if let text = target.string { return (text, target.position, nil) }
        guard target.entries != nil else {
            findings.report(
                "wrong-type", "\"save\" takes paths of fields, this is \(target.kindInWords)",
                at: target.position, advice: "write a path, or {field: path, default: value}")
            return nil
        }
        guard var reader = scope.mapping(target, as: SuiteVocabulary.savedField) else { return nil }
        reader.require("field")
        reader.require("default")
        let path = reader.text("field")
        let position = reader.node("field")?.position ?? reader.position
        let fallback = reader.entry("default")?.value
        reader.finish()
        return path.map { ($0, position, fallback) }
    }

    private func checkVariable(_ entry: YAMLNode.Entry) -> Bool {
        guard findings.checkName(entry, of: "a variable") else { return false }
        guard !scope.isTaken(entry.key) else {
            findings.report(
                "duplicate-variable", "there is a variable \"\(entry.key)\" already",
                at: entry.keyPosition, advice: "choose another name")
            return false
        }
        return true
    }

    // MARK: windows of time

    private func window(
        _ step: inout Step, _ verb: String, _ reader: inout YAMLMappingReader
    ) {
        let within = reader.duration("within")
        step.within = within ?? defaults.within
        step.isWithinNamed = within != nil || defaults.isWithinNamed
        if verb != "collect" {
            step.after = reader.duration("after")
            step.at = reader.duration("at")
        }
        step.tolerance = reader.tolerance("tolerance") ?? defaults.tolerance
        if ["expect", "lost", "collect"].contains(verb) {
            step.isFixed = reader.boolean("fixed") ?? false
        }
        step.since = earlierStep("since", in: &reader)
        if step.at != nil {
            for key in SuiteVocabulary.timesBesideAt {
                guard let entry = reader.entry(key) else { continue }
                findings.report(
                    "contradictory-window", "\"\(key)\" with \"at\"", at: entry.keyPosition,
                    advice: "set either a point in time or a window")
            }
        } else if let after = step.after, after > step.within,
            let node = reader.entry("after")?.value
        {
            let limit = step.within.suiteText
            findings.report(
                "contradictory-window", "\"after\" is later than \"within\" (\(limit))",
                at: node.position,
                advice: within == nil ? "set \"within\" too, \(limit) is the default" : "")
        }
    }

    /// Reads a key that names a step that has certainly been done.
    private func earlierStep(_ key: String, in reader: inout YAMLMappingReader) -> String? {
        guard let id = reader.text(key), let node = reader.node(key) else { return nil }
        if past.ids.contains(frame.prefix + id) { return frame.prefix + id }
        let isLater = frame.ids.contains(id)
        let known = past.ids.map { String($0.dropFirst(frame.prefix.count)) }
        findings.report(
            "unknown-step",
            isLater
                ? "step \"\(id)\" is not before this one, or may not have been done"
                : "there is no step \"\(id)\"",
            at: node.position,
            advice: isLater
                ? ""
                : frame.uses.isEmpty || !known.isEmpty
                    ? Suggestion.advice(forStep: id, in: known)
                    : "a fragment can only name steps of its own")
        return nil
    }
}
