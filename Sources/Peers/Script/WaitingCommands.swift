import Suites
import Wire

/// Commands of a peer that wait until they are due.
struct WaitingCommands {
    /// The latest time that the peer was given, in nanoseconds.
    private(set) var now: Int64 = 0
    private var waiting: [(due: Int64, commands: [PeerCommand])] = []

    /// The limit on waiting entries; beyond it commands are returned at once.
    private static let countMax = 4_096

    /// When the first commands are due; `nil` if none wait.
    var nextDeadline: Int64? { waiting.map(\.due).min() }

    /// Returns the time after a pause.
    func time(after pause: Duration) -> Int64 { now + Int64(pause / .nanoseconds(1)) }

    /// Queues commands to wait; returns those that must be carried out now.
    mutating func take(_ commands: [PeerCommand], after pause: Duration) -> [PeerCommand] {
        take(commands, at: time(after: pause))
    }

    /// Queues commands until a time; returns those that must be carried out now.
    mutating func take(_ commands: [PeerCommand], at due: Int64) -> [PeerCommand] {
        guard due > now, waiting.count < Self.countMax, !commands.isEmpty else { return commands }
        waiting.append((due, commands))
        return []
    }

    /// Stores the time; returns the commands that are due, in order of time.
    mutating func advance(to now: Int64) -> [PeerCommand] {
        self.now = max(self.now, now)
        guard !waiting.isEmpty else { return [] }
        let ready = waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
        waiting.removeAll { $0.due <= now }
        return ready.flatMap(\.commands)
    }
}

extension Peer {
    /// Returns the command of `close` or `reset` for a connection.
    ///
    /// - Throws: `PeerError` for another action, for an argument, or if there is no connection.
    func end(
        _ connection: PeerConnection?, by action: String, _ arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard action == "close" || action == "reset" else {
            throw PeerError.unknownAction(action, of: kind, "\(kind)")
        }
        guard arguments == .null else { throw PeerError.takesNoArgument(action, of: name) }
        guard let connection else { throw noConnection }
        return [action == "close" ? .close(connection) : .reset(connection)]
    }

    /// The error that there is no connection to send on or to end.
    package var noConnection: PeerError {
        let calls = kind.callsDevice
        return PeerError(
            .noConnection,
            calls
                ? "\(name) holds no connection to the device"
                : "the device holds no connection to \(name)",
            advice: calls
                ? "write `do: \(name).connect` before"
                : "expect tcp.SYN or a message of the device first")
    }
}
