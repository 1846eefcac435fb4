/// The connections of a peer, with what it knows of each.
struct ConnectionTable<State: Sendable>: Sendable {
    private var states: [PeerConnection: State] = [:]
    /// Those that live, the oldest first.
    private(set) var live: [PeerConnection] = []
    /// Those that have ended, until the caller uses the same port again.
    private var ended: Set<PeerConnection> = []

    /// What is known of the connections that live.
    var values: some Collection<State> { states.values }

    /// What is known of a connection; `nil` if it does not live.
    subscript(connection: PeerConnection) -> State? {
        get { states[connection] }
        set { states[connection] = newValue }
    }

    /// Whether a connection has ended.
    func hasEnded(_ connection: PeerConnection) -> Bool { ended.contains(connection) }

    /// A connection was asked for: an earlier one of the same name is over.
    mutating func begin(_ connection: PeerConnection, _ state: State) {
        forget(connection)
        ended.remove(connection)
        open(connection, state)
    }

    /// A connection lives, perhaps for some time already.
    mutating func open(_ connection: PeerConnection, _ state: @autoclosure () -> State) {
        guard states[connection] == nil else { return }
        states[connection] = state()
        live.append(connection)
    }

    /// A connection has ended; whether it lived.
    @discardableResult
    mutating func forget(_ connection: PeerConnection) -> Bool {
        guard states.removeValue(forKey: connection) != nil else { return false }
        live.removeAll { $0 == connection }
        ended.insert(connection)
        return true
    }
}

/// A peer that knows something of each of its connections.
protocol ConnectionKeeper: Peer {
    associatedtype Connection: Sendable
    /// Its connections.
    var connections: ConnectionTable<Connection> { get }
}

extension ConnectionKeeper {
    /// The connection that is meant: that one, or the latest.
    func liveConnection(_ connection: PeerConnection?) throws(PeerError) -> PeerConnection {
        if let connection {
            if connections[connection] != nil { return connection }
            throw PeerError(
                .noConnection,
                kind.callsDevice
                    ? "the connection of \(name) from \(connection) has ended"
                    : "the connection of \(connection) to \(name) has ended")
        }
        guard let latest = latestConnection else { throw noConnection }
        return latest
    }
}
