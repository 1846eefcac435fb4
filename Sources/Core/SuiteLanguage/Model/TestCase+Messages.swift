import Wire

extension TestCase {
    /// The names and name patterns of messages that its steps wait for and its rules forbid.
    public var awaitedMessages: Set<String> {
        namedMessages.union(
            (preamble + steps).plain.flatMap { step -> [String] in
                if case .backoff(let schedule) = step.verb { Array(schedule.signNames) } else { [] }
            })
    }

    /// The names and name patterns of messages that steps and rules name themselves.
    private var namedMessages: Set<String> {
        let stepped = (preamble + steps).plain.flatMap { step -> [String] in
            switch step.verb {
            case .expect(let name): [name]
            case .collect(let entries, _): entries.map(\.pattern.message)
            case .backoff(let schedule): [schedule.attempt]
            default: []
            }
        }
        return Set(stepped + never.map(\.pattern.message))
    }

    /// Whether it names only messages about connections and the device, which no encryption hides.
    ///
    /// An alert that it names may be encrypted; one that a schedule takes for bytes need not be seen.
    public var judgesConnectionsOnly: Bool {
        kind != .rules && rules.isEmpty && !namedMessages.contains("tls.Alert")
            && awaitedMessages.allSatisfy { name in
                Self.plainProtocols.contains { name.hasPrefix($0) }
                    || BackoffSchedule.plainData.contains(name)
                    || name == BackoffSchedule.finishedHandshake
            }
    }

    /// The beginnings of the names of messages that are never encrypted.
    private static let plainProtocols = ["tcp.", "udp.", "icmp.", "device.", LogEvent.prefix]

    /// Returns the first message that neither packets nor the harness can show; `nil` if there is
    /// none.
    ///
    /// Such a message comes from a log, or another program dissects it.
    ///
    /// - Parameter dissected: The names of the messages that another program dissects.
    public func unseenMessage(dissected: Set<String>) -> String? {
        awaitedMessages.sorted().first {
            $0.hasPrefix(LogEvent.prefix)
                || $0.hasPrefix(DissectorEvent.prefix) && !dissected.contains($0)
        }
    }
}
