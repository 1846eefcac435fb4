import Wire

extension TestCase {
    /// The names of the messages, and patterns of names, that its steps wait for and its rules forbid.
    public var awaitedMessages: Set<String> {
        let stepped = (preamble + steps).plain.flatMap { step -> [String] in
            switch step.verb {
            case .expect(let name): [name]
            case .collect(let entries, _): entries.map(\.pattern.message)
            case .backoff(let schedule): [schedule.attempt] + schedule.signNames
            default: []
            }
        }
        return Set(stepped + never.map(\.pattern.message))
    }

    /// The first message that neither packets nor the harness show, because it is one of a log or one
    /// that another program dissects; `nil` without one.
    ///
    /// - Parameter dissected: The names of the messages that another program dissects.
    public func unseenMessage(dissected: Set<String>) -> String? {
        awaitedMessages.sorted().first {
            $0.hasPrefix(LogEvent.prefix)
                || $0.hasPrefix(DissectorEvent.prefix) && !dissected.contains($0)
        }
    }
}
