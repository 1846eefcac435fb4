import Protocols

extension StepReader {
    /// Reads the rest of a `send`; `nil` if it cannot be used and that has been reported.
    mutating func send(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        if reader.node("send")?.entries != nil { return sendBytes(&step, &reader) }
        let message = message("send", in: &reader)
        let sender = sender(in: &reader)
        segments(&step, &reader)
        step.to = patterns.party("to", in: &reader)
        let with = reader.entry("with")
        let without = reader.texts("without") ?? []
        let saves = reader.node("save")
        guard let message else { return nil }
        var overrides: [FieldAssignment] = []
        if let with {
            let values = ValueReader(scope: scope, misfit: .irregular)
            for field in patterns.fields(with.value, key: "with", of: message) {
                let name = "\(field.path)"
                let value = values.expression(field.entry.value, type: field.type, name: name)
                if let value { overrides.append(FieldAssignment(path: field.path, value: value)) }
            }
        }
        let vocabulary = MessageVocabulary(findings: findings)
        for item in without {
            let field = vocabulary.field(item.text, of: message, at: item.position)
            if let field { overrides.append(FieldAssignment(path: field.path, value: nil)) }
        }
        step.corruption = corruption(of: message, &reader)
        if let saves { step.saves = save(saves, of: message) }
        guard let sender, speaks(sender, message, in: &reader) else { return nil }
        if sender.isDatagram {
            reader.refuse(
                ["corrupt", "segments"], code: "misplaced-key",
                because: "is about bytes of a stream; say the bytes of a datagram under \"with\"")
        }
        step.from = sender.name
        return .send(message, overrides: overrides, answering: nil)
    }

    func sender(in reader: inout YAMLMappingReader) -> PeerDeclaration? {
        guard reader.has("from") else {
            if peers.count == 1 { return peers[0] }
            let names = peers.map(\.name).joined(separator: ", ")
            findings.report(
                "missing-key", "this step does not say which peer sends", at: reader.position,
                advice: peers.isEmpty ? "declare a peer" : "add \"from\": \(names)")
            return nil
        }
        guard let name = patterns.party("from", in: &reader) else { return nil }
        if let peer = peers.first(where: { $0.name == name }) { return peer }
        findings.report(
            "unknown-party", "only a peer can send, the device does as it likes",
            at: reader.node("from")?.position,
            advice: "expect the message, or use \"do: device.<control>\"")
        return nil
    }

    private func speaks(
        _ peer: PeerDeclaration, _ message: String, in reader: inout YAMLMappingReader
    ) -> Bool {
        guard let kind = PeerKind.named(peer.kind) else { return false }
        if kind.canSend(message) { return true }
        let actions = kind.actions.map { "\(peer.name).\($0.name)" }.joined(separator: ", ")
        findings.report(
            "not-sendable",
            kind.speaks(message)
                ? "\(peer.kind) sends \(message) only by an action"
                : "\(peer.kind) speaks \(kind.protocolName), it cannot send \(message)",
            at: reader.node("send")?.position, advice: "there are the actions \(actions)")
        return false
    }
}
