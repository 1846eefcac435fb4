import Bluetooth

/// The lower part of a Bluetooth host: one controller with its commands, links and data.
///
/// `receive` returns events, `takeOutgoing` returns the bytes to send. It starts as Zephyr does. It
/// sends a command only when the previous one is answered, and never sends more data than the
/// controller has room for (Core 5.4 Vol 4 Part E 4.1, 4.4).
struct HCIHost: Sendable {
    /// The address of a device.
    struct Address: Sendable, Hashable {
        /// Six bytes in the order of commands, the lowest first.
        let bytes: [UInt8]
        /// 0 public, 1 random.
        let type: UInt8

        /// Parses an address such as `c4:11:11:11:11:11`.
        ///
        /// An address whose two top bits are set is treated as a static random one.
        init?(_ text: String) {
            guard case .address(let value)? = BluetoothNode(address: text) else { return nil }
            bytes = (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
            type = bytes[5] >> 6 == 3 ? 1 : 0
        }

        init(type: UInt8, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }

        var text: String {
            BluetoothNode.address(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }).description
        }
    }

    /// Something that has happened.
    enum Event: Sendable {
        /// The controller is ready.
        case ready
        case advertisement(Address, data: [UInt8], rssi: Int8, isScanResponse: Bool)
        case connected(UInt16, Address)
        case connectionFailed(UInt8)
        case disconnected(UInt16, reason: UInt8)
        case data(UInt16, L2CAPFrame)
        case encrypted(UInt16, status: UInt8)
    }

    /// The room for data in the controller, separate for each kind of link.
    private struct Room: Sendable {
        /// The maximum size of a packet in bytes.
        var length = 27
        /// The number of packets that it can take now.
        var credits = 0
        var waiting: [ACLPacket] = []
    }

    private struct Command: Sendable {
        let opcode: UInt16
        let parameters: [UInt8]
    }

    static let ownAddress: [UInt8] = [0x01, 0x00, 0x00, 0x00, 0xEF, 0xD0]

    private var reader = H4Reader()
    private var outgoing: [UInt8] = []
    private var commands: [Command] = []
    /// The command that has not been answered.
    private var pending: Command?
    private(set) var isReady = false
    private var isExtended = false
    /// Whether the controller supports BR/EDR as well.
    private(set) var isDual = false
    private var lowEnergyRoom = Room()
    private var classicRoom = Room()
    private var inFlight: [UInt16: Int] = [:]
    private var reassemblies: [UInt16: L2CAPReassembly] = [:]
    /// The established links, with the devices at their other ends.
    private(set) var links: [UInt16: Address] = [:]
    /// The links over BR/EDR.
    private var classicLinks: Set<UInt16> = []
    /// The device for which a link over BR/EDR was last requested.
    private var paged: Address?

    /// Starts with a reset; later commands depend on the answers.
    mutating func start() {
        let all = [UInt8](repeating: 0xFF, count: 8)
        command(0x0C03)
        for opcode: UInt16 in [0x1003, 0x1001, 0x1002, 0x2003, 0x2002] { command(opcode) }
        command(0x2001, [0xFF, 0x1F, 0, 0, 0, 0, 0, 0])
        command(0x0C01, Array(all.prefix(7)) + [0x3F])
        command(0x1009)
        command(0x2005, Self.ownAddress)
    }

    /// Returns the bytes to send since the last call.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: Commands of the host

    mutating func scan(_ isOn: Bool, isActive: Bool = true) {
        if isOn {
            let type: UInt8 = isActive ? 1 : 0
            if isExtended {
                command(0x2041, [1, 0, 1, type, 0x60, 0, 0x30, 0])
            } else {
                command(0x200B, [type, 0x60, 0, 0x30, 0, 1, 0])
            }
        }
        let enable: UInt8 = isOn ? 1 : 0
        // Duplicates are filtered here, not by the controller.
        command(isExtended ? 0x2042 : 0x200C, isExtended ? [enable, 0, 0, 0, 0, 0] : [enable, 0])
    }

    /// Enables scanning at once, even if other commands have not been answered.
    mutating func scanAtOnce() { outgoing += [1, 0x0C, 0x20, 2, 1, 0] }

    /// Requests a link, over BR/EDR if the address is public and the controller supports it.
    ///
    /// - Parameter byList: Whether the filter accept list selects the device.
    mutating func connect(
        to address: Address, overLowEnergy: Bool = false, byList: Bool = false
    ) {
        paged = isDual && address.type == 0 && !overLowEnergy ? address : nil
        guard paged == nil else {
            // All packet types, page scan R1, no clock offset, roles may switch (7.1.5).
            return command(0x0405, address.bytes + [0x18, 0xCC, 1, 0, 0, 0, 1])
        }
        var peer = [address.type] + address.bytes
        let policy: UInt8 = byList ? 1 : 0
        if byList {
            command(0x2010)
            command(0x2011, peer)
            peer = [UInt8](repeating: 0, count: 7)
        }
        let interval: [UInt8] = [0x18, 0, 0x28, 0, 0, 0, 0x48, 0, 0, 0, 0, 0]
        if isExtended {
            command(0x2043, [policy, 1] + peer + [1, 0x60, 0, 0x30, 0] + interval)
        } else {
            command(0x200D, [0x60, 0, 0x30, 0, policy] + peer + [1] + interval)
        }
    }

