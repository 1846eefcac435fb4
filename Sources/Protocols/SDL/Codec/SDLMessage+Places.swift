import Wire

extension SDL.Message {
    /// The positions of the fields of the header, of an RPC's header and of its JSON parameters.
    ///
    /// A field of some bits has the position of the byte that holds them.
    public var fieldPlaces: [String: Range<Int>] {
        guard hasHeader else { return [:] }
        var places = headerPlaces
        guard case .rpc(let rpc) = content else { return places }
        let start = header.size
        if header.version == 1 {
            let json = JSONPlaces(payload, path: "", base: start)
            let body = ".\(rpc.type == .errorResponse ? "response" : rpc.type.name)"
            for (path, place) in json.places where path.hasPrefix("\(body).parameters.") {
                places["params.\(path.dropFirst(body.count + 12))"] = place
            }
            places["rpc.function"] = json.places["\(body).name"]
            places["rpc.correlation_id"] = json.places["\(body).correlationID"]
            return places
        }
        for field in SDL.RPCField.allCases {
            let bytes = field.bits.bytes
            places[field.path] = start + bytes.lowerBound..<start + bytes.upperBound
        }
        let json = payload.dropFirst(SDL.RPC.headerSize).dropLast(rpc.bulkCount)
        places.merge(
            JSONPlaces(Array(json), path: "params", base: start + SDL.RPC.headerSize).places
        ) { first, _ in first }
        if rpc.bulkCount > 0 {
            let end = start + payload.count
            places["bulk.data"] = end - rpc.bulkCount..<end
        }
        return places
    }

    /// The positions of the frame header's fields (specification 2.1).
    private var headerPlaces: [String: Range<Int>] {
        var places: [String: Range<Int>] = [:]
        for field in SDL.HeaderField.allCases where field.exists(inVersion: header.version) {
            places[field.path] = field.bits.bytes
        }
        return places
    }
}
