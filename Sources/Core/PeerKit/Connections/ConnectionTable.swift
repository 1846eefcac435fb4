/// The connections of a peer, with a state for each.
package struct ConnectionTable<State: Sendable>: Sendable {
    private var states: [PeerConnection: State] = [:]
    /// The live connections, oldest first.
    package private(set) var live: [PeerConnection] = []
    /// The connections that have ended, until the caller uses the same port again.
    private var ended: Set<PeerConnection> = []

    /// Creates an empty table.
    package init() {}

    /// The states of the live connections.
    package var values: some Collection<State> { states.values }

    /// The state of a connection; `nil` if it is not live.
    package subscript(connection: PeerConnection) -> State? {
        get { states[connection] }
        set { states[connection] = newValue }
    }

    /// Whether a connection has ended.
    package func hasEnded(_ connection: PeerConnection) -> Bool { ended.contains(connection) }

    /// Adds a new connection; an earlier connection of the same name is removed.
    package mutating func begin(_ connection: PeerConnection, _ state: State) {
        forget(connection)
        ended.remove(connection)
        open(connection, state)
    }

    /// Adds a live connection unless it is known; it may have been live for some time.
    package mutating func open(_ connection: PeerConnection, _ state: @autoclosure () -> State) {
        guard states[connection] == nil else { return }
        states[connection] = state()
        live.append(connection)
    }

    /// Removes a connection that has ended; returns whether it was live.
    @discardableResult
    package mutating func forget(_ connection: PeerConnection) -> Bool {
        guard states.removeValue(forKey: connection) != nil else { return false }
        live.removeAll { $0 == connection }
        ended.insert(connection)
        return true
    }
}

/// A peer that keeps a state for each of its connections.
package protocol ConnectionKeeper: Peer {
    associatedtype Connection: Sendable
    /// Its connections.
    var connections: ConnectionTable<Connection> { get }
}

extension ConnectionKeeper {
    /// Returns the given connection if it is live, or else the latest one if none is given.
    package func liveConnection(_ connection: PeerConnection?) throws(PeerError) -> PeerConnection {
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
