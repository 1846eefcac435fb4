import Bluetooth

/// A GATT server: client requests in, answers and notifications out.
///
/// See Core 5.4 Vol 3 Parts F and G.
package struct GATTServer: Sendable {
    /// The server's state of a client's link.
    package struct Client: Sendable {
        /// The size of a PDU that both sides accept.
        package internal(set) var mtu = ATTPacket.defaultMTU
        /// Whether the link is encrypted.
        package var isEncrypted = false
        /// What the client subscribes to, by characteristic: 1 notifications, 2 indications.
        var configurations: [AttributeTable.Place: UInt16] = [:]
        var prepared: [(handle: UInt16, offset: Int, part: [UInt8])] = []

        /// Creates the state of a new link.
        package init() {}
    }

    /// The refusal of a request, with the handle and the code of the error.
    private struct Refusal: Error {
        let handle: UInt16
        let code: UInt8

        init(_ error: ATTError, at handle: UInt16 = 0) {
            self.init(code: error.rawValue, at: handle)
        }

        init(code: UInt8, at handle: UInt16) {
            self.handle = handle
            self.code = code
        }
    }

    /// The services, including GAP and GATT.
    private var services: [GATTService]
    private let table: AttributeTable
    /// The largest PDU that the server accepts.
    private let mtu: Int

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - services: Its services; the mandatory services of every device are placed before them.
    ///   - name: The device's name.
    ///   - mtu: The largest PDU that it accepts, at least 23.
    package init(_ services: [GATTService], name: String, mtu: Int) {
        let access = GATTService(
            BluetoothUUID(0x1800),
            [
                GATTCharacteristic(BluetoothUUID(0x2A00), [.read], value: Array(name.utf8)),
                GATTCharacteristic(BluetoothUUID(0x2A01), [.read], value: [0, 0]),
            ])
        let attribute = GATTService(
            BluetoothUUID(0x1801), [GATTCharacteristic(BluetoothUUID(0x2A05), [.indicate])])
        self.services = [access, attribute] + services
        table = AttributeTable(self.services)
        self.mtu = max(ATTPacket.defaultMTU, mtu)
    }

    /// Processes a PDU of a client.
    ///
    /// - Returns: The PDUs that are sent to the client, in this order.
    package mutating func consume(_ pdu: [UInt8], of client: inout Client) -> [[UInt8]] {
        guard let opcode = pdu.first else { return [] }
        do throws(Refusal) {
            guard let packet = try? ATTPacket(parsing: pdu.span.bytes) else {
                throw Refusal(.invalidPDU)
            }
            return try answers(to: packet, &client).map(\.bytes)
        } catch {
            // Confirmations and commands are not answered (Vol 3 Part F 3.3).
            guard opcode < 0x40, ATTOpcode(rawValue: opcode) != .handleValueConfirmation else {
                return []
            }
            let answer = ATTPacket.errorResponse(
                request: opcode, handle: error.handle, error: error.code)
            return [answer.bytes]
        }
    }

    private mutating func answers(
        to packet: ATTPacket, _ client: inout Client
    ) throws(Refusal) -> [ATTPacket] {
        switch packet {
        case .exchangeMTURequest(let wanted):
            client.mtu = max(ATTPacket.defaultMTU, min(Int(wanted), mtu))
            return [.exchangeMTUResponse(mtu: UInt16(clamping: mtu))]
        case .findInformationRequest(let range): return [try information(in: range, client)]
        case .findByTypeValueRequest(let range, let type, let value):
            return [try services(in: range, type, value, client)]
        case .readByTypeRequest(let range, let type):
            return [try values(in: range, of: type, client)]
        case .readByGroupTypeRequest(let range, let type):
            return [try groups(in: range, of: type, client)]
        case .readRequest(let handle):
            return try read(handle, client).map { [.readResponse(value: $0)] } ?? []
        case .readBlobRequest(let handle, let offset):
            return try read(handle, from: Int(offset), client).map {
                [.readBlobResponse(value: $0)]
            }
                ?? []
        case .writeRequest(let handle, let value):
            return try store(value, at: handle, &client).map { [.writeResponse] + $0 } ?? []
        case .writeCommand(let handle, let value):
            return try store(value, at: handle, &client) ?? []
        case .prepareWriteRequest(let handle, let offset, let part):
            guard table[handle] != nil else { throw Refusal(.invalidHandle, at: handle) }
            client.prepared.append((handle, Int(offset), part))
            return [.prepareWriteResponse(handle: handle, offset: offset, value: part)]
        case .executeWriteRequest(let flags): return try execute(flags, &client)
        default: throw Refusal(.requestNotSupported)
        }
    }

    /// Returns the extra delay of the answer to a PDU, in nanoseconds.
    package func lateness(of pdu: [UInt8]) -> Int64 {
        switch try? ATTPacket(parsing: pdu.span.bytes) {
        case .readRequest(let handle), .readBlobRequest(let handle, _):
            guard case .value(let place)? = table[handle]?.kind else { return 0 }
            return characteristic(at: place).late[.read] ?? 0
        case .writeRequest(let handle, _):
            switch table[handle]?.kind {
            case .value(let place): return characteristic(at: place).late[.write] ?? 0
            case .configuration(let place): return characteristic(at: place).late[.subscribe] ?? 0
            default: return 0
            }
        default: return 0
        }
    }

    private func characteristic(at place: AttributeTable.Place) -> GATTCharacteristic {
        services[place.service].characteristics[place.characteristic]
    }

    // MARK: Discovery (Core 5.4 Vol 3 Part F 3.4.3, 3.4.4; Part G 4.4 to 4.7)

    /// Returns the items of attributes in a range up to the first that lacks one.
    private func found<Item>(
        in range: ATTPacket.Handles, _ item: (AttributeTable.Attribute) -> Item?
    ) throws(Refusal) -> [Item] {
        guard range.start > 0, range.start <= range.end else {
            throw Refusal(.invalidHandle, at: range.start)
        }
        let items = table.attributes.filter { (range.start...range.end).contains($0.handle) }
            .compactMap(item)
        guard !items.isEmpty else { throw Refusal(.attributeNotFound, at: range.start) }
        return items
    }

    /// Returns handles and types; all types have the same length.
    private func information(
        in range: ATTPacket.Handles, _ client: Client
    ) throws(Refusal) -> ATTPacket {
        let items = try found(in: range) { ATTPacket.Information(handle: $0.handle, type: $0.type) }
        let length = items[0].type.attributeBytes.count
        let alike = items.prefix { $0.type.attributeBytes.count == length }
        return .findInformationResponse(Array(alike.prefix((client.mtu - 2) / (length + 2))))
    }

    /// Returns the handle ranges of services with a UUID.
    private func services(
        in range: ATTPacket.Handles, _ type: UInt16, _ value: [UInt8], _ client: Client
    ) throws(Refusal) -> ATTPacket {
        let wanted = BluetoothUUID(littleEndian: value)
        let handles = try found(in: range) { attribute -> ATTPacket.Handles? in
            guard case .service(let last) = attribute.kind, type == 0x2800, wanted != nil,
                BluetoothUUID(littleEndian: attribute.fixed) == wanted
            else { return nil }
            return ATTPacket.Handles(attribute.handle, last)
        }
        return .findByTypeValueResponse(Array(handles.prefix((client.mtu - 1) / 4)))
    }

    /// Returns the handle ranges and UUIDs of all services; all UUIDs have the same length.
    private func groups(
        in range: ATTPacket.Handles, of type: BluetoothUUID, _ client: Client
    ) throws(Refusal) -> ATTPacket {
        guard range.start > 0, range.start <= range.end else {
            throw Refusal(.invalidHandle, at: range.start)
        }
        guard type == BluetoothUUID(0x2800) else {
            throw Refusal(.unsupportedGroupType, at: range.start)
        }
        let groups = try found(in: range) { attribute -> ATTPacket.Group? in
            guard case .service(let last) = attribute.kind else { return nil }
            return ATTPacket.Group(
                ATTPacket.Handles(attribute.handle, last), value: attribute.fixed)
        }
        let length = groups[0].value.count
        let alike = groups.prefix { $0.value.count == length }
        return .readByGroupTypeResponse(Array(alike.prefix((client.mtu - 2) / (length + 4))))
    }

    /// Returns handles and values of attributes of a type; all values have the same length.
    private func values(
        in range: ATTPacket.Handles, of type: BluetoothUUID, _ client: Client
    ) throws(Refusal) -> ATTPacket {
        var items: [ATTPacket.Attribute] = []
        for attribute in try found(in: range, { $0.type == type ? $0 : nil }) {
            do throws(Refusal) {
                guard let value = try value(of: attribute, for: client) else { break }
                let cut = Array(value.prefix(min(253, client.mtu - 4)))
                items.append(ATTPacket.Attribute(handle: attribute.handle, value: cut))
            } catch {
                guard !items.isEmpty else { throw Refusal(code: error.code, at: range.start) }
                break
            }
        }
        guard let length = items.first?.value.count else {
            throw Refusal(.attributeNotFound, at: range.start)
        }
        let alike = items.prefix { $0.value.count == length }
        return .readByTypeResponse(Array(alike.prefix((client.mtu - 2) / (length + 2))))
    }

    // MARK: Reading

    /// Returns the value of an attribute for a client; `nil` if there is no answer.
    private func value(
        of attribute: AttributeTable.Attribute, for client: Client
    ) throws(Refusal) -> [UInt8]? {
        switch attribute.kind {
        case .service, .characteristic: return attribute.fixed
        case .configuration(let place):
            let bits = client.configurations[place] ?? 0
            return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
        case .value(let place):
            let found = characteristic(at: place)
            try permit(.read, of: found, client, at: attribute.handle)
            return found.silent.contains(.read) ? nil : found.value
        }
    }

    /// Throws the reason why a characteristic refuses an operation, if it does.
    private func permit(
        _ operation: GATTCharacteristic.Operation, of found: GATTCharacteristic,
        _ client: Client, at handle: UInt16
    ) throws(Refusal) {
        if let code = found.refuses[operation] { throw Refusal(code: code, at: handle) }
        if found.needsEncryption, !client.isEncrypted {
            throw Refusal(.insufficientAuthentication, at: handle)
        }
        switch operation {
        case .read where !found.properties.contains(.read):
            throw Refusal(.readNotPermitted, at: handle)
        case .write where found.properties.isDisjoint(with: [.write, .writeWithoutResponse]):
            throw Refusal(.writeNotPermitted, at: handle)
        default: break
        }
    }

    private func read(
        _ handle: UInt16, from offset: Int = 0, _ client: Client
    ) throws(Refusal) -> [UInt8]? {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle, at: handle) }
        guard let value = try value(of: attribute, for: client) else { return nil }
        guard offset <= value.count else { throw Refusal(.invalidOffset, at: handle) }
        return Array(value.dropFirst(offset).prefix(client.mtu - 1))
    }

    // MARK: Writing

    /// Stores a value.
    ///
    /// - Returns: The packets to send as a consequence; `nil` if the request itself gets no answer
    ///   either.
    private mutating func store(
        _ value: [UInt8], at handle: UInt16, _ client: inout Client
    ) throws(Refusal) -> [ATTPacket]? {
        switch table[handle]?.kind {
        case nil: throw Refusal(.invalidHandle, at: handle)
        case .service, .characteristic: throw Refusal(.writeNotPermitted, at: handle)
        case .configuration(let place):
            let found = characteristic(at: place)
            try permit(.subscribe, of: found, client, at: handle)
            if found.silent.contains(.subscribe) { return nil }
            client.configurations[place] =
                value.count < 2 ? 0 : UInt16(value[0]) | UInt16(value[1]) << 8
            return []
        case .value(let place):
            let found = characteristic(at: place)
            try permit(.write, of: found, client, at: handle)
            if found.silent.contains(.write) { return nil }
            services[place.service].characteristics[place.characteristic].value = value
            guard let answer = found.answer else { return [] }
            return notifications(answer.through, answer.value ?? value, to: client)
        }
    }

    /// Stores what was prepared (Vol 3 Part F 3.4.6), or discards it.
    private mutating func execute(
        _ flags: UInt8, _ client: inout Client
    ) throws(Refusal) -> [ATTPacket] {
        let parts = client.prepared
        client.prepared = []
        guard flags == 1, let handle = parts.first?.handle else { return [.executeWriteResponse] }
        var whole: [UInt8] = []
        for part in parts {
            guard part.handle == handle, part.offset == whole.count else {
                throw Refusal(.invalidOffset, at: part.handle)
            }
            whole += part.part
        }
        return try store(whole, at: handle, &client).map { [.executeWriteResponse] + $0 } ?? []
    }

    // MARK: Notifying

    /// Returns the PDUs that send a characteristic's value to a subscribed client.
    ///
    /// The value is cut into pieces that fit.
    ///
    /// - Parameter regardless: Whether the value is sent even if the client has not subscribed.
    package func notify(
        _ uuid: BluetoothUUID, _ value: [UInt8], to client: Client, regardless: Bool
    ) -> [[UInt8]] {
        notifications(uuid, value, to: client, regardless: regardless).map(\.bytes)
    }

    private func notifications(
        _ uuid: BluetoothUUID, _ value: [UInt8], to client: Client, regardless: Bool = false
    ) -> [ATTPacket] {
        let found = table.valueHandles.first { characteristic(at: $0.key).uuid == uuid }
        guard let (place, handle) = found else { return [] }
        let bits = client.configurations[place] ?? 0
        guard regardless || bits != 0 else { return [] }
        let size = client.mtu - 3
        return stride(from: 0, to: max(1, value.count), by: size).map { start in
            let part = Array(value.dropFirst(start).prefix(size))
            return bits & 2 != 0
                ? .handleValueIndication(handle: handle, value: part)
                : .handleValueNotification(handle: handle, value: part)
        }
    }
}
