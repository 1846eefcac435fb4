import PeerKit
import SDL
import Wire

extension PeerAction {
    /// Deletes the data that a head unit keeps of apps.
    package static let forgetApps = PeerAction(
        name: "forget", summary: "Deletes the data of every app: no hash is known afterwards.",
        argument: nil, evidence: nil)
}

extension PeerKind {
    static let headUnit = PeerKind(
        name: "sdl.head-unit",
        summary: "An SDL head unit that answers every request as a real one does.",
        protocolName: "sdl", defaultPort: 12345, settings: HeadUnitSettings.fields,
        actions: [
            .close, .reset,
            PeerAction(
                name: "ignitionOff",
                summary: "Tells every app that the ignition goes off, then closes its connection.",
                argument: nil, evidence: "sdl.OnAppInterfaceUnregistered.notification"),
            .forgetApps,
            .configure(HeadUnitSettings.fields),
        ] + PeerAction.line, probe: "sdl.Heartbeat", deviceRole: "sdl.app")

    static let language = parameter(
        "language", of: "sdl.RegisterAppInterface.response")

    /// Returns the type of a setting that a message carries as a parameter.
    static func parameter(_ name: String, of message: String) -> FieldType {
        let path = FieldPath(components: [.name("params"), .name(name)])
        return SDL.registry.fieldType(of: path, inMessage: message) ?? .any
    }
}

extension PeerModule {
    /// The module for an SDL head unit.
    public static let headUnit = PeerModule(.headUnit) { declaration, _ throws(PeerError) in
        try HeadUnitPeer(declaration)
    }
}
