import TCPIP
import Wire

extension StepReader {
    /// Reads the rest of a `send`; `nil`, after a report, if it cannot be used.
    mutating func send(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        if reader.node("send")?.entries != nil { return sendBytes(&step, &reader) }
        let message = message("send", in: &reader)
        let sender = sender(in: &reader)
        segments(&step, &reader)
        step.to = patterns.party("to", in: &reader)
        let with = reader.entry("with")
        let wrong = reader.entry("wrong")
        let without = reader.texts("without") ?? []
        let saves = reader.node("save")
        guard let message else { return nil }
        var overrides = with.map { patterns.assignments($0, of: message) } ?? []
        overrides += wrong.map { patterns.assignments($0, of: message, misfit: .intended) } ?? []
        let vocabulary = MessageVocabulary(scope)
        for item in without {
            let field = vocabulary.field(item.text, of: message, at: item.position)
            if let field { overrides.append(FieldAssignment(path: field.path, value: nil)) }
        }
        step.corruption = corruption(of: message, &reader)
        if let saves { step.saves = save(saves, of: message) }
        guard let sender, speaks(sender, message, in: &reader) else { return nil }
        if step.corruption == nil, vocabulary.isShownByBytesAlone(message, with: overrides) {
            step.corruption = Corruption()
        }
        if sender.isDatagram {
            reader.refuse(
                ["segments"] + (sender.named == nil ? ["corrupt"] : []), code: "misplaced-key",
                because: "is about bytes of a stream; set the bytes of a datagram in \"with\"")
        }
        step.from = sender.name
        if let named = vocabulary.family(of: message), step.corruption == nil {
            let place = reader.node("send")?.position ?? reader.position
            guard let own = own(message, overrides, of: named, by: sender, at: place) else {
                return nil
            }
            return .send(own.message, overrides: own.overrides, answering: nil)
        }
        return .send(message, overrides: overrides, answering: nil)
    }

    /// Reads a message of a protocol of the suite.
    ///
    /// A message that is malformed on purpose is sent as its bytes.
    private func own(
        _ message: String, _ overrides: [FieldAssignment], of named: NamedProtocol,
        by sender: PeerDeclaration, at position: SourcePosition
    ) -> (message: String, overrides: [FieldAssignment])? {
        var fields: [(path: FieldPath, value: Value?)] = []
        for override in overrides {
            guard let expression = override.value else { continue }
            guard let value = expression.literalValue else { return (message, overrides) }
            fields.append((override.path, value))
        }
        do throws(EvaluationError) {
            let bytes = try named.encode(message, fields, isDatagram: sender.isDatagram)
            guard case .message(let decoded, _) = named.read(bytes, isDatagram: sender.isDatagram)
            else {
                let all = FieldAssignment(path: .answeredData, value: .literal(.bytes(bytes)))
                return ("\(named.name).\(MessageNaming.malformed)", [all])
            }
            if decoded.name == message { return (message, overrides) }
            findings.report(
                "not-sendable",
                "with these fields it is \(decoded.name ?? "another message"), not \(message)",
                at: position, advice: "set the fields that make it \(message) in \"with\"")
        } catch {
            findings.report(
                "not-sendable", "\(message) cannot be written: \(error.description)", at: position,
                advice: "set its fields in \"with\"")
        }
        return nil
    }

    func sender(in reader: inout YAMLMappingReader) -> PeerDeclaration? {
        guard reader.has("from") else {
            if peers.count == 1 { return peers[0] }
            guard scope.unreadPeers.isEmpty else { return nil }
            let names = peers.map { "from: \($0.name)" }.joined(separator: " or ")
            findings.report(
                "missing-key", "this step does not say which peer sends", at: reader.position,
                advice: peers.isEmpty ? "declare a peer" : "add \(names)")
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
        let kind = peer.kind
        let position = reader.node("send")?.position
        if let named = MessageVocabulary(scope).family(of: message) {
            if peer.named == named { return true }
            findings.report(
                "not-sendable", "\(peer.name) does not speak \(named.name)", at: position,
                advice: "add \"speaks: \(named.name)\" to the peer")
            return false
        }
        if let named = peer.named, message == UDPDatagram.name {
            findings.report(
                "not-sendable", "the datagrams of \(peer.name) are messages of \(named.name)",
                at: position,
                advice: "send one of these, with: {data: {hex: ...}} for any bytes")
            return false
        }
        if kind.canSend(message) { return true }
        let actions = kind.actions.map { "\(peer.name).\($0.name)" }.joined(separator: ", ")
        findings.report(
            "not-sendable",
            kind.speaks(message)
                ? "\(peer.kind) sends \(message) only by an action"
                : "\(peer.kind) speaks \(kind.protocolName), it cannot send \(message)",
            at: position, advice: "there are the actions \(actions)")
        return false
    }
}
