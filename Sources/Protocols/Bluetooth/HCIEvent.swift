/// What a controller tells of links (Core 5.4 Vol 4 Part E 7.7): the events that dissection needs.
public enum HCIEvent: Sendable, Hashable {
    /// A link stands, or could not be set up.
    case connectionComplete(status: UInt8, handle: UInt16, address: UInt64)
    /// A link has ended.
    case disconnectionComplete(status: UInt8, handle: UInt16, reason: UInt8)
    /// The controller's own address.
    case ownAddress(UInt64)
    /// Another event.
    case other(UInt8)

    /// Reads an event.
    ///
    /// - Throws: `.truncated`.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_evt")
        let code = try reader.uint8("code")
        try reader.skip(1, "param_length")
        switch code {
        case 0x03:
            let status = try reader.uint8("status")
            let handle = try reader.littleEndian16("connection_handle") & 0x0FFF
            self = .connectionComplete(
                status: status, handle: handle,
                address: try reader.bluetoothAddress("bd_addr"))
        case 0x05:
            let status = try reader.uint8("status")
            let handle = try reader.littleEndian16("connection_handle") & 0x0FFF
            self = .disconnectionComplete(
                status: status, handle: handle, reason: try reader.uint8("reason"))
        case 0x0E:
            try reader.skip(1, "num_command_packets")
            // Read_BD_ADDR (7.4.6).
            guard try reader.littleEndian16("opcode") == 0x1009, try reader.uint8("status") == 0
            else {
                self = .other(code)
                return
            }
            self = .ownAddress(try reader.bluetoothAddress("bd_addr"))
        case 0x3E:
            self = try Self.lowEnergy(&reader) ?? .other(code)
        default:
            self = .other(code)
        }
    }

    /// LE Connection Complete and its enhanced form (7.7.65.1, 7.7.65.10).
    private static func lowEnergy(_ reader: inout ByteReader) throws(DecodeError) -> HCIEvent? {
        let code = try reader.uint8("le_meta_subevent")
        guard code == 0x01 || code == 0x0A else { return nil }
        let status = try reader.uint8("status")
        let handle = try reader.littleEndian16("connection_handle") & 0x0FFF
        try reader.skip(2, "role")
        return .connectionComplete(
            status: status, handle: handle, address: try reader.bluetoothAddress("bd_addr"))
    }
}

/// An event in a trace: a link stands, or has ended.
public struct HCIEventMessage: DissectedMessage, Hashable {
    /// What it is.
    public let event: HCIEvent
    /// The event on the wire.
    public let bytes: [UInt8]

    /// Makes a message; `nil` for an event that a trace does not show.
    public init?(_ event: HCIEvent, bytes: [UInt8]) {
        switch event {
        case .connectionComplete, .disconnectionComplete: break
        case .ownAddress, .other: return nil
        }
        self.event = event
        self.bytes = bytes
    }

    /// `bthci_evt.` and what it is.
    public var name: String {
        if case .connectionComplete = event {
            "bthci_evt.ConnectionComplete"
        } else {
            "bthci_evt.DisconnectionComplete"
        }
    }

    /// Its parameters.
    public var fields: Value {
        switch event {
        case .connectionComplete(let status, let handle, let address):
            [
                "bthci_evt": [
                    "status": .integer(Int64(status)),
                    "connection_handle": .integer(Int64(handle)),
                    "bd_addr": .string(Bluetooth.Node.address(address).description),
                ]
            ]
        case .disconnectionComplete(let status, let handle, let reason):
            [
                "bthci_evt": [
                    "status": .integer(Int64(status)),
                    "connection_handle": .integer(Int64(handle)),
                    "reason": .integer(Int64(reason)),
                ]
            ]
        case .ownAddress, .other: .object([])
        }
    }

    /// Always empty.
    public var anomalies: [Anomaly] { [] }

    /// The messages that suites may name.
    public static let description = ProtocolDescription(
        name: "bthci_evt", title: "Bluetooth HCI events",
        messages: [
            MessageDescription(
                name: "bthci_evt.ConnectionComplete",
                summary: "A link stands, or could not be set up.",
                specification: "Core 5.4 Vol 4 Part E 7.7.3",
                fields: [FieldDescription("bthci_evt.bd_addr", .string(maxLength: nil))]),
            MessageDescription(
                name: "bthci_evt.DisconnectionComplete", summary: "A link has ended.",
                specification: "Core 5.4 Vol 4 Part E 7.7.5",
                fields: [FieldDescription("bthci_evt.reason", .integer(0...255))]),
        ],
        fields: [
            FieldDescription("bthci_evt.status", .integer(0...255), isMandatory: true),
            FieldDescription(
                "bthci_evt.connection_handle", .integer(0...0x0FFF), isMandatory: true),
        ])
}
