import Wire

/// Reads conditions on fields, and the entries of `never` and `ignore`.
struct PatternReader {
    let scope: VariableScope
    /// The names of the parties other than `device` that may be senders.
    let peers: [String]
    /// The protocols that files describe; the fields of `stream.message` belong to one of them.
    var described: [DescribedProtocol] = []

    private var findings: Findings { scope.findings }
    private var vocabulary: MessageVocabulary { MessageVocabulary(scope) }

    /// One entry of `never` or `ignore`.
    struct Rule {
        let pattern: MessagePattern
        /// The step that `on` names.
        var connection: YAMLNode?
        /// How many such messages may come in a time.
        var rate: MessageRate?
        /// The texts of `checks`.
        var checks: [(text: String, position: SourcePosition)] = []
        /// The step that `since` names.
        var since: YAMLNode?
        /// The value of `after`.
        var after: Duration?

        /// The rule of a case or of a suite's rule.
        ///
        /// - Parameters:
        ///   - ids: The steps that `on` and `since` may name.
        ///   - requirements: The requirements that it may name.
        ///   - findings: What is wrong with it.
        func never(
            ids: [String], _ requirements: RequirementNames, _ findings: Findings
        ) -> NeverRule {
            for step in [connection, since] {
                guard let step, let id = step.string, !ids.contains(id) else { continue }
                findings.report(
                    "unknown-step", "there is no step \"\(id)\"", at: step.position,
                    advice: Suggestion.advice(forStep: id, in: ids))
            }
            var result = NeverRule(
                pattern: pattern, connection: connection?.string, rate: rate,
                checks: requirements.check(checks))
            (result.since, result.after) = (since?.string, after)
            return result
        }
    }

    /// Reads one entry of `never` or `ignore`: a name, or a mapping with conditions.
    func rule(_ node: YAMLNode, as rule: MappingDescription) -> Rule? {
        guard let node = scope.resolve(node) else { return nil }
        if let name = node.string {
            guard vocabulary.check(pattern: name, at: node.position) else { return nil }
            return Rule(pattern: MessagePattern(message: name, position: node.position))
        }
        guard var reader = scope.mapping(node, as: rule) else { return nil }
        let pattern = pattern(in: &reader)
        let isJudging = rule.keyNames.contains("checks")
        let checks = isJudging ? reader.texts("checks") ?? [] : []
        let connection = isJudging && reader.text("on") != nil ? reader.node("on") : nil
        let since = isJudging && reader.text("since") != nil ? reader.node("since") : nil
        let after = isJudging ? reader.duration("after") : nil
        let rate = isJudging ? rate(in: &reader) : nil
        reader.finish()
        return pattern.map {
            Rule(
                pattern: $0, connection: connection, rate: rate, checks: checks, since: since,
                after: after)
        }
    }

