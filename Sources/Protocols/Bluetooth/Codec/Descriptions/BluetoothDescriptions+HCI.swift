import Wire

extension BluetoothDescriptions {
    /// Commands of hosts.
    static let commands = ProtocolDescription(
        name: "bthci_cmd", firstCode: 592, title: "Bluetooth HCI commands",
        isTransport: true,
        messages: HCILayouts.commands.map { layout in
            MessageDescription(
                name: "bthci_cmd.\(layout.name)", summary: "The host's command \(layout.name).",
                specification: "Core 5.4 Vol 4 Part E \(layout.section)",
                fields: layout.parameters.map { $0.description("bthci_cmd.") })
        } + [
            MessageDescription(
                name: "bthci_cmd.command", summary: "An unknown command.",
                specification: "Core 5.4 Vol 4 Part E 5.4.1")
        ],
        fields: [
            FieldDescription("bthci_cmd.opcode", .integer(0...0xFFFF), isMandatory: true), data,
        ])

    /// Events of controllers.
    static let events = ProtocolDescription(
        name: "bthci_evt", firstCode: 752, title: "Bluetooth HCI events",
        isTransport: true,
        messages: HCILayouts.events.map { layout in
            let returned = layout.kind == .commandComplete ? allReturned : []
            return MessageDescription(
                name: "bthci_evt.\(layout.name)", summary: "The controller's event \(layout.name).",
                specification: "Core 5.4 Vol 4 Part E \(layout.section)",
                fields: layout.parameters.map { $0.description("bthci_evt.") } + returned)
        } + [
            MessageDescription(
                name: "bthci_evt.event", summary: "An unknown event.",
                specification: "Core 5.4 Vol 4 Part E 7.7"),
            MessageDescription(
                name: "bthci_evt.LEMeta", summary: "An unknown LE meta event.",
                specification: "Core 5.4 Vol 4 Part E 7.7.65"),
        ],
        fields: [
            FieldDescription("bthci_evt.code", .integer(0...255), isMandatory: true),
            FieldDescription("bthci_evt.le_meta_subevent", .integer(0...255)), data,
        ])

    /// The parameters that commands return in Command Complete; the first form of each name is
    /// used.
    private static let allReturned: [FieldDescription] = {
        var known: Set<HCIField> = [.numCommandPackets, .opcode, .retParams]
        return ([HCIParameter.status] + HCILayouts.commands.flatMap { $0.returns ?? [] })
            .filter { known.insert($0.field).inserted }
            .map { $0.description("bthci_evt.") }
    }()

    /// The transport itself.
    static let transport = ProtocolDescription(
        name: "hci_h4", firstCode: 832, title: "Bluetooth HCI UART transport (H4)",
        isTransport: true,
        messages: [
            MessageDescription(
                name: "hci_h4.malformed",
                summary:
                    "Bytes that are not a packet; nothing after them in the stream can be read.",
                specification: "Core 5.4 Vol 4 Part A 2", fields: [error])
        ], fields: [])
}

extension HCIParameter {
    /// The parameter as a field of a message.
    fileprivate func description(_ prefix: String) -> FieldDescription {
        FieldDescription(prefix + field.rawValue, form.fieldType)
    }
}

extension HCIParameter.Form {
    fileprivate var fieldType: FieldType {
        switch self {
        case .uint8: .integer(0...0xFF)
        case .int8: .integer(-128...127)
        case .uint16: .integer(0...0xFFFF)
        case .uint24: .integer(0...0xFF_FFFF)
        case .uint32: .integer(0...0xFFFF_FFFF)
        case .uint64: .integer(nil)
        case .handle: .integer(0...0x0FFF)
        case .address: .string(maxLength: nil)
        case .bytes, .counted, .rest: .bytes
        case .records(let parts), .recordPerBit(_, let parts):
            .array(
                of: .structure(name: "record", fields: parts.map { $0.description("") }),
                count: nil)
        }
    }
}
