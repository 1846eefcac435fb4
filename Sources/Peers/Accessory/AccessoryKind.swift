import Wire

extension PeerKind {
    static let accessory = PeerKind(
        name: "iap.accessory",
        summary: "External Accessory accessories with an SDL head unit behind their sessions.",
        protocolName: "ea", defaultPort: 12346, settings: accessorySettings,
        actions: [
            PeerAction(
                name: "connect",
                summary: "Connects an accessory that is not: a connect notification.",
                argument: .string(maxLength: nil), evidence: "ea.connected"),
            PeerAction(
                name: "disconnect",
                summary: "Takes an accessory away: tells the device, and ends its sessions.",
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
                name: "dropLink", summary: "Ends the latest session as a link that is lost.",
                argument: nil, evidence: "ea.close"),
            PeerAction(
                name: "ignitionOff",
                summary: "Tells every app that the ignition goes off, then ends its session.",
                argument: nil, evidence: "sdl.OnAppInterfaceUnregistered.notification"),
            .forgetApps,
            .configure(accessoryChanges),
        ] + PeerAction.line + PeerAction.packets, probe: "sdl.Heartbeat", carries: [headUnit],
        sends: ["ea.opened", "ea.refused"], deviceRole: "sdl.app")

    private static let accessorySettings: [FieldDescription] =
        [
            FieldDescription("carrier", .enumeration(name: "carrier", values: ["bus", "iap2"])),
            FieldDescription(
                "accessories",
                .array(
                    of: .structure(
                        name: "accessory",
                        fields: [
                            FieldDescription("name", .string(maxLength: nil), isMandatory: true),
                            FieldDescription(
                                "protocols", .array(of: .string(maxLength: nil), count: nil),
                                isMandatory: true),
                            FieldDescription("connected", .boolean),
                            FieldDescription("manufacturer", .string(maxLength: nil)),
                            FieldDescription("model", .string(maxLength: nil)),
                        ]), count: nil)),
        ] + accessoryChanges

    /// The settings that may change while a case runs.
    private static let accessoryChanges: [FieldDescription] = [
        FieldDescription("echoes", .boolean),
        FieldDescription("hubIndex", .array(of: .integer(0...255), count: nil)),
        FieldDescription(
            "sessions",
            .structure(
                name: "sessions",
                fields: ["all", "multisession", "control", "dedicated", "legacy", "other"].map {
                    FieldDescription($0, .array(of: behaviour, count: 1...1000))
                })),
        FieldDescription(
            "headUnit", .structure(name: "headUnit", fields: headUnit.settings)),
    ]

    private static let behaviour = FieldType.enumeration(
        name: "sessions", values: ["accept", "refuse", "silent", "drop"])
}

extension PeerModule {
    /// External Accessory accessories.
    public static let accessory = PeerModule(.accessory) { declaration, _ throws(PeerError) in
        let accessories = try AccessoryPeer(declaration)
        return accessories.settings.carrier == .iap2
            ? IAP2AccessoryPeer(accessories) : accessories
    }
}