    /// Reads `moreThan` and `within`, which belong together.
    private func rate(in reader: inout YAMLMappingReader) -> MessageRate? {
        guard reader.has("moreThan") || reader.has("within") else { return nil }
        reader.require("moreThan", advice: "say how many may come within that time")
        reader.require("within", advice: "say in which time no more may come")
        let count = reader.integer("moreThan", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        let within = reader.duration("within")
        guard let count, let within else { return nil }
        return MessageRate(count: count, within: within)
    }

    /// Reads the keys `message`, `from` and `where` of a mapping.
    func pattern(in reader: inout YAMLMappingReader) -> MessagePattern? {
        reader.require("message")
        let messageNode = reader.node("message")
        let message = reader.text("message")
        let from = party("from", in: &reader)
        let conditionNodes = reader.entry("where")
        guard let message, let messageNode,
            vocabulary.check(pattern: message, at: messageNode.position)
        else { return nil }
        let conditions = conditionNodes.map { self.conditions($0.value, of: message) }
        return MessagePattern(
            message: message, from: from, conditions: conditions ?? [], position: reader.position)
    }

    /// Reads the mapping of `where`; reports and omits conditions that cannot be used.
    func conditions(_ node: YAMLNode, of message: String) -> [FieldCondition] {
        let reader = MatcherReader(scope: scope)
        return fields(node, key: "where", of: message).compactMap { path, type, entry in
            guard let matcher = reader.matcher(entry.value, type: type, name: "\(path)") else {
                return nil
            }
            if let reason = matcher.contradiction(for: type) {
                findings.report(
                    "impossible-condition", "\(path) can never be like that: \(reason)",
                    at: entry.keyPosition)
            }
            return FieldCondition(path: path, matcher: matcher, position: entry.keyPosition)
        }
    }

    /// Reads the entries of a mapping whose keys are paths of a message's fields.
    func fields(
        _ node: YAMLNode, key: String, of message: String
    ) -> [(path: FieldPath, type: FieldType, entry: YAMLNode.Entry)] {
        guard let node = scope.resolve(node) else { return [] }
        guard let entries = node.entries else {
            findings.report(
                "wrong-type", "\"\(key)\" takes a mapping, this is \(node.kindInWords)",
                at: node.position)
            return []
        }
        return entries.compactMap { entry in
            guard let text = scope.resolve(key: entry.key, at: entry.keyPosition),
                let field = vocabulary.field(text, of: message, at: entry.keyPosition)
            else { return nil }
            guard isDescribed(field.path, of: message, at: entry.keyPosition) else { return nil }
            if key != "where", field.path == .violation {
                findings.report(
                    "unknown-field", "\"violation\" is what the decoder finds, not a field to send",
                    at: entry.keyPosition,
                    advice: "set the fields that should be wrong, or use \"corrupt\"")
                return nil
            }
            return (field.path, field.type, entry)
        }
    }

    /// Reads the values of the fields of a message that is sent.
    func assignments(
        _ entry: YAMLNode.Entry, of message: String, misfit: ValueReader.Mismatch = .irregular
    ) -> [FieldAssignment] {
        let values = ValueReader(scope: scope, misfit: misfit)
        return fields(entry.value, key: entry.key, of: message).compactMap { field in
            values.expression(field.entry.value, type: field.type, name: "\(field.path)")
                .map { FieldAssignment(path: field.path, value: $0) }
        }
    }

    /// Checks whether a description has the path below `fields`; reports it if not.
    func isDescribed(
        _ path: FieldPath, of message: String, at position: SourcePosition
    ) -> Bool {
        let names = path.components.compactMap { component in
            if case .name(let name) = component { name } else { nil }
        }
        guard message.hasPrefix(StreamUnit.protocolName + "."), names.first == "fields",
            names.count > 1, !described.isEmpty
        else { return true }
        let inner = Array(names.dropFirst())
        for count in inner.indices {
            let path = Array(inner[...count])
            if described.contains(where: { $0.description.fieldNames(at: path) != nil }) {
                continue
            }
            let known = described.flatMap {
                $0.description.fieldNames(at: Array(path.dropLast())) ?? []
            }
            findings.report(
                "unknown-field", "the description has no field \"\(path.joined(separator: "."))\"",
                at: position, advice: Suggestion.advice(for: inner[count], in: known.sorted()))
            return false
        }
        return true
    }

    /// Reads a key whose value is the device or a peer.
    func party(_ key: String, in reader: inout YAMLMappingReader) -> String? {
        guard let name = reader.text(key), let node = reader.node(key) else { return nil }
        return checkParty(name, at: node.position) ? name : nil
    }

    /// Checks whether a name is that of the device or of a peer; reports it if not.
    func checkParty(_ name: String, at position: SourcePosition) -> Bool {
        if name == Step.device || peers.contains(name) { return true }
        guard !scope.unreadPeers.contains(name) else { return false }
        findings.report(
            "unknown-party", "there is no peer or device \"\(name)\"", at: position,
            advice: Suggestion.advice(for: name, in: [Step.device] + peers))
        return false
    }
}