    /// Advertises under the random address until a device connects.
    mutating func advertise(_ data: [UInt8]) {
        command(0x2006, [0x20, 0, 0x20, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0])
        let padding = [UInt8](repeating: 0, count: max(0, 31 - data.count))
        command(0x2008, [UInt8(truncatingIfNeeded: data.count)] + data + padding)
        command(0x200A, [1])
    }

    mutating func cancelConnection() {
        if let paged { command(0x0408, paged.bytes) } else { command(0x200E) }
    }

    /// Whether a link is over BR/EDR.
    func isClassic(_ handle: UInt16) -> Bool { classicLinks.contains(handle) }

    mutating func disconnect(_ handle: UInt16) {
        command(0x0406, Self.bytes(handle) + [0x13])
    }

    mutating func encrypt(_ handle: UInt16, key: [UInt8]) {
        command(0x2019, Self.bytes(handle) + [UInt8](repeating: 0, count: 10) + key)
    }

    mutating func send(_ payload: [UInt8], channel: UInt16, on handle: UInt16) {
        let unit = L2CAPFrame(channel: channel, payload: payload).bytes
        with(isClassic(handle)) { room in
            room.waiting += ACLPacket.fragments(
                of: unit, handle: handle, size: room.length, first: .firstNonFlushable)
        }
        sendWaiting()
    }

    private mutating func with(_ isClassic: Bool, _ body: (inout Room) -> Void) {
        if isClassic { body(&classicRoom) } else { body(&lowEnergyRoom) }
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }

    private mutating func command(_ opcode: UInt16, _ parameters: [UInt8] = []) {
        commands.append(Command(opcode: opcode, parameters: parameters))
        sendCommand()
    }

    private mutating func sendCommand() {
        guard pending == nil, !commands.isEmpty else { return }
        let command = commands.removeFirst()
        pending = command
        outgoing += [1] + Self.bytes(command.opcode) + [UInt8(command.parameters.count)]
        outgoing += command.parameters
    }

    private mutating func sendWaiting() {
        for room in [\HCIHost.lowEnergyRoom, \HCIHost.classicRoom] {
            while self[keyPath: room].credits > 0, !self[keyPath: room].waiting.isEmpty {
                let packet = self[keyPath: room].waiting.removeFirst()
                self[keyPath: room].credits -= 1
                inFlight[packet.handle, default: 0] += 1
                outgoing += HCIPacket.acl(packet).bytes
            }
        }
    }

    // MARK: Input from the controller

    /// Handles bytes of the controller.
    mutating func receive(_ bytes: [UInt8]) -> [Event] {
        reader.consume(bytes.span.bytes).flatMap { packet -> [Event] in
            switch packet.first {
            case 2: data(packet)
            case 4: event(packet[1], Array(packet.dropFirst(3)))
            default: []
            }
        }
    }

    private mutating func data(_ packet: [UInt8]) -> [Event] {
        guard let packet = try? ACLPacket(parsing: packet.span.bytes.extracting(droppingFirst: 1)),
            links[packet.handle] != nil
        else { return [] }
        var reassembly = reassemblies[packet.handle] ?? L2CAPReassembly()
        let unit = try? reassembly.consume(packet)
        reassemblies[packet.handle] = reassembly
        return unit.map { [.data(packet.handle, $0)] } ?? []
    }

