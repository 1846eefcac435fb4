extension PeerKind {
    static let tcpServer = PeerKind(
        name: "tcp.server",
        summary: "A TCP server that accepts connections and says nothing on them.",
        protocolName: "tcp", defaultPort: 0, settings: [],
        actions: [
            .close, .reset,
        ] + lineActions)
}
