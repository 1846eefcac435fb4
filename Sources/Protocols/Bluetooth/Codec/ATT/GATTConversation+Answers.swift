import Wire

/// Answers of servers.
extension GATTConversation {
    mutating func answer(
        _ packet: ATTPacket, to request: ATTPacket, of client: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        if case .errorResponse(_, let handle, let error) = packet {
            return refuse(request, handle, error, of: client, &messages)
        }
        if clients[client].procedure != nil, GATTProcedure(request) != nil {
            return discover(packet, of: client, &messages)
        }
        let server = databases[client.other]
        switch (request, packet) {
        case (.exchangeMTURequest(let requested), .exchangeMTUResponse(let offered)):
            mtu = max(ATTPacket.defaultMTU, Int(min(requested, offered)))
        case (.readRequest(let handle), .readResponse(let value)):
            read(value, handle, of: client, &messages)
        case (.readBlobRequest(let handle, let offset), .readBlobResponse(let value)):
            let known = clients[client].reading?.value ?? []
            guard known.count == Int(offset) else {
                return messages.append(
                    (
                        attribute(
                            "gatt.value", handle, server, value: .bytes(value),
                            offset: .number(offset)), client.other
                    ))
            }
            read(known + value, handle, part: value.count, of: client, &messages)
        case (_, .readByTypeResponse(let items)):
            for item in items {
                messages.append(
                    (
                        attribute("gatt.value", item.handle, server, value: .bytes(item.value)),
                        client.other
                    ))
            }
        case (.readMultipleVariableRequest(let handles), .readMultipleVariableResponse(let values)):
            for (handle, value) in zip(handles, values) {
                messages.append(
                    (
                        attribute("gatt.value", handle, server, value: .bytes(value)),
                        client.other
                    ))
            }
        case (.writeRequest(let handle, let value), .writeResponse):
            messages.append((written(handle, value, server), client.other))
        case (.executeWriteRequest, .executeWriteResponse):
            for part in clients[client].prepared {
                messages.append((written(part.handle, part.value, server), client.other))
            }
            clients[client].prepared = []
        default: break
        }
    }

    /// Reports a value that was read.
    ///
    /// One that fills its packet may continue, and is reported again when it is complete.
    private mutating func read(
        _ value: [UInt8], _ handle: UInt16, part: Int? = nil, of client: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        let mayGoOn = (part ?? value.count) >= mtu - 1 && value.count < Self.valueMax
        clients[client].reading = mayGoOn ? (handle, value) : nil
        guard part == nil || !mayGoOn else { return }
        messages.append(
            (
                attribute(
                    "gatt.value", handle, databases[client.other], value: .bytes(value),
                    isPartial: mayGoOn ? .bool(true) : nil), client.other
            ))
    }

    private func written(
        _ handle: UInt16, _ value: [UInt8], _ server: GATTDatabase
    ) -> PlainMessage {
        guard server.isClientConfiguration(handle), let bits = value.first else {
            return attribute("gatt.written", handle, server)
        }
        return attribute(
            bits & 3 == 0 ? "gatt.unsubscribed" : "gatt.subscribed", handle, server,
            bits: .number(bits))
    }

    /// Handles an Error Response, which ends a discovery after the last attribute.
    mutating func refuse(
        _ request: ATTPacket, _ handle: UInt16, _ error: UInt8, of client: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        clients[client].reading = nil
        if case .executeWriteRequest = request { clients[client].prepared = [] }
        if let procedure = clients[client].procedure {
            clients[client].procedure = nil
            if error == ATTError.attributeNotFound.rawValue {
                return messages.append((procedure.answered, client.other))
            }
        }
        let server = databases[client.other]
        messages.append(
            (
                PlainMessage(
                    "gatt.refused",
                    [
                        "handle": .number(handle), "service": .uuid(server.service(of: handle)),
                        "characteristic": .uuid(server.characteristic(of: handle)),
                        "error": .number(error),
                        "request": .string(request.operation?.name ?? ""),
                    ]), client.other
            ))
    }

    /// Handles a response to a discovery.
    private mutating func discover(
        _ packet: ATTPacket, of client: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        guard let procedure = clients[client].procedure else { return }
        let (items, last) = update(packet, procedure, server: client.other)
        guard clients[client].procedure?.consume(items, upTo: last) == true else { return }
        endProcedure(of: client, &messages)
    }

    private mutating func update(
        _ packet: ATTPacket, _ procedure: GATTProcedure, server: ConnectionSide
    ) -> ([Value], UInt16) {
        func item(_ start: UInt16, _ uuid: BluetoothUUID?, end: UInt16? = nil) -> Value {
            let members: [(String, Value?)] = [
                ("handle", .number(start)), ("end", .number(end)), ("uuid", .uuid(uuid)),
            ]
            return .object(
                members.compactMap { member in member.1.map { Value.Member(member.0, $0) } })
        }
        switch packet {
        case .readByGroupTypeResponse(let groups):
            return (
                groups.map { group in
                    let uuid = BluetoothUUID(littleEndian: group.value)
                    if let uuid { databases[server].update(service: uuid, group.handles) }
                    return item(group.handles.start, uuid, end: group.handles.end)
                }, groups.last?.handles.end ?? .max
            )
        case .findByTypeValueResponse(let found):
            return (
                found.map { handles in
                    if let uuid = procedure.uuid {
                        databases[server].update(service: uuid, handles)
                    }
                    return item(handles.start, procedure.uuid, end: handles.end)
                }, found.last?.end ?? .max
            )
        case .readByTypeResponse(let items) where procedure.subject == .characteristics:
            return (
                items.compactMap { ATTPacket.Characteristic(parsing: $0.value) }.map { found in
                    databases[server].update(found)
                    return item(found.value, found.uuid)
                }, items.last?.handle ?? .max
            )
        case .readByTypeResponse(let items):
            return (items.map { item($0.handle, nil) }, items.last?.handle ?? .max)
        case .findInformationResponse(let items):
            return (
                items.map { found in
                    databases[server].update(type: found.type, of: found.handle)
                    return item(found.handle, found.type)
                }, items.last?.handle ?? .max
            )
        default: return ([], .max)
        }
    }
}
