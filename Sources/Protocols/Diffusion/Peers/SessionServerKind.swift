import PeerKit
import Wire

extension PeerKind {
    static let sessionServer = PeerKind(
        name: "session.server",
        summary: "A Diffusion server that opens sessions over WebSocket and resumes them.",
        protocolName: "diffusion", defaultPort: 8080, settings: SessionServerSettings.fields,
        actions: [
            .close, .reset,
            PeerAction(
                name: "abort",
                summary: "Ends the session: the abort notification, then FIN; it is not kept.",
                argument: nil, evidence: "diffusion.abort"),
            PeerAction(
                name: "ping", summary: "Sends a ping of the server.", argument: nil,
                evidence: "diffusion.systemPing"),
            PeerAction(
                name: "forget", summary: "Forgets every session; connections stay open.",
                argument: nil, evidence: nil),
            PeerAction(
                name: "answer", summary: "Answers the next connection with a code or status.",
                argument: .integer(0...599), evidence: nil),
            .configure(SessionServerSettings.fields),
        ] + PeerAction.line, alsoSends: ["websocket"], deviceRole: "session.client")
}

extension PeerModule {
    /// The module for a Diffusion server.
    public static let sessionServer = PeerModule(.sessionServer) {
        declaration, _ throws(PeerError) in
        try SessionServerPeer(declaration)
    }
}
