import Wire

extension SDL.Message {
    /// Where the fields of the header, of an RPC's header and of its JSON parameters stand.
    ///
    /// A field of some bits has the place of the byte that holds them.
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
        places["rpc.type"] = start..<start + 1
        places["rpc.type_name"] = start..<start + 1
        places["rpc.function_id"] = start..<start + 4
        places["rpc.function"] = start..<start + 4
        places["rpc.correlation_id"] = start + 4..<start + 8
        places["rpc.json_size"] = start + 8..<start + 12
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

    /// The places of the frame header's fields (specification 2.1).
    private var headerPlaces: [String: Range<Int>] {
        var places: [String: Range<Int>] = [
            "sdl.version": 0..<1, "sdl.encrypted": 0..<1, "sdl.compressed": 0..<1,
            "sdl.frame_type": 0..<1, "sdl.frame_type_name": 0..<1, "sdl.service_type": 1..<2,
            "sdl.service_name": 1..<2, "sdl.frame_info": 2..<3, "sdl.session_id": 3..<4,
            "sdl.data_size": 4..<8,
        ]
        if header.version != 1 { places["sdl.message_id"] = 8..<12 }
        return places
    }
}
