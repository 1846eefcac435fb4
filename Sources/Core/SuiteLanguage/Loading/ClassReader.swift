import Wire

/// A named class of values: its elements, the plainest first.
struct ValueClass: Sendable {
    var name: String
    var position: SourcePosition
    var elements: [DrawnElement]
}

/// Reads `classes`, and the draws that name them.
struct ClassReader {
    let findings: Findings
    let classes: [String: ValueClass]
    let known: KnownMessages
    let peers: [PeerDeclaration]
    /// The names of the classes that draws have named so far.
    let used = NameLog()

    /// A set of names that readers share.
    final class NameLog {
        var names: Set<String> = []
    }

    /// Reads the classes; reports and omits those that cannot be used.
    static func classes(_ entries: [YAMLNode.Entry], findings: Findings) -> [String: ValueClass] {
        entries.reduce(into: [:]) { classes, entry in
            guard PlainName.isValid(entry.key) else {
                findings.report(
                    "bad-name", "\"\(entry.key)\" cannot be the name of a class",
                    at: entry.keyPosition, advice: PlainName.advice)
                return
            }
            guard let elements = elements(of: entry.value, findings) else { return }
            classes[entry.key] = ValueClass(
                name: entry.key, position: entry.keyPosition, elements: elements)
        }
    }

    /// Reads the elements of a class: a mapping of names and values, or a list of plain values.
    private static func elements(of node: YAMLNode, _ findings: Findings) -> [DrawnElement]? {
        var elements: [DrawnElement] = []
        if let entries = node.entries {
            elements = entries.map { entry in
                DrawnElement(
                    name: entry.key,
                    value: entry.value.content == .scalar(.null) ? nil : entry.value)
            }
        } else if let values = node.elements {
            for value in values {
                guard case .scalar(let scalar) = value.content else {
                    findings.report(
                        "wrong-type", "a value of this kind needs a name in its class",
                        at: value.position, advice: "write a mapping of names and values")
                    return nil
                }
                let name = scalar == .null ? "absent" : scalar.textInTemplate
                guard !elements.contains(where: { $0.name == name }) else {
                    findings.report(
                        "duplicate-id", "the value \(scalar.suiteText) is listed twice",
                        at: value.position, advice: "take one of them out")
                    return nil
                }
                elements.append(DrawnElement(name: name, value: scalar == .null ? nil : value))
            }
        } else {
            findings.report(
                "wrong-type",
                "a class is a mapping or a list of values, this is \(node.kindInWords)",
                at: node.position, advice: "write {plain: a, empty: \"\"}")
            return nil
        }
        guard (1...Exploration.Limits.elements).contains(elements.count) else {
            findings.report(
                "bad-value",
                "a class has 1 to \(Exploration.Limits.elements) values, not \(elements.count)",
                at: node.position)
            return nil
        }
        let nested = node.elements ?? node.entries?.map(\.value) ?? []
        if let draw = nested.lazy.compactMap(Self.draw).first {
            findings.report(
                "misplaced-key", "a value of a class cannot draw from a class",
                at: draw.position, advice: "draw at the places where the class is used")
            return nil
        }
        return elements
    }

    /// Returns the first draw in a node.
    private static func draw(in node: YAMLNode) -> YAMLNode? {
        if DrawSubstitution.isDraw(node) { return node }
        return (node.elements ?? node.entries?.map(\.value) ?? []).lazy.compactMap(draw).first
    }

    /// Returns the draws of a node in the order of the file; those that cannot be used are reported.
    func draws(in node: YAMLNode, under key: String) -> [ExplorationDraw] {
        if DrawSubstitution.isDraw(node) { return draw(node, key).map { [$0] } ?? [] }
        if let elements = node.elements {
            return elements.flatMap { draws(in: $0, under: key) }
        }
        return (node.entries ?? []).flatMap { draws(in: $0.value, under: $0.key) }
    }

    private func draw(_ node: YAMLNode, _ key: String) -> ExplorationDraw? {
        if DrawSubstitution.isWrong(node) { return wrongMessage(node) }
        guard
            var reader = YAMLMappingReader(
                node, as: SuiteVocabulary.draw, findings: findings)
        else { return nil }
        let isSubset = reader.has("subset")
        if isSubset, let entry = reader.entry("draw") {
            findings.report(
                "two-verbs", "\"draw\" together with \"subset\"", at: entry.keyPosition,
                advice: "draw one value, or a list of some")
            return nil
        }
        let elements = elements(reader.entry(isSubset ? "subset" : "draw")?.value)
        let most = Int64(Exploration.Limits.elements)
        let least = reader.integer("min", in: 0...most)
        let greatest = reader.integer("max", in: 0...most)
        if !isSubset {
            reader.refuse(
                ["min", "max"], code: "misplaced-key", because: "has no meaning with \"draw\"")
        }
        reader.finish()
        guard let elements else { return nil }
        guard isSubset else {
            return ExplorationDraw(label: key, elements: elements, subset: nil)
        }
        let lower = Int(least ?? 0)
        let upper = min(greatest.map { Int($0) } ?? elements.count, elements.count)
        guard lower <= upper else {
            findings.report(
                "bad-value", "no subset of \(elements.count) values has \(lower) to \(upper)",
                at: node.position)
            return nil
        }
        return ExplorationDraw(label: key, elements: elements, subset: lower...upper)
    }

