import Wire

extension Peer {
    /// Returns the command of `close` or `reset` for a connection.
    ///
    /// - Throws: `PeerError` for another action, for an argument, or if there is no connection.
    package func end(
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
