import Wire

/// Reads `do`: `hu.close`, `{hu.configure: {...}}`, `device.background`.
struct ActionReader {
    let scope: VariableScope
    let peers: [PeerDeclaration]
    /// The further devices, in addition to the one that every case has.
    var devices: [String] = []

    private var findings: Findings { scope.findings }

    /// Reads the value of `do`; `nil`, after a report, if it cannot be used.
    func read(_ reader: inout YAMLMappingReader) -> Step.Verb? {
        guard let node = reader.node("do") else { return nil }
        if node.string != nil {
            guard let name = scope.resolve(node)?.string else { return nil }
            return action(name, at: node.position, argument: nil)
        }
        guard let entries = node.entries, entries.count == 1 else {
            findings.report(
                "wrong-type", "\"do\" takes one action", at: node.position,
                advice: "write hu.close, or {hu.configure: {...}} with what it takes")
            return nil
        }
        guard let name = scope.resolve(key: entries[0].key, at: entries[0].keyPosition) else {
            return nil
        }
        return action(name, at: entries[0].keyPosition, argument: entries[0].value)
    }

    private func action(
        _ text: String, at position: SourcePosition, argument: YAMLNode?
    ) -> Step.Verb? {
        let party = String(text.prefix { $0 != "." })
        let name = String(text.dropFirst(party.count + 1))
        guard
            PatternReader(scope: scope, peers: peers.map(\.name) + devices)
                .checkParty(party, at: position)
        else { return nil }
        guard let peer = peers.first(where: { $0.name == party }) else {
            return control(name, of: party, at: position, argument: argument)
        }
        guard let action = peer.kind.actions.first(where: { $0.name == name }) else {
            findings.report(
                "unknown-action", "\(peer.kind) has no action \"\(name)\"", at: position,
                advice: Suggestion.advice(
                    for: name, in: peer.kind.actions.map(\.name), beside: { _ in false },
                    lookUp: nil))
            return nil
        }
        let verb = perform(action, of: party, at: position, argument: argument)
        if verb != nil, action.name == "configure", peer.kind.takesAnswers,
            let answers = argument?[FieldDescription.answers.path]
        {
            AnswersCheck(scope: scope, kind: peer.kind).check(answers)
        }
        return verb
    }

    private func perform(
        _ action: PeerAction, of party: String, at position: SourcePosition, argument: YAMLNode?
    ) -> Step.Verb? {
        switch (action.argument, argument) {
        case (nil, nil):
            return .perform(Step.Action(party: party, name: action.name))
        case (nil, let argument?):
            findings.report(
                "bad-argument", "\"\(action.name)\" takes nothing", at: argument.position,
                advice: "write \(party).\(action.name)")
            return nil
        case (_?, nil) where action.isArgumentOptional:
            return .perform(Step.Action(party: party, name: action.name))
        case (_?, nil):
            findings.report(
                "bad-argument", "\"\(action.name)\" needs an argument", at: position,
                advice: "write {\(party).\(action.name): ...}")
            return nil
        case (let type?, let argument?):
            let reader = ValueReader(scope: scope, misfit: .argument)
            return reader.expression(argument, type: type, name: action.name).map {
                .perform(Step.Action(party: party, name: action.name, arguments: $0))
            }
        }
    }

    private func control(
        _ name: String, of device: String, at position: SourcePosition, argument: YAMLNode?
    ) -> Step.Verb? {
        guard PlainName.isValid(name) else {
            findings.report(
                "unknown-action", "\"\(device).\(name)\" is no control", at: position,
                advice: "write \(device). and the name of a control of the device profile")
            return nil
        }
        if let action = DeviceAction.named(name) {
            checkDamage(name, argument)
            return perform(action, of: device, at: position, argument: argument)
        }
        guard let argument else {
            return .perform(Step.Action(party: device, name: name))
        }
        let reader = ValueReader(scope: scope, misfit: .argument)
        return reader.expression(argument, type: nil, name: name).map {
            .perform(Step.Action(party: device, name: name, arguments: $0))
        }
    }

    /// Reports a `damage` that does not have exactly one kind of damage.
    private func checkDamage(_ name: String, _ argument: YAMLNode?) {
        guard name == DeviceAction.damage, let argument, let entries = argument.entries else {
            return
        }
        let kinds = entries.map(\.key).filter(DeviceAction.damageKinds.contains)
        if let replacement = entries.first(where: { $0.key == "replace" })?.value,
            let parts = replacement.entries, Set(parts.map(\.key)) != ["text", "by"]
        {
            findings.report(
                "bad-argument", "\"replace\" takes a text, and what it is replaced by",
                at: replacement.position, advice: "write {text: ..., by: ...}")
        }
        guard kinds.count != 1 else { return }
        findings.report(
            "bad-argument", "\"damage\" does one thing, not \(kinds.count)", at: argument.position,
            advice: "write one of \(DeviceAction.damageKinds.joined(separator: ", "))")
    }
}