    private mutating func event(_ code: UInt8, _ bytes: [UInt8]) -> [Event] {
        switch code {
        case 0x03 where bytes.count >= 9:
            guard bytes[0] == 0 else { return [.connectionFailed(bytes[0])] }
            let address = Address(type: 0, bytes: Array(bytes[3..<9]))
            classicLinks.insert(Self.number(bytes, 1))
            links[Self.number(bytes, 1)] = address
            return [.connected(Self.number(bytes, 1), address)]
        // Every caller is accepted; the caller remains central (7.1.8).
        case 0x04 where bytes.count >= 6: command(0x0409, Array(bytes.prefix(6)) + [1])
        case 0x05 where bytes.count >= 4 && bytes[0] == 0:
            return disconnected(Self.number(bytes, 1), reason: bytes[3])
        case 0x08 where bytes.count >= 4:
            return [.encrypted(Self.number(bytes, 1), status: bytes[3] == 0 ? 0xFF : bytes[0])]
        case 0x0E where bytes.count >= 4: return answered(Self.number(bytes, 1), bytes.dropFirst(3))
        case 0x0F where bytes.count >= 4:
            return answered(Self.number(bytes, 2), bytes.prefix(1), isFinal: false)
        case 0x13: completed(bytes)
        case 0x3E where !bytes.isEmpty: return lowEnergy(bytes[0], Array(bytes.dropFirst()))
        default: break
        }
        return []
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt16 {
        UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
    }

    private mutating func disconnected(_ handle: UInt16, reason: UInt8) -> [Event] {
        guard links.removeValue(forKey: handle) != nil else { return [] }
        reassemblies[handle] = nil
        // Data in flight on the link counts as completed (Vol 4 Part E 4.3).
        let freed = inFlight.removeValue(forKey: handle) ?? 0
        with(isClassic(handle)) { room in
            room.credits += freed
            room.waiting.removeAll { $0.handle == handle }
        }
        classicLinks.remove(handle)
        sendWaiting()
        return [.disconnected(handle, reason: reason)]
    }

    /// Handles the answer to a command: the status and the return parameters.
    private mutating func answered(
        _ opcode: UInt16, _ answer: ArraySlice<UInt8>, isFinal: Bool = true
    ) -> [Event] {
        guard pending?.opcode == opcode else { return [] }
        pending = nil
        defer { sendCommand() }
        let values = Array(answer.dropFirst())
        let status = answer.first ?? 0
        switch opcode {
        // "BR/EDR not supported" is bit 37 (Vol 2 Part C 3.3).
        case 0x1003 where status == 0 && values.count >= 8 && values[4] & 0x20 == 0:
            isDual = true
            // Reads the BR/EDR buffer sizes and enables page scan (7.4.5, 7.3.18).
            let last = commands.count - 1
            commands.insert(Command(opcode: 0x1005, parameters: []), at: max(0, last))
            commands.insert(Command(opcode: 0x0C1A, parameters: [2]), at: max(0, last))
        case 0x1005 where status == 0 && values.count >= 5:
            classicRoom.length = max(27, Int(Self.number(values, 0)))
            classicRoom.credits = Int(Self.number(values, 3))
        case 0x2003 where status == 0 && values.count >= 2: isExtended = values[1] & 0x10 != 0
        case 0x2002 where status == 0 && values.count >= 3:
            lowEnergyRoom.length = max(27, Int(Self.number(values, 0)))
            lowEnergyRoom.credits = Int(values[2])
        case 0x2005:
            isReady = true
            return [.ready]
        case 0x200D where status != 0, 0x2043 where status != 0, 0x0405 where status != 0:
            return [.connectionFailed(status)]
        default: break
        }
        return []
    }

    private mutating func completed(_ bytes: [UInt8]) {
        for place in stride(from: 1, to: bytes.count - 3, by: 4) {
            let handle = Self.number(bytes, place)
            let count = min(Int(Self.number(bytes, place + 2)), inFlight[handle] ?? 0)
            inFlight[handle, default: 0] -= count
            with(isClassic(handle)) { $0.credits += count }
        }
        sendWaiting()
    }

    private mutating func lowEnergy(_ code: UInt8, _ bytes: [UInt8]) -> [Event] {
        switch code {
        case 0x01 where bytes.count >= 11, 0x0A where bytes.count >= 11:
            guard bytes[0] == 0 else { return [.connectionFailed(bytes[0])] }
            let address = Address(type: bytes[4] & 1, bytes: Array(bytes[5..<11]))
            let handle = Self.number(bytes, 1)
            links[handle] = address
            return [.connected(handle, address)]
        case 0x02: return reports(bytes)
        case 0x0D: return extendedReports(bytes)
        default: return []
        }
    }

    private func reports(_ bytes: [UInt8]) -> [Event] {
        var rest = bytes.dropFirst()
        var events: [Event] = []
        while rest.count >= 10 {
            let head = Array(rest.prefix(9))
            let length = Int(head[8])
            guard rest.count >= 10 + length else { break }
            let data = Array(rest.dropFirst(9).prefix(length))
            let rssi = rest[rest.startIndex + 9 + length]
            events.append(
                .advertisement(
                    Address(type: head[1] & 1, bytes: Array(head[2..<8])), data: data,
                    rssi: Int8(bitPattern: rssi), isScanResponse: head[0] == 4))
            rest = rest.dropFirst(10 + length)
        }
        return events
    }

    private func extendedReports(_ bytes: [UInt8]) -> [Event] {
        var rest = bytes.dropFirst()
        var events: [Event] = []
        while rest.count >= 24 {
            let head = Array(rest.prefix(24))
            let length = Int(head[23])
            guard rest.count >= 24 + length else { break }
            events.append(
                .advertisement(
                    Address(type: head[2] & 1, bytes: Array(head[3..<9])),
                    data: Array(rest.dropFirst(24).prefix(length)),
                    rssi: Int8(bitPattern: head[13]), isScanResponse: head[0] & 8 != 0))
            rest = rest.dropFirst(24 + length)
        }
        return events
    }
}
