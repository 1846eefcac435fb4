import Wire

/// A frame that opens or ends a channel.
extension RFCOMMFrame: PacketMessage.Packet {
    var messageName: String { "btrfcomm.\(kind.name)" }

    var fields: Value {
        [
            "btrfcomm": [
                "dlci": .integer(Int64(dlci)), "channel": .integer(Int64(channel)),
                "frame_type": .integer(Int64(kind.rawValue)),
                "cr": .bool(isCommand), "pf": .bool(isPolled),
                "len": .integer(Int64(payload.count)),
            ]
        ]
    }
}

/// Bytes of a channel that no protocol decodes.
struct RFCOMMData: PacketMessage.Packet {
    let dlci: UInt8
    let bytes: [UInt8]

    var messageName: String { "btrfcomm.data" }

    var fields: Value {
        [
            "btrfcomm": [
                "dlci": .integer(Int64(dlci)), "channel": .integer(Int64(dlci >> 1)),
                "len": .integer(Int64(bytes.count)),
            ],
            "data": .bytes(bytes),
        ]
    }
}

/// A command of the multiplexer.
extension RFCOMMCommand: PacketMessage.Packet {
    var messageName: String { "btrfcomm.\(name)" }

    var fields: Value {
        [
            "btrfcomm": .object([Value.Member("mcc", .object(header))] + parameters),
            "data": .bytes(data),
        ]
    }
}

extension RFCOMMCommand {
    /// The name in a trace, without `btrfcomm.`.
    fileprivate var name: String {
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
