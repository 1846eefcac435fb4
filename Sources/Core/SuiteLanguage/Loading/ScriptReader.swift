import Wire

/// Reads the script of a peer without its own protocol: `greeting`, `answers`, `keepAlive`.
struct ScriptReader {
    let scope: VariableScope
    /// The message to which `where` and `save` refer unless an entry names another one.
    private let plainMessage: String
    /// Whether the peer sends HTTP requests; `nil` if it does not use HTTP.
    private let isHTTPClient: Bool?
    /// The protocol of its messages, if a file describes it.
    private let described: DescribedProtocol?
    /// The named protocol that it speaks.
    private let named: NamedProtocol?
    private let isDatagram: Bool

    private var findings: Findings { scope.findings }

    /// The maximum number of answers of one peer.
    static let answersMax = 1_000

    /// Creates a reader for the script of a peer of that kind, whose entries refer to that message
    /// by default.
    init(
        scope: VariableScope, kind: PeerKind, plainMessage: String,
        described: DescribedProtocol? = nil, named: NamedProtocol? = nil
    ) {
        self.scope = scope
        self.named = named
        isDatagram = kind.usesDatagrams
        isHTTPClient = kind.protocolName == "http" ? kind.callsDevice : nil
        self.described = described
        self.plainMessage = plainMessage
    }

    /// Reads the script entries of a declaration; they override those of `known`.
    func script(_ entries: [YAMLNode.Entry], over known: PeerScript) -> PeerScript {
        var script = known
        for entry in entries {
            switch entry.key {
            case "greeting": script.greeting = sends(entry) ?? []
            case "answers": script.answers = answers(entry) ?? []
            case "keepAlive": script.keepAlive = keepAlive(entry)
            default: break
            }
        }
        return script
    }

    /// Reads bytes or a message, or a list of them; `nil`, after a report, if they cannot be used.
    private func sends(_ entry: YAMLNode.Entry, _ own: VariableScope? = nil) -> [PeerScript.Send]? {
        var reader = ByteNotationReader(scope: own ?? scope)
        reader.described = described
        reader.named = named
        reader.isDatagram = isDatagram
        let sends = (entry.value.elements ?? [entry.value]).map { node -> PeerScript.Send? in
            if let isHTTPClient, let entries = scope.resolve(node)?.entries,
                !entries.contains(where: { ByteExpression.Notation(rawValue: $0.key) != nil })
            {
                return HTTPTemplateReader(scope: own ?? scope, isClient: isHTTPClient)
                    .template(node).map(PeerScript.Send.http)
            }
            return reader.bytes(
                node, plain: .text, name: "\"\(entry.key)\"", allowsEmpty: true
            ).map(PeerScript.Send.bytes)
        }
        return sends.contains(nil) ? nil : sends.compactMap(\.self)
    }

    private func keepAlive(_ entry: YAMLNode.Entry) -> PeerScript.KeepAlive? {
        guard let node = scope.resolve(entry.value),
            var reader = scope.mapping(node, as: SuiteVocabulary.keepAlive)
        else { return nil }
        reader.require("every")
        reader.require("send")
        let interval = reader.duration("every")
        let sends = reader.entry("send").flatMap { self.sends($0) }
        if interval == .zero {
            findings.report(
                "bad-value", "\"every\" is longer than 0s", at: reader.node("every")?.position)
        }
        reader.finish()
        guard let interval, interval > .zero, let sends else { return nil }
        return PeerScript.KeepAlive(interval: interval, sends: sends)
    }

    private func answers(_ entry: YAMLNode.Entry) -> [PeerScript.Answer]? {
        guard let node = scope.resolve(entry.value) else { return nil }
        guard let elements = node.elements else {
            findings.report(
                "wrong-type", "\"answers\" takes a list, this is \(node.kindInWords)",
                at: node.position, advice: "begin each answer with \"- \"")
            return nil
        }
        guard elements.count <= Self.answersMax else {
            findings.report(
                "bad-value", "a peer has at most \(Self.answersMax) answers", at: node.position)
            return nil
        }
        // The other answers may send the values that one answer saves.
        var own = scope
        for name in elements.flatMap(savedNames) { own.saved.insert(own.prefix + name) }
        var answers: [PeerScript.Answer] = []
        for element in elements {
            guard let element = scope.resolve(element), let answer = answer(element, own) else {
                continue
            }
            if answers.contains(where: { $0.answersAll(that: answer) }) {
                findings.warn(
                    "never-answers", "an answer above this one fits whatever this one does",
                    at: element.position, advice: "put it first, or limit the other with \"times\"")
            }
            answers.append(answer)
        }
        return answers
    }

