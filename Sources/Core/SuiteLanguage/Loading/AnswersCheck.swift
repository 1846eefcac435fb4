import Wire

/// Checks the names under `answers`, a setting of peers, after its types have been checked.
struct AnswersCheck {
    let scope: VariableScope
    let kind: PeerKind

    private var findings: Findings { scope.findings }

    /// Reports messages and fields that do not exist, and those that the peer cannot send.
    func check(_ answers: YAMLNode) {
        for element in known(answers)?.elements ?? [] {
            guard let answer = known(element), answer.entries != nil else { continue }
            check(answer: answer)
        }
    }

    private func check(answer: YAMLNode) {
        guard let node = answer["message"] else {
            return findings.report(
                "missing-key", "this answer has no \"message\"", at: answer.position,
                advice: "name what it answers: {message: \(kind.protocolName).*, after: 200ms}")
        }
        let vocabulary = MessageVocabulary(scope)
        guard let message = known(node)?.string,
            vocabulary.check(pattern: message, at: node.position)
        else { return }
        guard kind.speaks(message) else {
            return refuse("\(kind) does not answer \(message)", node)
        }
        var sent = vocabulary.message(named: message)?.response
        if let node = answer["send"] {
            guard let name = known(node)?.string,
                vocabulary.check(message: name, at: node.position)
            else { return }
            guard kind.canSend(name) else { return refuse("\(kind) cannot send \(name)", node) }
            sent = name
        }
        guard let fields = answer["with"], let entries = known(fields)?.entries else { return }
        guard let sent else {
            return refuse("\"with\" changes one message, and \(message) has no answer", fields)
        }
        for entry in entries {
            _ = vocabulary.field(entry.key, of: sent, at: entry.keyPosition)
        }
    }

    private func refuse(_ what: String, _ node: YAMLNode) {
        findings.report("bad-setting", what, at: node.position)
    }

    /// Returns a node with the values of variables; `nil` if they are known only in a run.
    private func known(_ node: YAMLNode) -> YAMLNode? {
        if case .node(let known)? = scope.expand(node) { known } else { nil }
    }
}
