import Wire

/// Reads declarations of peers and checks their settings.
struct PeerReader {
    let scope: VariableScope

    private var findings: Findings { scope.findings }

    /// Returns the settings that a kind of peer has in addition to its own.
    static func commonSettings(of kind: PeerKind) -> [FieldDescription] {
        [FieldDescription("port", .integer(0...65_535)), FieldDescription("listens", .boolean)]
            + (kind.takesAnswers ? [.answers] : [])
            + (kind.usesDatagrams || kind.livesOnAir || kind.runsProgram ? [] : [.tls])
    }

    /// The placeholders in the settings of a peer that runs a program: address, port and folder.
    private static let programPlaceholders = ["host", "port", "home"]

    /// Reads `peers`; changes a peer that `known` already has, and adds the others.
    func read(_ entries: [YAMLNode.Entry], over known: [PeerDeclaration]) -> [PeerDeclaration] {
        var peers = known
        for entry in entries {
            let index = peers.firstIndex { $0.name == entry.key }
            guard let peer = declaration(entry, over: index.map { peers[$0] }) else { continue }
            if let index { peers[index] = peer } else { peers.append(peer) }
        }
        return peers
    }

    /// Reads the settings of one peer in `given`.
    func override(_ peer: PeerDeclaration, with node: YAMLNode) -> PeerDeclaration {
        let kind = peer.kind
        guard let node = scope.resolve(node), let entries = mapping(node, of: kind) else {
            return peer
        }
        let shared = [PeerDeclaration.streamSetting, PeerDeclaration.protocolSetting]
        if let entry = entries.first(where: { shared.contains($0.key) }) {
            findings.report(
                "misplaced-key", "\"\(entry.key)\" holds for all cases of a suite",
                at: entry.keyPosition,
                advice: "set it where the peer is declared, or declare another peer")
            return peer
        }
        var changed = peer
        changed.settings = peer.settings.merged(with: settings(entries, of: kind))
        changed.script = script(entries, of: kind, over: peer.script, changed)
        return changed
    }

