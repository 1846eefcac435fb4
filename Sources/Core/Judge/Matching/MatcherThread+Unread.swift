import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Records a message if the case refers to a field that its decoder did not read.
    mutating func recordUnread(_ message: PlacedMessage) {
        guard let unread = message.content.unread, !isOverdue(at: message.time),
            !unread.fields.isEmpty, asks(for: unread, of: message.name)
        else { return }
        record.recordUnread(message)
    }

    /// Whether a pattern of the case, or a value that a step saves, names one of these fields.
    private func asks(for unread: Unread, of name: String) -> Bool {
        func isNamed(_ pattern: MessagePattern, _ saved: [Step.Save]) -> Bool {
            pattern.covers(name)
                && (pattern.conditions.contains { unread.hides($0.path) }
                    || saved.contains { unread.hides($0.path) })
        }
        return program.lines.contains { line in
            line.goal.signatures.contains { isNamed($0.pattern, line.step.saves) }
        } || (testCase.never.map(\.pattern) + testCase.ignore).contains { isNamed($0, []) }
    }
}

extension CaseProgram.Goal {
    /// The signatures of the messages that it waits for.
    fileprivate var signatures: [Signature] {
        switch self {
        case .expect(let signature), .schedule(let signature, _): [signature]
        case .collect(let signatures, _): signatures
        case .act(let evidence): evidence.map { [$0] } ?? []
        case .pause: []
        }
    }
}

extension Unread {
    /// Whether it is unknown what a path leads to.
    func hides(_ path: FieldPath) -> Bool {
        guard case .name(let first)? = path.components.first else { return false }
        return fields.contains(first)
    }
}
