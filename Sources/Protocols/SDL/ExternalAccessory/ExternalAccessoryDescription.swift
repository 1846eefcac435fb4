import Wire

extension ExternalAccessory {
    /// The messages that suites can name.
    public static let description = ProtocolDescription(
        name: "ea", firstCode: 464, title: "External Accessory",
        messages: [
            message(
                "control", "A phone asks for announcements of accessories; only on the bus.",
                senders: apps),
            message(
                "accessory", "An accessory that was connected before the phone asked.",
                accessory, senders: accessorySide),
            message(
                "ready",
                "The accessories that were connected before have been announced; only "
                    + "on the bus.", senders: accessorySide),
            message(
                "connected", "An accessory has been connected: a connect notification.",
                accessory, senders: accessorySide),
            message(
                "disconnected", "An accessory has been disconnected.",
                [FieldDescription("ea.accessory_id", identifier, isMandatory: true)],
                senders: accessorySide),
            message(
                "open", "An app asks for a session under a protocol string.", requested,
                response: "ea.opened", refusal: "ea.refused", senders: apps),
            message(
                "opened", "The accessory has opened the session.", session,
                senders: accessorySide),
            message(
                "refused", "The accessory does not open the session.",
                session + [
                    FieldDescription("ea.reason", .string(maxLength: nil), isMandatory: true)
                ], senders: accessorySide),
            message(
                "data", "Bytes of a session in which no other protocol was recognised.",
                session + [
                    FieldDescription("ea.data", .bytes, isMandatory: true),
                    FieldDescription("ea.index", .integer(0...255)),
                ]),
            message(
                "close", "A side ends a session, or gives up one that never opened.", session),
            message(
                "malformed", "Bytes that are not a unit of the carrier.",
                [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    private static let apps = ["sdl.app", "profile.app"]
    private static let accessorySide = ["iap.accessory", "bluetooth.accessory", "sdl.head-unit"]
    private static let identifier = FieldType.integer(0...Int64(UInt32.max))

    private static let accessory = [
        FieldDescription("ea.accessory_id", identifier, isMandatory: true),
        FieldDescription("ea.accessory_name", .string(maxLength: nil), isMandatory: true),
        FieldDescription("ea.manufacturer", .string(maxLength: nil)),
        FieldDescription("ea.model", .string(maxLength: nil)),
        FieldDescription(
            "ea.protocols", .array(of: .string(maxLength: nil), count: nil), isMandatory: true),
    ]

    private static let requested = [
        FieldDescription("ea.accessory_id", identifier, isMandatory: true),
        FieldDescription("ea.protocol", .string(maxLength: nil), isMandatory: true),
    ]

    private static let session = [
        FieldDescription("ea.accessory_id", identifier),
        FieldDescription("ea.protocol", .string(maxLength: nil)),
        FieldDescription("ea.session_id", identifier),
    ]

    private static func message(
        _ name: String, _ summary: String, _ fields: [FieldDescription] = [],
        response: String? = nil, refusal: String? = nil, senders: [String] = []
    ) -> MessageDescription {
        MessageDescription(
            name: "ea.\(name)", summary: summary,
            specification: "Documentation/accessory-bus.md", fields: fields, response: response,
            refusal: refusal, senders: senders)
    }
}
