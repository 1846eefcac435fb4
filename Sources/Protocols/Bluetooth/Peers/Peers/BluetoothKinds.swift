import PeerKit
import ScriptedPeers
import Wire

extension PeerKind {
    /// The device's Bluetooth controller.
    static let bluetoothController = PeerKind(
        name: "bluetooth.controller",
        summary: "The Bluetooth controller of the device, and the air with all peers on it.",
        protocolName: "bthci_evt", defaultPort: 6402,
        settings: [
            FieldDescription("le", .enumeration(name: "le", values: ["minimal", "5.0"])),
            FieldDescription("dual", .boolean),
            FieldDescription("powered", .boolean),
            FieldDescription("address", address),
            FieldDescription(
                "acl",
                .structure(
                    name: "acl",
                    fields: [
                        FieldDescription("length", .integer(27...251)),
                        FieldDescription("packets", .integer(1...64)),
                    ])),
        ],
        actions: [
            .close, .reset,
            PeerAction(
                name: "mute", summary: "Answers and reports nothing from now on.", argument: nil,
                evidence: nil),
            PeerAction(
                name: "powerOn",
                summary: "Answers what it has received meanwhile, and everything from now on.",
                argument: nil, evidence: nil),
        ] + PeerAction.line, sends: [], air: .controller, deviceRole: "profile.app")

    static let gattPeripheral = PeerKind(
        name: "gatt.peripheral",
        summary: "A peripheral on the air of a Bluetooth controller, with GATT services.",
        protocolName: "btatt", defaultPort: 0,
        settings: resident + [
            FieldDescription("name", .string(maxLength: nil)),
            FieldDescription("advertises", advertisement),
            FieldDescription("connection", connection),
            FieldDescription("mtu", .integer(23...517)),
            FieldDescription("delay", .duration),
            FieldDescription("pieces", .integer(1...251)),
            FieldDescription("pairs", .boolean),
            FieldDescription("encrypts", .boolean),
            FieldDescription("malforms", .array(of: .integer(0...255), count: nil)),
            FieldDescription("services", .array(of: service, count: nil)),
        ],
        actions: [
            PeerAction(
                name: "advertise", summary: "Advertises from now on, with new data if given.",
                argument: advertisement, evidence: nil, isArgumentOptional: true),
            PeerAction(
                name: "silence", summary: "Stops advertising.", argument: nil, evidence: nil),
            drop,
            leave,
            PeerAction(
                name: "powerOff", summary: "Ends its links (0x15) and stops advertising.",
                argument: nil, evidence: nil),
            connections,
            PeerAction(
                name: "notify",
                summary: "Sends a value of a characteristic to its subscribers.",
                argument: .structure(
                    name: "notify",
                    fields: [
                        FieldDescription("characteristic", uuid, isMandatory: true),
                        FieldDescription("value", .any, isMandatory: true),
                        FieldDescription("regardless", .boolean),
                    ]), evidence: nil),
            attribute,
        ], sends: [], air: .resident)

    static let gattCentral = PeerKind(
        name: "gatt.central",
        summary: "A central on the air that connects to the device and uses its service.",
        protocolName: "btatt", defaultPort: 0,
        settings: resident + [
            FieldDescription("service", uuid, isMandatory: true)
        ],
        actions: [
            PeerAction(
                name: "connect",
                summary: "Connects to the device once it advertises the service, and discovers it.",
                argument: nil, evidence: nil),
            PeerAction(
                name: "subscribe", summary: "Subscribes to a characteristic.", argument: uuid,
                evidence: nil),
            PeerAction(
                name: "unsubscribe", summary: "Ends its subscription to a characteristic.",
                argument: uuid, evidence: nil),
            PeerAction(
                name: "read", summary: "Reads a characteristic.", argument: uuid, evidence: nil),
            PeerAction(
                name: "write", summary: "Writes a characteristic.",
                argument: .structure(
                    name: "write",
                    fields: [
                        FieldDescription("characteristic", uuid, isMandatory: true),
                        FieldDescription("value", .any, isMandatory: true),
                    ]), evidence: nil),
            attribute,
            PeerAction(
                name: "leave", summary: "Ends its link (0x13).", argument: nil, evidence: nil),
            PeerAction(
                name: "drop", summary: "Its link is lost: connection timeout (0x08).",
                argument: nil, evidence: nil),
        ], sends: [], air: .resident, deviceRole: "profile.peripheral")

    static let bluetoothAccessory = PeerKind(
        name: "bluetooth.accessory",
        summary: "An accessory on the air, with iAP2 and External Accessory sessions over BR/EDR.",
        protocolName: "ea", defaultPort: 0,
        settings: resident + [
            FieldDescription("name", .string(maxLength: nil)),
            FieldDescription("protocols", .array(of: .string(maxLength: nil), count: nil)),
            FieldDescription("rfcomm", .integer(1...30)),
            FieldDescription("connection", connection),
            FieldDescription("sessions", sessions),
            FieldDescription("echoes", .boolean),
        ],
        actions: [
            PeerAction(
                name: "connect", summary: "Pages the device.", argument: nil,
                evidence: "bredr.connectionRequest"),
            connections,
            PeerAction(
                name: "sessions", summary: "Sets the answer to requests for a session.",
                argument: sessions, evidence: nil),
            PeerAction(
                name: "say", summary: "Sends bytes in the latest session.", argument: .any,
                evidence: "ea.data"),
            PeerAction(
                name: "closeSession", summary: "Ends the latest session.", argument: nil,
                evidence: "ea.close"),
            PeerAction(
                name: "resetLink", summary: "Breaks the iAP2 link.", argument: nil,
                evidence: "iap2.RST"),
            PeerAction(
                name: "closeChannel", summary: "Ends the serial channel.", argument: nil,
                evidence: "btrfcomm.DISC"),
            drop,
            leave,
            PeerAction(
                name: "powerOff", summary: "Ends its links (0x15) and answers no page.",
                argument: nil, evidence: nil),
        ], sends: [], air: .resident)

