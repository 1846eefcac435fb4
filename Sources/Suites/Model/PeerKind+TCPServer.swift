extension PeerKind {
    static let tcpServer = PeerKind(
        name: "tcp.server",
        summary: "A TCP server that accepts connections and says nothing on them.",
        protocolName: "tcp", defaultPort: 0, settings: [],
        actions: [
            PeerAction(
                name: "close", summary: "Closes the device's connection in good order.",
                argument: nil, evidence: "tcp.FIN"),
            PeerAction(
                name: "reset", summary: "Resets the device's connection.",
                argument: nil, evidence: "tcp.RST"),
        ] + lineActions)
}
