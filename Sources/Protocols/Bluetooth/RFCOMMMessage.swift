/// A frame of RFCOMM in a trace: those that open and end channels, commands of the multiplexer,
/// and data that no protocol takes.
public struct RFCOMMMessage: DissectedMessage, Hashable {
    /// What it is.
    public enum Content: Sendable, Hashable {
        /// A frame that opens or ends a channel.
        case frame(RFCOMMFrame)
        /// A command of the multiplexer, by its type.
        case command(UInt8, isCommand: Bool, [UInt8])
        /// Bytes of a channel that no protocol takes.
        case data(dlci: UInt8, [UInt8])
        /// Bytes that are no frame.
        case malformed(String)
    }

    /// What it is.
    public let content: Content
    /// The frame on the wire, or its payload.
    public let bytes: [UInt8]
    /// What is wrong with it.
    public let anomalies: [Anomaly]

    /// Makes a message.
    public init(_ content: Content, bytes: [UInt8], anomalies: [Anomaly] = []) {
        self.content = content
        self.bytes = bytes
        self.anomalies = anomalies
    }

    /// `btrfcomm.` and what it is.
    public var name: String {
        switch content {
        case .frame(let frame): "btrfcomm.\(frame.kind.name)"
        case .command(let type, _, _): "btrfcomm.\(Self.commands[type] ?? "command")"
        case .data: "btrfcomm.data"
        case .malformed: "btrfcomm.malformed"
        }
    }

    /// The channel, and what it carries.
    public var fields: Value {
        switch content {
        case .malformed(let what): return ["error": .string(what)]
        case .frame(let frame):
            return [
                "btrfcomm": [
                    "dlci": .integer(Int64(frame.dlci)),
                    "channel": .integer(Int64(frame.channel)),
                    "frame_type": .integer(Int64(frame.kind.rawValue)),
                    "cr": .bool(frame.isCommand), "pf": .bool(frame.isPolled),
                    "len": .integer(Int64(frame.payload.count)),
                ]
            ]
        case .command(let type, let isCommand, let data):
            return [
                "btrfcomm": [
                    "mcc": ["cmd": .integer(Int64(type)), "cr": .bool(isCommand)]
                ],
                "data": .bytes(data),
            ]
        case .data(let dlci, let data):
            return [
                "btrfcomm": [
                    "dlci": .integer(Int64(dlci)), "channel": .integer(Int64(dlci >> 1)),
                    "len": .integer(Int64(data.count)),
                ],
                "data": .bytes(data),
            ]
        }
    }

    /// The commands of the multiplexer by their types (TS 07.10 5.4.6.3).
    static let commands: [UInt8: String] = [
        0x20: "PN", 0x08: "TEST", 0x28: "FCON", 0x18: "FCOFF", 0x38: "MSC", 0x24: "RPN",
        0x14: "RLS", 0x04: "NSC",
    ]

    /// The messages that suites may name.
    public static let description = ProtocolDescription(
        name: "btrfcomm", title: "Bluetooth RFCOMM",
        messages: [
            message("SABM", "Opens a channel.", "TS 07.10 5.3.1", frame),
            message("UA", "Accepts what was asked.", "TS 07.10 5.3.2", frame),
            message("DM", "There is no such channel.", "TS 07.10 5.3.3", frame),
            message("DISC", "Ends a channel.", "TS 07.10 5.3.4", frame),
            message("PN", "Says how a channel shall be.", "TS 07.10 5.4.6.3.1", command),
            message("TEST", "Asks for an answer.", "TS 07.10 5.4.6.3.4", command),
            message("FCON", "Lets all channels send.", "TS 07.10 5.4.6.3.5", command),
            message("FCOFF", "Stops all channels.", "TS 07.10 5.4.6.3.6", command),
            message("MSC", "The state of a channel's signals.", "TS 07.10 5.4.6.3.7", command),
            message("NSC", "A command was not understood.", "TS 07.10 5.4.6.3.8", command),
            message("RPN", "How a port shall be.", "TS 07.10 5.4.6.3.9", command),
            message("RLS", "An error of a line.", "TS 07.10 5.4.6.3.10", command),
            message("command", "A command that is not known.", "TS 07.10 5.4.6.3", command),
            message(
                "data", "Bytes of a channel in which no protocol was recognised.",
                "RFCOMM 1.2", [dlci, channel, length, FieldDescription("data", .bytes)]),
            message(
                "malformed", "Bytes that are no frame.", "TS 07.10 5.2",
                [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    private static let dlci = FieldDescription(
        "btrfcomm.dlci", .integer(0...63), isMandatory: true)
    private static let channel = FieldDescription(
        "btrfcomm.channel", .integer(0...31), isMandatory: true)
    private static let length = FieldDescription(
        "btrfcomm.len", .integer(0...0x7FFF), isMandatory: true)
    private static let frame = [
        dlci, channel, length,
        FieldDescription("btrfcomm.frame_type", .integer(0...255), isMandatory: true),
        FieldDescription("btrfcomm.cr", .boolean, isMandatory: true),
        FieldDescription("btrfcomm.pf", .boolean, isMandatory: true),
    ]
    private static let command = [
        FieldDescription("btrfcomm.mcc.cmd", .integer(0...63), isMandatory: true),
        FieldDescription("btrfcomm.mcc.cr", .boolean, isMandatory: true),
        FieldDescription("data", .bytes),
    ]

    private static func message(
        _ name: String, _ summary: String, _ specification: String, _ fields: [FieldDescription]
    ) -> MessageDescription {
        MessageDescription(
            name: "btrfcomm.\(name)", summary: summary, specification: specification,
            fields: fields)
    }
}