    private func declaration(
        _ entry: YAMLNode.Entry, over known: PeerDeclaration?
    ) -> PeerDeclaration? {
        guard PlainName.isValid(entry.key), !entry.key.contains("."), entry.key != Step.device
        else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a peer",
                at: entry.keyPosition, advice: "use letters, digits, \"-\" and \"_\"")
            return nil
        }
        guard let node = scope.resolve(entry.value), let kind = kind(of: node, known: known),
            let entries = mapping(node, of: kind)
        else { return nil }
        let own = settings(entries.filter { $0.key != "is" }, of: kind)
        let base = known?.kind == kind ? known?.settings : nil
        for field in kind.settings where field.isMandatory {
            guard base?[field.path] == nil, !entries.contains(where: { $0.key == field.path })
            else { continue }
            findings.report(
                "missing-key", "this \(kind.name) has no \"\(field.path)\"", at: node.position)
        }
        var peer = PeerDeclaration(
            name: entry.key, kind: kind,
            settings: (base ?? .object([])).merged(with: own), position: entry.keyPosition)
        let former = known?.kind == kind ? known?.script : nil
        let stream = entries.first { $0.key == PeerDeclaration.streamSetting }
        peer.described =
            stream.map { StreamCuttingReader(scope: scope).description($0.value) }
            ?? (known?.kind == kind ? known?.described : nil)
        let spoken = entries.first { $0.key == PeerDeclaration.protocolSetting }
        peer.named =
            spoken.map { named($0, in: &peer, besides: stream) }
            ?? (known?.kind == kind && stream == nil ? known?.named : nil)
        peer.script = script(entries, of: kind, over: former ?? PeerScript(), peer)
        return peer
    }

    /// Returns the protocol that `speaks` names; the peer gets its port unless it sets another one.
    private func named(
        _ entry: YAMLNode.Entry, in peer: inout PeerDeclaration, besides stream: YAMLNode.Entry?
    ) -> NamedProtocol? {
        guard let node = scope.resolve(entry.value), let name = node.string else { return nil }
        let known = scope.described?.own ?? []
        guard let found = known.first(where: { $0.name == name }) else {
            findings.report(
                "unknown-protocol", "no file under \"protocols\" describes \"\(name)\"",
                at: node.position,
                advice: known.isEmpty
                    ? "add protocols: [\(name).yaml] to the suite"
                    : Suggestion.advice(for: name, in: known.map(\.name)))
            return nil
        }
        if let stream {
            findings.report(
                "misplaced-key", "\"stream\" together with \"speaks\"", at: stream.keyPosition,
                advice: "the file of the protocol says how its streams are cut")
        }
        guard let carriage = peer.isDatagram ? found.udp : found.tcp else {
            findings.report(
                "bad-setting", "\(peer.isDatagram ? "UDP" : "TCP") does not carry \(name)",
                at: node.position,
                advice: "add \"\(peer.isDatagram ? "udp" : "tcp")\" to \(found.path)")
            return nil
        }
        if peer.settings["port"] == nil, let port = carriage.ports.first {
            peer.settings = peer.settings.merged(with: ["port": .integer(Int64(port))])
        }
        return found
    }

    private func script(
        _ entries: [YAMLNode.Entry], of kind: PeerKind, over known: PeerScript,
        _ peer: PeerDeclaration
    ) -> PeerScript {
        guard let message = kind.scriptMessage else { return known }
        let isCut = peer.stream != nil && !peer.isDatagram
        return ScriptReader(
            scope: scope, kind: kind, plainMessage: isCut ? StreamUnit.messageName : message,
            described: peer.described, named: peer.named
        ).script(entries, over: known)
    }

    private func kind(of node: YAMLNode, known: PeerDeclaration?) -> PeerKind? {
        guard node.entries != nil else {
            _ = mapping(node, of: nil)
            return nil
        }
        guard let written = node["is"].flatMap(scope.resolve) else {
            if let known { return known.kind }
            if node["is"] == nil {
                findings.report(
                    "missing-key", "this peer has no \"is\"", at: node.position,
                    advice: "state what it plays: \(kindNames.joined(separator: ", "))")
            }
            return nil
        }
        if let kind = written.string.flatMap(scope.protocols.peer) { return kind }
        let name = written.string ?? written.value.suiteText
        findings.report(
            "unknown-peer-kind", "there is no kind of peer \"\(name)\"", at: written.position,
            advice: Suggestion.advice(for: name, in: kindNames))
        return nil
    }

    private var kindNames: [String] { scope.protocols.peers.map(\.name) }

    private func mapping(_ node: YAMLNode, of kind: PeerKind?) -> [YAMLNode.Entry]? {
        if let entries = node.entries { return entries }
        findings.report(
            "wrong-type", "a peer is a mapping of its settings, this is \(node.kindInWords)",
            at: node.position, advice: kind == nil ? "write {is: \(kindNames[0])}" : "")
        return nil
    }

    private func settings(_ entries: [YAMLNode.Entry], of kind: PeerKind) -> Value {
        let known = PeerReader.commonSettings(of: kind) + kind.settings
        var scope = scope
        if kind.runsProgram {
            // Their values are known only when the program is launched.
            for name in PeerReader.programPlaceholders {
                scope.values[name] = .string("${\(name)}")
            }
        }
        let reader = ValueReader(scope: scope, misfit: .refused, allowsSaved: false)
        var members: [Value.Member] = []
        let scriptKeys = kind.isScripted ? SuiteVocabulary.script.map(\.name) : []
        for entry in entries where !scriptKeys.contains(entry.key) {
            guard let field = known.first(where: { $0.path == entry.key }) else {
                findings.report(
                    "unknown-setting", "\(kind.name) has no setting \"\(entry.key)\"",
                    at: entry.keyPosition,
                    advice: Suggestion.advice(
                        for: entry.key, in: known.map(\.path) + scriptKeys))
                continue
            }
            if entry.key == PeerDeclaration.streamSetting {
                if let value = StreamCuttingReader(scope: scope).value(entry.value) {
                    members.append(Value.Member(entry.key, value))
                }
                continue
            }
            if let value = reader.value(entry.value, type: field.type, name: entry.key) {
                members.append(Value.Member(entry.key, value))
                if kind.takesAnswers, entry.key == FieldDescription.answers.path {
                    AnswersCheck(scope: scope, kind: kind).check(entry.value)
                }
            }
        }
        return .object(members)
    }
}

extension Value {
    /// Returns this object overridden by the members of another; objects in both are merged
    /// recursively.
    func merged(with other: Value) -> Value {
        guard case .object(var members) = self, case .object(let others) = other else {
            return other
        }
        for member in others {
            if let index = members.firstIndex(where: { $0.name == member.name }) {
                members[index].value = members[index].value.merged(with: member.value)
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
