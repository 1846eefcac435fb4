import PeerKit
import Wire

extension PeerKind {
    static let app = PeerKind(
        name: "sdl.app",
        summary: "A phone with an SDL app that calls the device, a head unit, and registers.",
        protocolName: "sdl", defaultPort: 12345, settings: AppSettings.fields,
        actions: [
            PeerAction(
                name: "connect",
                summary:
                    "Connects to the device; over iAP, to get notifications of accessories.",
                argument: nil, evidence: "tcp.SYN"),
            PeerAction(
                name: "open",
                summary: "Opens a session under a protocol string, or under the dedicated one that "
                    + "the hub sent last.",
                argument: .string(maxLength: nil), evidence: "ea.open"),
            PeerAction(
                name: "register", summary: "Registers the app in the latest SDL session.",
                argument: nil, evidence: "sdl.RegisterAppInterface.request"),
            PeerAction(
                name: "end", summary: "Ends the latest session under that protocol string.",
                argument: .string(maxLength: nil), evidence: "ea.close"),
            PeerAction(
                name: "close", summary: "Closes the latest connection in good order.",
                argument: nil, evidence: "tcp.FIN"),
            PeerAction(
                name: "reset", summary: "Resets the latest connection.",
                argument: nil, evidence: "tcp.RST"),
            .configure(AppSettings.fields),
        ] + PeerAction.callerLine, probe: "sdl.Heartbeat", alsoSends: ["ea"], callsDevice: true,
        deviceRole: "sdl.head-unit")
}

extension PeerModule {
    /// The module for a phone with an SDL app.
    public static let app = PeerModule(.app) { declaration, _ throws(PeerError) in
        try AppPeer(declaration)
    }
}