    private func savedNames(_ node: YAMLNode) -> [String] {
        node["save"]?.entries?.map(\.key).filter(VariableName.isValid) ?? []
    }

    private func answer(_ node: YAMLNode, _ own: VariableScope) -> PeerScript.Answer? {
        guard var reader = scope.mapping(node, as: SuiteVocabulary.answer) else { return nil }
        var answer = PeerScript.Answer()
        let vocabulary = MessageVocabulary(scope)
        if let name = reader.text("message"), let place = reader.node("message")?.position {
            guard vocabulary.check(message: name, at: place) else { return nil }
            answer.message = name
        }
        if let entry = reader.entry("to") {
            if answer.message != nil {
                findings.report(
                    "misplaced-key", "\"to\" is about plain bytes, not about a message",
                    at: entry.keyPosition, advice: "write \"where\" for its fields")
            }
            if answer.message == nil, entry.value.string == plainMessage {
                findings.warn(
                    "never-answers", "\"to\" describes bytes, \(plainMessage) is a name",
                    at: entry.value.position, advice: "write message: \(plainMessage)")
            }
            guard let matcher = matcher(entry, own) else { return nil }
            answer.conditions.append(
                FieldCondition(
                    path: isHTTPClient == nil ? .answeredData : .answeredBytes, matcher: matcher,
                    position: entry.keyPosition))
        }
        // A peer that speaks HTTP answers messages, never other bytes.
        if isHTTPClient != nil, answer.message == nil { answer.message = plainMessage }
        let message = answer.message ?? plainMessage
        let about = ["where", "save"].first { reader.has($0) }
        if answer.message == nil, let named, let key = about {
            findings.report(
                "missing-key", "\"\(key)\" without \"message\"",
                at: reader.entry(key)?.keyPosition,
                advice: "state which message of \(named.name) is answered: "
                    + "message: \(named.description.messages.first?.name ?? named.name)")
        }
        if let entry = reader.entry("where") {
            answer.conditions += PatternReader(
                scope: own, peers: [], described: described.map { [$0] } ?? []
            ).conditions(entry.value, of: message)
        }
        if let entry = reader.entry("save") { answer.saves = saves(entry, of: message) }
        if let entry = reader.entry("send") {
            guard let sends = sends(entry, own) else { return nil }
            answer.sends = sends
        }
        answer.after = reader.duration("after") ?? .zero
        answer.times = reader.integer("times", in: 1...1_000_000).map { Int($0) }
        answer.end = reader.word("then", of: PeerScript.Answer.End.allCases.map(\.rawValue))
            .flatMap(PeerScript.Answer.End.init)
        reader.finish()
        return answer
    }

    /// Reads the condition on the bytes: these bytes, or a mapping of matchers.
    private func matcher(_ entry: YAMLNode.Entry, _ own: VariableScope) -> ValueMatcher? {
        guard entry.value.entries != nil else {
            return ByteNotationReader(scope: own)
                .bytes(entry.value, plain: .text, name: "\"to\"", allowsEmpty: true)
                .map(ValueMatcher.bytes)
        }
        return MatcherReader(scope: own).matcher(entry.value, type: .bytes, name: "the data")
    }

    private func saves(_ entry: YAMLNode.Entry, of message: String) -> [Step.Save] {
        guard let node = scope.resolve(entry.value) else { return [] }
        guard let entries = node.entries else {
            findings.report(
                "wrong-type", "\"save\" takes a mapping, this is \(node.kindInWords)",
                at: node.position)
            return []
        }
        let vocabulary = MessageVocabulary(scope)
        return entries.compactMap { entry in
            guard let target = scope.resolve(entry.value) else { return nil }
            guard VariableName.isValid(entry.key), let text = target.string else {
                findings.report(
                    "bad-value", "\"save\" takes names of variables and paths of fields",
                    at: entry.keyPosition, advice: "write {name: data}")
                return nil
            }
            guard let field = vocabulary.field(text, of: message, at: target.position) else {
                return nil
            }
            return Step.Save(variable: scope.prefix + entry.key, path: field.path)
        }
    }
}

extension PeerScript.Answer {
    /// Whether it matches everything that another answer below it matches.
    fileprivate func answersAll(that other: PeerScript.Answer) -> Bool {
        conditions.isEmpty && times == nil && message == other.message
    }
}
