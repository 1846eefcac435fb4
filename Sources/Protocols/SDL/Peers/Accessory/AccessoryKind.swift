import PeerKit
import Wire

extension PeerKind {
    static let accessory = PeerKind(
        name: "iap.accessory",
        summary: "External Accessory accessories whose sessions lead to an SDL head unit.",
        protocolName: "ea", defaultPort: 12346, settings: AccessorySettings.fields,
        actions: [
            PeerAction(
                name: "connect",
                summary: "Connects an accessory that is not connected: a connect notification.",
                argument: .string(maxLength: nil), evidence: "ea.connected"),
            PeerAction(
                name: "disconnect",
                summary: "Disconnects an accessory: notifies the device, and ends its sessions.",
                argument: .string(maxLength: nil), evidence: "ea.disconnected"),
            PeerAction(
                name: "index",
                summary: "Sends the index of a dedicated string on the latest control session.",
                argument: .integer(0...255), evidence: "ea.data"),
            PeerAction(
                name: "indices",
                summary: "Sends several bytes at once on the latest control session.",
                argument: .array(of: .integer(0...255), count: 2...100), evidence: "ea.data"),
            PeerAction(
                name: "close", summary: "Ends the latest session in good order.",
                argument: nil, evidence: "ea.close"),
            PeerAction(
                name: "dropLink", summary: "Ends the latest session as if the link were lost.",
                argument: nil, evidence: "ea.close"),
            PeerAction(
                name: "ignitionOff",
                summary: "Tells every app that the ignition goes off, then ends its session.",
                argument: nil, evidence: "sdl.OnAppInterfaceUnregistered.notification"),
            .forgetApps,
            .configure(AccessorySettings.changing.map(\.field)),
        ] + PeerAction.line + PeerAction.packets, probe: "sdl.Heartbeat",
        carries: [HeadUnitPeer.kind],
        sends: ["ea.opened", "ea.refused"], deviceRole: "sdl.app")
}

extension PeerModule {
    /// The module for External Accessory accessories.
    public static let accessory = PeerModule(.accessory) { declaration, _ throws(PeerError) in
        let accessories = try AccessoryPeer(declaration)
        return accessories.settings.carrier == .iap2
            ? IAP2AccessoryPeer(accessories) : accessories
    }
}