    /// Reads a step that sends one of some messages, wrong in a way that is drawn.
    private func wrongMessage(_ node: YAMLNode) -> ExplorationDraw? {
        let own = [DrawSubstitution.wrong, "in", "with"]
        let rest = (node.entries ?? []).filter { !own.contains($0.key) }
        let refused = ["send", "without", "corrupt", "segments"]
        for entry in rest where refused.contains(entry.key) {
            findings.report(
                "misplaced-key", "\"\(entry.key)\" together with \"wrong\"", at: entry.keyPosition,
                advice: "what is wrong is drawn; the rest of the message is its usual one")
        }
        guard let value = node[DrawSubstitution.wrong] else { return nil }
        let place = node["in"].map { WrongMessage.Place(rawValue: $0.string ?? "") }
        if let node = node["in"], case .some(.none) = place {
            let words = WrongMessage.Place.allCases.map(\.rawValue).joined(separator: " or ")
            findings.report(
                "bad-value", "\"in\" is \(words), not \(node.value.suiteText)", at: node.position)
        }
        let with = node["with"]?.entries ?? []
        if let draw = node["with"].flatMap(Self.draw) {
            findings.report(
                "misplaced-key", "\"with\" cannot draw together with \"wrong\"", at: draw.position,
                advice: "what is wrong is drawn; give the other fields their values")
        }
        let senders = node["from"].map { from in peers.filter { $0.name == from.string } } ?? peers
        let sender = senders.count == 1 ? senders[0] : nil
        let names = value.elements ?? [value]
        var elements: [DrawnElement] = []
        for name in names {
            guard let message = name.string, let description = known.message(named: message) else {
                findings.report(
                    "unknown-message", "\(name.value.suiteText) is not the name of a message",
                    at: name.position, advice: "conform fields lists the messages")
                return nil
            }
            for wrong in known.wrongMessages(message, with: Self.given(with, of: description))
            where place == nil || wrong.place == place {
                let send = YAMLNode.Entry(key: "send", keyPosition: node.position, value: name)
                let all = [send] + rest + wrong.entries(with: with, at: name.position)
                let step = YAMLNode(.mapping(all), at: node.position)
                guard let steps = Self.steps(step, of: wrong, by: sender) else { continue }
                elements.append(
                    DrawnElement(
                        name: names.count > 1 ? "\(message): \(wrong.sentence)" : wrong.sentence,
                        value: steps,
                        kind: "\(message) \(wrong.kind)\(wrong.isAllowed ? " allowed" : "")"))
            }
        }
        guard !elements.isEmpty else {
            findings.report(
                "bad-value", "the description of this message forbids nothing that can be sent",
                at: value.position, advice: "conform wrong MESSAGE lists what it forbids")
            return nil
        }
        return ExplorationDraw(label: DrawSubstitution.wrong, elements: elements, subset: nil)
    }

    /// Returns the values that the `with` of a step gives to fields.
    ///
    /// A value that is not known when the suite is loaded is represented by a plain one.
    private static func given(
        _ entries: [YAMLNode.Entry], of message: MessageDescription
    ) -> [(path: FieldPath, value: Value)] {
        entries.compactMap { entry in
            guard let path = FieldPath(entry.key), let type = message.fields.fieldType(at: path)
            else {
                return nil
            }
            let isKnown =
                if case .scalar(let value) = entry.value.content {
                    value.stringValue?.contains("${") != true
                } else {
                    false
                }
            return (path, isKnown ? entry.value.value : WrongFields.plain(type))
        }
    }

    /// Returns the step of a way, or the list of its steps; `nil` if the sender cannot do it.
    private static func steps(
        _ step: YAMLNode, of wrong: WrongMessage, by sender: PeerDeclaration?
    ) -> YAMLNode? {
        if wrong.needsStream, sender?.isDatagram == true { return nil }
        guard wrong.place == .state else { return step }
        let actions = ["reset", "connect"]
        guard let sender, actions.allSatisfy({ sender.kind.actions.map(\.name).contains($0) })
        else { return nil }
        let before = actions.map { action -> YAMLNode in
            YAMLNode(["do": .string("\(sender.name).\(action)")], at: step.position)
        }
        return YAMLNode(.sequence(before + [step]), at: step.position)
    }

    /// Returns the elements of the class that a draw names or contains.
    private func elements(_ node: YAMLNode?) -> [DrawnElement]? {
        guard let node else { return nil }
        guard let name = node.string else { return Self.elements(of: node, findings) }
        used.names.insert(name)
        if let known = classes[name] { return known.elements }
        findings.report(
            "unknown-class", "there is no class \"\(name)\"", at: node.position,
            advice: Suggestion.advice(for: name, in: classes.keys.sorted()))
        return nil
    }
}
