extension PeerKind {
    package static let tcpServer = PeerKind(
        name: "tcp.server",
        summary: "A TCP server that accepts connections and sends what the suite says.",
        protocolName: "tcp", defaultPort: 0, settings: [],
        actions: [
            .close, .reset,
        ] + lineActions)

    package static let tcpClient = PeerKind(
        name: "tcp.client",
        summary:
            "A TCP client that calls the device, which listens, and sends what the suite says.",
        protocolName: "tcp", defaultPort: 0, settings: [],
        actions: [
            PeerAction(
                name: "connect", summary: "Calls the device.", argument: nil, evidence: "tcp.SYN"),
            .close, .reset,
        ] + callerActions, callsDevice: true)
}
