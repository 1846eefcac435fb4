import Wire

/// Commands of a peer that wait until they are due.
package struct WaitingCommands {
    /// The latest time that the peer was given, in nanoseconds.
    package private(set) var now: Int64 = 0
    private var waiting: [(due: Int64, commands: [PeerCommand])] = []

    /// The limit on waiting entries; beyond it commands are returned at once.
    private static let countMax = 4_096

    /// Creates an empty queue.
    package init() {}

    /// When the first commands are due; `nil` if none wait.
    package var nextDeadline: Int64? { waiting.map(\.due).min() }

    /// Returns when the last of the commands on a connection are due; `nil` if none wait.
    package func lastDue(on connection: PeerConnection) -> Int64? {
        waiting.filter { $0.commands.contains { $0.connection == connection } }.map(\.due).max()
    }

    /// Returns the time after a pause.
    package func time(after pause: Duration) -> Int64 { now + Int64(pause / .nanoseconds(1)) }

    /// Queues commands to wait; returns those that must be carried out now.
    package mutating func consume(_ commands: [PeerCommand], after pause: Duration) -> [PeerCommand]
    {
        consume(commands, at: time(after: pause))
    }

    /// Queues commands until a time; returns those that must be carried out now.
    package mutating func consume(_ commands: [PeerCommand], at due: Int64) -> [PeerCommand] {
        guard due > now, waiting.count < Self.countMax, !commands.isEmpty else { return commands }
        waiting.append((due, commands))
        return []
    }

    /// Stores the time; returns the commands that are due, in order of time.
    package mutating func advance(to now: Int64) -> [PeerCommand] {
        self.now = max(self.now, now)
        guard !waiting.isEmpty else { return [] }
        let ready = waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
        waiting.removeAll { $0.due <= now }
        return ready.flatMap(\.commands)
    }
}
