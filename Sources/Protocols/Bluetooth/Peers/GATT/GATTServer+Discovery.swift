/// Attribute discovery (Core 5.4 Vol 3 Part F 3.4.3, 3.4.4; Part G 4.4 to 4.7).
extension GATTServer {
    func discover(
        _ opcode: UInt8, _ reader: inout LittleEndianReader, _ client: Client
    ) -> [[UInt8]] {
        guard let start = reader.word(), let end = reader.word() else {
            return [Self.error(opcode, 0, .invalidPDU)]
        }
        guard start > 0, start <= end else { return [Self.error(opcode, start, .invalidHandle)] }
        let range = table.attributes(in: start...end)
        let found: [UInt8]?
        switch opcode {
        case 0x04: found = information(range, client)
        case 0x06: found = services(range, &reader, client)
        case 0x08:
            switch values(range, reader.rest, client) {
            case .success(let values): found = values
            case .failure(let refusal): return [Self.error(opcode, start, code: refusal.code)]
            }
        default:
            guard ServiceUUID(sent: reader.rest)?.means(ServiceUUID(0x2800)) == true else {
                return [Self.error(opcode, start, .unsupportedGroupType)]
            }
            found = groups(range, client)
        }
        guard let found, !found.isEmpty else {
            return [Self.error(opcode, start, .attributeNotFound)]
        }
        return [[opcode + 1] + found]
    }

    /// Returns handles and types; all types have the same length.
    private func information(
        _ range: [AttributeTable.Attribute], _ client: Client
    ) -> [UInt8]? {
        guard let length = range.first?.type.bytes.count else { return nil }
        let entries = range.prefix { $0.type.bytes.count == length }.map {
            $0.handle.littleEndianBytes + $0.type.bytes
        }
        return [length == 2 ? 1 : 2] + Self.fitting(entries, in: client.mtu - 2)
    }

    /// Returns the handle ranges of services with a UUID.
    private func services(
        _ range: [AttributeTable.Attribute], _ reader: inout LittleEndianReader, _ client: Client
    ) -> [UInt8]? {
        guard reader.word() == 0x2800, let wanted = ServiceUUID(sent: reader.rest) else {
            return nil
        }
        let entries = range.compactMap { attribute -> [UInt8]? in
            guard case .service(let last) = attribute.kind,
                ServiceUUID(sent: attribute.fixed)?.means(wanted) == true
            else { return nil }
            return attribute.handle.littleEndianBytes + last.littleEndianBytes
        }
        return Self.fitting(entries, in: client.mtu - 1)
    }

    /// Returns handles and values of attributes of a type; all values have the same length.
    private func values(
        _ range: [AttributeTable.Attribute], _ type: ArraySlice<UInt8>, _ client: Client
    ) -> Result<[UInt8]?, Refusal> {
        guard let type = ServiceUUID(sent: type) else { return .failure(Refusal(.invalidPDU)) }
        var entries: [[UInt8]] = []
        for attribute in range where attribute.type.means(type) {
            switch value(of: attribute, for: client) {
            case .failure(let refusal) where entries.isEmpty: return .failure(refusal)
            case .failure, .success(nil): break
            case .success(let value?):
                let cut = value.prefix(min(253, client.mtu - 4))
                entries.append(attribute.handle.littleEndianBytes + cut)
                continue
            }
            break
        }
        guard let length = entries.first?.count else { return .success(nil) }
        let alike = Array(entries.prefix { $0.count == length })
        return .success([UInt8(low: length)] + Self.fitting(alike, in: client.mtu - 2))
    }

    /// Returns the handle ranges and UUIDs of all services; all UUIDs have the same length.
    private func groups(_ range: [AttributeTable.Attribute], _ client: Client) -> [UInt8]? {
        let entries = range.compactMap { attribute -> [UInt8]? in
            guard case .service(let last) = attribute.kind else { return nil }
            return attribute.handle.littleEndianBytes + last.littleEndianBytes + attribute.fixed
        }
        guard let length = entries.first?.count else { return nil }
        let alike = Array(entries.prefix { $0.count == length })
        return [UInt8(low: length)] + Self.fitting(alike, in: client.mtu - 2)
    }

    /// Returns as many whole entries as fit.
    private static func fitting(_ entries: [[UInt8]], in size: Int) -> [UInt8] {
        var joined: [UInt8] = []
        for entry in entries {
            guard joined.count + entry.count <= size else { break }
            joined += entry
        }
        return joined
    }
}
