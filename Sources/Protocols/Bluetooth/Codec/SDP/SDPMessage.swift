import Wire

extension SDPPacket: PacketMessage.Packet {
    var messageName: String { "btsdp.\(name)" }

    var fields: Value {
        [
            "btsdp": .object(
                [
                    Value.Member("pdu", .integer(Int64(code))),
                    Value.Member("tid", .integer(Int64(transaction))),
                ] + members.map { Value.Member($0.0, $0.1) })
        ]
    }
}

extension SDPPacket {
    fileprivate var name: String {
        switch content {
        case .errorResponse: "ErrorResponse"
        case .serviceSearchRequest: "ServiceSearchRequest"
        case .serviceSearchResponse: "ServiceSearchResponse"
        case .serviceAttributeRequest: "ServiceAttributeRequest"
        case .serviceAttributeResponse: "ServiceAttributeResponse"
        case .serviceSearchAttributeRequest: "ServiceSearchAttributeRequest"
        case .serviceSearchAttributeResponse: "ServiceSearchAttributeResponse"
        case .unknown: "packet"
        }
    }

    fileprivate var members: [(String, Value)] {
        switch content {
        case .errorResponse(let code): return [("error_code", .integer(Int64(code)))]
        case .serviceSearchRequest(let pattern, let count, _):
            return [
                ("uuids", pattern.uuids.value),
                ("maximum_service_record_count", .integer(Int64(count))),
            ]
        case .serviceSearchResponse(let total, let records, _):
            return [
                ("ssr", ["total_count": .integer(Int64(total))]),
                ("records", .array(records.map { .integer(Int64($0)) })),
            ]
        case .serviceAttributeRequest(let record, let count, _, _):
            return [
                ("record", .integer(Int64(record))),
                ("maximum_attribute_byte_count", .integer(Int64(count))),
            ]
        case .serviceSearchAttributeRequest(let pattern, let count, _, _):
            return [
                ("uuids", pattern.uuids.value),
                ("maximum_attribute_byte_count", .integer(Int64(count))),
            ]
        case .serviceAttributeResponse(let part, let continuation),
            .serviceSearchAttributeResponse(let part, let continuation):
            return [
                ("attribute_list_byte_count", .integer(Int64(part.count))),
                (
                    "continuation_state",
                    ["length": .integer(Int64(continuation.count))]
                ),
            ]
        case .unknown: return []
        }
    }
}

extension [BluetoothUUID] {
    /// The UUIDs as text of 128 bits.
    var value: Value { .array(map { .string($0.description) }) }
}
