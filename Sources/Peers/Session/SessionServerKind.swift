import Wire

extension PeerKind {
    static let sessionServer = PeerKind(
        name: "session.server",
        summary: "A Diffusion server that opens sessions over WebSocket and resumes them.",
        protocolName: "diffusion", defaultPort: 8080, settings: sessionServerSettings,
        actions: [
            .close, .reset,
            PeerAction(
                name: "abort",
                summary: "Ends the session: the abort notification, then FIN; it is forgotten.",
                argument: nil, evidence: "diffusion.abort"),
            PeerAction(
                name: "ping", summary: "Sends a ping of the server.", argument: nil,
                evidence: "diffusion.systemPing"),
            PeerAction(
                name: "forget", summary: "Forgets every session; connections stay.",
                argument: nil, evidence: nil),
            PeerAction(
                name: "answer", summary: "Answers the next connection with that code or status.",
                argument: .integer(0...599), evidence: nil),
            .configure(sessionServerSettings),
        ] + PeerAction.line, alsoSends: ["websocket"], deviceRole: "session.client")

    private static let sessionServerSettings: [FieldDescription] = [
        FieldDescription("open", .integer(0...599)),
        FieldDescription("resume", .integer(0...599)),
        FieldDescription("unknown", .integer(0...599)),
        FieldDescription("pings", pings),
        FieldDescription("systemPing", .duration),
        FieldDescription("keeps", .string(maxLength: nil)),
        FieldDescription(
            "connections",
            .array(
                of: .structure(
                    name: "connection",
                    fields: [
                        FieldDescription("accept", .boolean),
                        FieldDescription("answer", .integer(0...599)),
                        FieldDescription("pings", pings),
                        FieldDescription("after", .duration),
                        FieldDescription(
                            "then",
                            .enumeration(
                                name: "then", values: ["close", "reset", "abort", "nothing"])),
                    ]), count: nil)),
    ]

    private static let pings = FieldType.enumeration(name: "pings", values: ["answer", "ignore"])
}

extension PeerModule {
    /// A Diffusion server.
    public static let sessionServer = PeerModule(.sessionServer) {
        declaration, _ throws(PeerError) in
        try SessionServerPeer(declaration)
    }
}
