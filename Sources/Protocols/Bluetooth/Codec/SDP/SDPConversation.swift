import Wire

/// The transactions of a channel of the Service Discovery Protocol: `sdp.search`, `sdp.found`.
///
/// It joins requests and responses.
struct SDPConversation: Sendable {
    /// The largest length in bytes of a reassembled list of attributes.
    private static let listMax = 1 << 16

    /// A transaction whose answer is incomplete.
    private struct Search: Sendable {
        let uuids: [BluetoothUUID]
        var list: [UInt8] = []
        var handles: [UInt32] = []
    }

    /// The transactions by the side that asks.
    private var searches: [ConnectionSide: Search] = [:]

    /// Takes a packet; returns its plain messages.
    mutating func consume(_ packet: SDPPacket, from side: ConnectionSide) -> [PlainMessage] {
        switch packet.content {
        case .serviceSearchRequest(let pattern, _, let continuation),
            .serviceSearchAttributeRequest(let pattern, _, _, let continuation):
            return begin(Search(uuids: pattern.uuids), side, continuation)
        case .serviceAttributeRequest(_, _, _, let continuation):
            return begin(Search(uuids: []), side, continuation)
        case .serviceSearchResponse(_, let handles, let continuation):
            guard searches[side.other] != nil else { return [] }
            searches[side.other]?.handles += handles
            guard continuation.isEmpty, let search = searches.removeValue(forKey: side.other)
            else { return [] }
            return [
                PlainMessage(
                    "sdp.found",
                    [
                        "uuids": search.uuids.value,
                        "handles": .array(search.handles.map { .integer(Int64($0)) }),
                    ])
            ]
        case .serviceAttributeResponse(let part, let continuation):
            return collect(part, side, continuation) { [SDPRecord(list: $0)] }
        case .serviceSearchAttributeResponse(let part, let continuation):
            return collect(part, side, continuation) { $0.elements.map(SDPRecord.init(list:)) }
        case .errorResponse(let code):
            guard searches.removeValue(forKey: side.other) != nil else { return [] }
            return [PlainMessage("sdp.refused", ["error": .number(code)])]
        case .unknown: return []
        }
    }

    private mutating func begin(
        _ search: Search, _ side: ConnectionSide, _ continuation: [UInt8]
    ) -> [PlainMessage] {
        guard continuation.isEmpty || searches[side] == nil else { return [] }
        searches[side] = search
        return [PlainMessage("sdp.search", ["uuids": search.uuids.value])]
    }

    private mutating func collect(
        _ part: [UInt8], _ side: ConnectionSide, _ continuation: [UInt8],
        _ records: (SDPElement) -> [SDPRecord]
    ) -> [PlainMessage] {
        guard var search = searches[side.other] else { return [] }
        if search.list.count + part.count <= Self.listMax { search.list += part }
        searches[side.other] = search
        guard continuation.isEmpty else { return [] }
        searches[side.other] = nil
        var reader = ByteReader(search.list.span.bytes, unit: "btsdp")
        let found = (try? SDPElement(parsing: &reader)).map(records) ?? []
        return [
            PlainMessage(
                "sdp.found",
                ["uuids": search.uuids.value, "records": .array(found.map(\.fields))])
        ]
    }
}

extension SDPRecord {
    /// The fields of a record in the result of a search.
    fileprivate var fields: Value {
        var members = [Value.Member("uuids", classes.value)]
        if let rfcommChannel {
            members.append(Value.Member("rfcomm", .integer(Int64(rfcommChannel))))
        }
        if let name { members.append(Value.Member("name", .string(name))) }
        return .object(members)
    }
}
