import Wire

extension ATTPacket: PacketMessage.Packet {
    var messageName: String { "btatt.\(operation?.name ?? "packet")" }

    var fields: Value {
        let opcode = Value.Member("opcode", .integer(Int64(opcode)))
        return ["btatt": .object([opcode] + members.map { Value.Member($0.0, $0.1) })]
    }
}

extension ATTOpcode {
    /// The operation's name in a trace, such as `ReadRequest`.
    public var name: String {
        let word = "\(self)"
        return word.prefix(1).uppercased() + word.dropFirst()
    }
}

extension ATTPacket {
    fileprivate var members: [(String, Value)] {
        switch self {
        case .errorResponse(let request, let handle, let error):
            [
                ("req_opcode_in_error", .integer(Int64(request))), Self.handle(handle),
                ("error_code", .integer(Int64(error))),
            ]
        case .exchangeMTURequest(let mtu): [("client_rx_mtu", .integer(Int64(mtu)))]
        case .exchangeMTUResponse(let mtu): [("server_rx_mtu", .integer(Int64(mtu)))]
        case .findInformationRequest(let handles): handles.members
        case .findInformationResponse(let items):
            [
                (
                    "information_data",
                    .array(
                        items.map {
                            .object(
                                [Value.Member("handle", .integer(Int64($0.handle)))]
                                    + $0.type.members)
                        })
                )
            ]
        case .findByTypeValueRequest(let handles, let type, let value):
            handles.members + [("uuid16", .integer(Int64(type))), ("value", .bytes(value))]
        case .findByTypeValueResponse(let found):
            [
                (
                    "handles_info",
                    .array(found.map { .object($0.members.map { Value.Member($0.0, $0.1) }) })
                )
            ]
        case .readByTypeRequest(let handles, let type),
            .readByGroupTypeRequest(let handles, let type):
            handles.members + type.members.map { ($0.name, $0.value) }
        case .readByTypeResponse(let items), .multipleHandleValueNotification(let items):
            [("attribute_data", .array(items.map(\.fields)))]
        case .readByGroupTypeResponse(let groups):
            [
                (
                    "attribute_data",
                    .array(
                        groups.map {
                            [
                                "handle": .integer(Int64($0.handles.start)),
                                "group_end_handle": .integer(Int64($0.handles.end)),
                                "value": .bytes($0.value),
                            ]
                        })
                )
            ]
        case .readRequest(let handle): [Self.handle(handle)]
        case .readResponse(let value), .readBlobResponse(let value),
            .readMultipleResponse(let value):
            [("value", .bytes(value))]
        case .readBlobRequest(let handle, let offset):
            [Self.handle(handle), ("offset", .integer(Int64(offset)))]
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            [("handles", .array(handles.map { .integer(Int64($0)) }))]
        case .readMultipleVariableResponse(let values):
            [("values", .array(values.map { .bytes($0) }))]
        case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
            .handleValueNotification(let handle, let value),
            .handleValueIndication(let handle, let value):
            [Self.handle(handle), ("value", .bytes(value))]
        case .signedWriteCommand(let handle, let value, let signature):
            [Self.handle(handle), ("value", .bytes(value)), ("signature", .bytes(signature))]
        case .prepareWriteRequest(let handle, let offset, let value),
            .prepareWriteResponse(let handle, let offset, let value):
            [
                Self.handle(handle), ("offset", .integer(Int64(offset))),
                ("value", .bytes(value)),
            ]
        case .executeWriteRequest(let flags): [("flags", .integer(Int64(flags)))]
        case .writeResponse, .executeWriteResponse, .handleValueConfirmation: []
        case .unknown(_, let rest): [("value", .bytes(rest))]
        }
    }

    private static func handle(_ handle: UInt16) -> (String, Value) {
        ("handle", .integer(Int64(handle)))
    }
}

extension ATTPacket.Handles {
    fileprivate var members: [(String, Value)] {
        [
            ("starting_handle", .integer(Int64(start))), ("ending_handle", .integer(Int64(end))),
        ]
    }
}

extension ATTPacket.Attribute {
    fileprivate var fields: Value {
        ["handle": .integer(Int64(handle)), "value": .bytes(value)]
    }
}

extension BluetoothUUID {
    /// Wireshark's field for the form that the UUID has in attributes.
    fileprivate var members: [Value.Member] {
        if let short16 { return [Value.Member("uuid16", .integer(Int64(short16)))] }
        return [Value.Member("uuid128", .string(description))]
    }
}
