/// A GATT server: client requests in, answers and notifications out.
///
/// See Core 5.4 Vol 3 Parts F and G.
package struct GATTServer: Sendable {
    /// Error codes of the Error Response (Vol 3 Part F 3.4.1.1).
    enum Failure: UInt8 {
        case invalidHandle = 0x01
        case readNotPermitted = 0x02
        case writeNotPermitted = 0x03
        case invalidPDU = 0x04
        case insufficientAuthentication = 0x05
        case requestNotSupported = 0x06
        case invalidOffset = 0x07
        case attributeNotFound = 0x0A
        case attributeNotLong = 0x0B
        case unsupportedGroupType = 0x10
    }

    /// The server's state of a client's link.
    package struct Client: Sendable {
        /// The size of a PDU that both sides accept.
        package internal(set) var mtu = 23
        /// Whether the link is encrypted.
        package var isEncrypted = false
        /// What the client subscribes to, by characteristic: 1 notifications, 2 indications.
        var configurations: [AttributeTable.Place: UInt16] = [:]
        var prepared: [(handle: UInt16, offset: Int, part: [UInt8])] = []

        /// Creates the state of a new link.
        package init() {}
    }

    /// The services, including GAP and GATT.
    private(set) var services: [GATTService]
    var table: AttributeTable
    /// The largest PDU that the server accepts.
    let mtu: Int

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - services: Its services; the mandatory services of every device are placed before them.
    ///   - name: The device's name.
    ///   - mtu: The largest PDU that it accepts, at least 23.
    package init(_ services: [GATTService], name: String, mtu: Int) {
        let access = GATTService(
            ServiceUUID(0x1800),
            [
                GATTCharacteristic(ServiceUUID(0x2A00), [.read], value: Array(name.utf8)),
                GATTCharacteristic(ServiceUUID(0x2A01), [.read], value: [0, 0]),
            ])
        let attribute = GATTService(
            ServiceUUID(0x1801), [GATTCharacteristic(ServiceUUID(0x2A05), [.indicate])])
        self.services = [access, attribute] + services
        table = AttributeTable(self.services)
        self.mtu = max(23, mtu)
    }

    /// Processes a PDU of a client.
    ///
    /// - Returns: The PDUs that are sent to the client, in this order.
    package mutating func consume(_ pdu: [UInt8], of client: inout Client) -> [[UInt8]] {
        guard let opcode = pdu.first else { return [] }
        var reader = LittleEndianReader(pdu.dropFirst())
        switch opcode {
        case 0x02: return exchangeMTU(&reader, &client)
        case 0x04, 0x06, 0x08, 0x10: return discover(opcode, &reader, client)
        case 0x0A, 0x0C: return read(opcode, &reader, client)
        case 0x12, 0x52: return write(opcode, &reader, &client)
        case 0x16, 0x18: return writeLong(opcode, &reader, &client)
        // Confirmations and unknown commands are not answered (Vol 3 Part F 3.3).
        case 0x1E, 0x40...: return []
        default: return [Self.error(opcode, 0, .requestNotSupported)]
        }
    }

    /// Returns the extra delay of the answer to a PDU, in nanoseconds.
    package func lateness(of pdu: [UInt8]) -> Int64 {
        var reader = LittleEndianReader(pdu.dropFirst())
        guard let opcode = pdu.first, let kind = reader.word().flatMap({ table[$0] })?.kind
        else { return 0 }
        switch (opcode, kind) {
        case (0x0A, .value(let place)), (0x0C, .value(let place)):
            return characteristic(at: place).late[.read] ?? 0
        case (0x12, .value(let place)): return characteristic(at: place).late[.write] ?? 0
        case (0x12, .configuration(let place)):
            return characteristic(at: place).late[.subscribe] ?? 0
        default: return 0
        }
    }

    static func error(_ request: UInt8, _ handle: UInt16, _ failure: Failure) -> [UInt8] {
        error(request, handle, code: failure.rawValue)
    }

    static func error(_ request: UInt8, _ handle: UInt16, code: UInt8) -> [UInt8] {
        [0x01, request] + handle.littleEndianBytes + [code]
    }

    private func exchangeMTU(
        _ reader: inout LittleEndianReader, _ client: inout Client
    ) -> [[UInt8]] {
        guard let wanted = reader.word() else { return [Self.error(0x02, 0, .invalidPDU)] }
        client.mtu = max(23, min(Int(wanted), mtu))
        return [[0x03] + UInt16(clamping: mtu).littleEndianBytes]
    }

    // MARK: Reading

    func characteristic(at place: AttributeTable.Place) -> GATTCharacteristic {
        services[place.service].characteristics[place.characteristic]
    }

    /// Returns the value of an attribute for a client, or the reason for refusing it.
    func value(
        of attribute: AttributeTable.Attribute, for client: Client
    ) -> Result<[UInt8]?, Refusal> {
        switch attribute.kind {
        case .service, .characteristic: return .success(attribute.fixed)
        case .configuration(let place):
            return .success((client.configurations[place] ?? 0).littleEndianBytes)
        case .value(let place):
            let found = characteristic(at: place)
            if let refusal = refusal(.read, of: found, client) { return .failure(refusal) }
            if found.silent.contains(.read) { return .success(nil) }
            return .success(found.value)
        }
    }

    /// The refusal of an operation, with its error code.
    struct Refusal: Error {
        let code: UInt8

        init(_ code: UInt8) { self.code = code }

        init(_ failure: Failure) { code = failure.rawValue }
    }

    /// Returns why a characteristic refuses an operation; `nil` if it does not.
    private func refusal(
        _ operation: GATTCharacteristic.Operation, of found: GATTCharacteristic, _ client: Client
    ) -> Refusal? {
        if let code = found.refuses[operation] { return Refusal(code) }
        if found.needsEncryption, !client.isEncrypted {
            return Refusal(.insufficientAuthentication)
        }
        switch operation {
        case .read: return found.properties.contains(.read) ? nil : Refusal(.readNotPermitted)
        case .write:
            let isWritable = !found.properties.isDisjoint(with: [.write, .writeWithoutResponse])
            return isWritable ? nil : Refusal(.writeNotPermitted)
        case .subscribe: return nil
        }
    }

    private func read(
        _ opcode: UInt8, _ reader: inout LittleEndianReader, _ client: Client
    ) -> [[UInt8]] {
        guard let handle = reader.word() else { return [Self.error(opcode, 0, .invalidPDU)] }
        let offset = opcode == 0x0C ? reader.word().map { Int($0) } ?? 0 : 0
        guard let attribute = table[handle] else {
            return [Self.error(opcode, handle, .invalidHandle)]
        }
        switch value(of: attribute, for: client) {
        case .failure(let refusal): return [Self.error(opcode, handle, code: refusal.code)]
        case .success(nil): return []
        case .success(let value?):
            guard offset <= value.count else {
                return [Self.error(opcode, handle, .invalidOffset)]
            }
            return [[opcode + 1] + value.dropFirst(offset).prefix(client.mtu - 1)]
        }
    }

    // MARK: Writing

    private mutating func write(
        _ opcode: UInt8, _ reader: inout LittleEndianReader, _ client: inout Client
    ) -> [[UInt8]] {
        let isRequest = opcode == 0x12
        guard let handle = reader.word() else {
            return isRequest ? [Self.error(opcode, 0, .invalidPDU)] : []
        }
        do throws(Refusal) {
            guard let effects = try store(Array(reader.rest), at: handle, &client) else {
                return []
            }
            return (isRequest ? [[0x13]] : []) + effects
        } catch {
            return isRequest ? [Self.error(opcode, handle, code: error.code)] : []
        }
    }

    /// Stores a value.
    ///
    /// - Returns: The PDUs to send as a consequence; `nil` if the request itself gets no answer
    ///   either.
    private mutating func store(
        _ value: [UInt8], at handle: UInt16, _ client: inout Client
    ) throws(Refusal) -> [[UInt8]]? {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle) }
        switch attribute.kind {
        case .service, .characteristic: throw Refusal(.writeNotPermitted)
        case .configuration(let place):
            let found = characteristic(at: place)
            if let refusal = refusal(.subscribe, of: found, client) { throw refusal }
            if found.silent.contains(.subscribe) { return nil }
            var bits = LittleEndianReader(value)
            client.configurations[place] = bits.word() ?? 0
            return []
        case .value(let place):
            let found = characteristic(at: place)
            if let refusal = refusal(.write, of: found, client) { throw refusal }
            if found.silent.contains(.write) { return nil }
            services[place.service].characteristics[place.characteristic].value = value
            guard let answer = found.answer else { return [] }
            return notify(answer.through, answer.value ?? value, to: client)
        }
    }

    /// Handles Prepare Write and Execute Write (Vol 3 Part F 3.4.6).
    private mutating func writeLong(
        _ opcode: UInt8, _ reader: inout LittleEndianReader, _ client: inout Client
    ) -> [[UInt8]] {
        if opcode == 0x16 {
            guard let handle = reader.word(), let offset = reader.word() else {
                return [Self.error(opcode, 0, .invalidPDU)]
            }
            guard table[handle] != nil else { return [Self.error(opcode, handle, .invalidHandle)] }
            let part = Array(reader.rest)
            client.prepared.append((handle, Int(offset), part))
            return [
                [0x17] + handle.littleEndianBytes + offset.littleEndianBytes + part
            ]
        }
        let parts = client.prepared
        client.prepared = []
        guard reader.byte() == 1, let handle = parts.first?.handle else { return [[0x19]] }
        var whole: [UInt8] = []
        for part in parts {
            guard part.handle == handle, part.offset == whole.count else {
                return [Self.error(opcode, part.handle, .invalidOffset)]
            }
            whole += part.part
        }
        do throws(Refusal) {
            guard let effects = try store(whole, at: handle, &client) else { return [] }
            return [[0x19]] + effects
        } catch {
            return [Self.error(opcode, handle, code: error.code)]
        }
    }

    // MARK: Notifying

    /// Returns the PDUs that send a characteristic's value to a subscribed client.
    ///
    /// The value is cut into pieces that fit.
    ///
    /// - Parameter regardless: Whether the value is sent even if the client has not subscribed.
    package func notify(
        _ uuid: ServiceUUID, _ value: [UInt8], to client: Client, regardless: Bool = false
    ) -> [[UInt8]] {
        guard
            let place = table.valueHandles.keys.first(where: {
                characteristic(at: $0).uuid.means(uuid)
            }),
            let handle = table.valueHandles[place]
        else { return [] }
        let bits = client.configurations[place] ?? 0
        guard regardless || bits != 0 else { return [] }
        let opcode: UInt8 = bits & 2 != 0 ? 0x1D : 0x1B
        let size = client.mtu - 3
        guard !value.isEmpty else { return [[opcode] + handle.littleEndianBytes] }
        return stride(from: 0, to: value.count, by: size).map { start in
            [opcode] + handle.littleEndianBytes + value[start..<min(value.count, start + size)]
        }
    }
}
