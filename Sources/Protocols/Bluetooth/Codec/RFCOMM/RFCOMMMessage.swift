import Wire

/// An RFCOMM frame in a trace: one that opens or ends a channel, a multiplexer command, or data.
///
/// Data appears only if no protocol decodes it.
public struct RFCOMMMessage: DissectedMessage, Hashable {
    /// The kind and content of a message.
    public enum Content: Sendable, Hashable {
        /// A frame that opens or ends a channel.
        case frame(RFCOMMFrame)
        /// A command of the multiplexer.
        case command(RFCOMMCommand)
        /// Bytes of a channel that no protocol decodes.
        case data(dlci: UInt8, [UInt8])
        /// Bytes that are not a frame.
        case malformed(String)
    }

    /// What the message contains.
    public let content: Content
    /// The frame on the wire, or its payload.
    public let bytes: [UInt8]
    /// The anomalies of the message.
    public let anomalies: [Anomaly]

    /// Creates a message.
    public init(_ content: Content, bytes: [UInt8], anomalies: [Anomaly] = []) {
        self.content = content
        self.bytes = bytes
        self.anomalies = anomalies
    }

    /// `btrfcomm.` and the kind of message.
    public var name: String {
        switch content {
        case .frame(let frame): "btrfcomm.\(frame.kind.name)"
        case .command(let command): "btrfcomm.\(command.messageName)"
        case .data: "btrfcomm.data"
        case .malformed: "btrfcomm.malformed"
        }
    }

    /// The channel, and the content of the frame.
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
        case .command(let command):
            return [
                "btrfcomm": .object(
                    [Value.Member("mcc", .object(command.header))] + command.parameters),
                "data": .bytes(command.data),
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
}

extension RFCOMMCommand {
    /// The name in a trace, without `btrfcomm.`.
    fileprivate var messageName: String {
        switch type {
        case 0x20: "PN"
        case 0x08: "TEST"
        case 0x28: "FCON"
        case 0x18: "FCOFF"
        case 0x38: "MSC"
        case 0x24: "RPN"
        case 0x14: "RLS"
        case 0x04: "NSC"
        default: "command"
        }
    }

    /// The type, and the channel that it is about, under Wireshark's names.
    fileprivate var header: [Value.Member] {
        let channel: UInt8? =
            switch content {
            case .negotiation(let requested): requested.dlci
            case .modemStatus(let dlci, _, _): dlci
            default: nil
            }
        var members = [
            Value.Member("cmd", .integer(Int64(type))), Value.Member("cr", .bool(isCommand)),
        ]
        if let channel {
            members.append(Value.Member("dlci", .integer(Int64(channel))))
            members.append(Value.Member("channel", .integer(Int64(channel >> 1))))
        }
        return members
    }

    /// The negotiated parameters of a channel.
    fileprivate var parameters: [Value.Member] {
        guard case .negotiation(let requested) = content else { return [] }
        return [
            Value.Member("max_frame_size", .integer(Int64(requested.frameSize))),
            Value.Member("credits", .integer(Int64(requested.credits))),
        ]
    }
}