    private static let attribute = PeerAction(
        name: "attribute", summary: "Sends a PDU of the attribute protocol unchanged.",
        argument: .any, evidence: nil)
    private static let drop = PeerAction(
        name: "drop", summary: "Its links are lost: connection timeout (0x08).", argument: nil,
        evidence: nil)
    private static let leave = PeerAction(
        name: "leave", summary: "Ends its links (0x13).", argument: nil, evidence: nil)
    private static let connections = PeerAction(
        name: "connections", summary: "Sets the answer to requests for a connection.",
        argument: connection, evidence: nil)

    private static let sessions = FieldType.enumeration(
        name: "sessions", values: ["accept", "refuse", "silent"])

    /// The connection on which an app reports events that no packet shows.
    static let appReports = PeerKind(
        name: "app.reports",
        summary: "Receives what the app reports: JSON lines on a connection of their own.",
        protocolName: "profile", defaultPort: 6403, settings: [], actions: [.close, .reset],
        sends: [])

    /// The settings that every peer on the air has.
    private static let resident = [
        FieldDescription("air", .string(maxLength: nil), isMandatory: true),
        FieldDescription("address", address, isMandatory: true),
    ]
    private static let address = FieldType.string(maxLength: 17)
    private static let uuid = FieldType.string(maxLength: 36)
    private static let connection = FieldType.enumeration(
        name: "connection", values: ["accept", "ignore", "fail"])

    private static let advertisement = FieldType.structure(
        name: "advertises",
        fields: [
            FieldDescription("uuids", .array(of: uuid, count: nil)),
            FieldDescription(
                "in",
                .enumeration(
                    name: "in",
                    values: [
                        "advertisement", "scanResponse", "both", "serviceData", "solicitation",
                        "nowhere",
                    ])),
            FieldDescription(
                "form", .enumeration(name: "form", values: ["complete", "incomplete"])),
            FieldDescription("name", .string(maxLength: 29)),
            FieldDescription("interval", .duration),
            FieldDescription("rssi", .integer(-127...20)),
        ])

    private static let service = FieldType.structure(
        name: "service",
        fields: [
            FieldDescription("uuid", uuid, isMandatory: true),
            FieldDescription(
                "characteristics", .array(of: characteristic, count: nil), isMandatory: true),
        ])

    private static let characteristic = FieldType.structure(
        name: "characteristic",
        fields: [
            FieldDescription("uuid", uuid, isMandatory: true),
            FieldDescription(
                "properties",
                .array(
                    of: .enumeration(
                        name: "property",
                        values: ["read", "write", "writeWithoutResponse", "notify", "indicate"]),
                    count: nil), isMandatory: true),
            FieldDescription("value", .any),
            FieldDescription(
                "refuses",
                .structure(
                    name: "refuses",
                    fields: ["read", "write", "subscribe"].map {
                        FieldDescription($0, .integer(1...255))
                    })),
            FieldDescription(
                "silent",
                .array(
                    of: .enumeration(name: "silent", values: ["read", "write", "subscribe"]),
                    count: nil)),
            FieldDescription(
                "late",
                .structure(
                    name: "late",
                    fields: ["read", "write", "subscribe"].map {
                        FieldDescription($0, .duration)
                    })),
            FieldDescription("encrypted", .boolean),
            FieldDescription(
                "answers",
                .structure(
                    name: "answers",
                    fields: [
                        FieldDescription("notify", uuid, isMandatory: true),
                        FieldDescription("with", .any, isMandatory: true),
                    ])),
        ])
}

extension PeerModule {
    /// The module for the device's Bluetooth controller, with all peers on its air.
    public static let bluetoothController = PeerModule(.bluetoothController) {
        declaration, inhabitants throws(PeerError) in
        try BluetoothControllerPeer(declaration, inhabitants: inhabitants)
    }
    /// The module for an app's reports of events that no packet shows.
    public static let appReports = scripted(.appReports)
    /// The module for a peripheral on the air.
    public static let gattPeripheral = resident(.gattPeripheral)
    /// The module for a central on the air.
    public static let gattCentral = resident(.gattCentral)
    /// The module for an accessory on the air.
    public static let bluetoothAccessory = resident(.bluetoothAccessory)

    /// Returns the module of a peer that the controller of its air plays.
    private static func resident(_ kind: PeerKind) -> PeerModule {
        PeerModule(kind) { declaration, _ throws(PeerError) in
            throw PeerError(
                .badSetting, "the peer \(declaration.name) is on no air",
                advice: "name a \(PeerKind.bluetoothController) in its setting `air`")
        }
    }
}
