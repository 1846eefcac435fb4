import Bluetooth

/// A GATT central on the air.
///
/// It connects to a host that advertises a service, discovers the service's characteristics, and
/// performs tasks on them.
package struct Central: RemoteDevice {
    /// A task that it performs once it has discovered the service.
    package enum Task: Sendable, Hashable {
        case subscribe(BluetoothUUID)
        case unsubscribe(BluetoothUUID)
        case read(BluetoothUUID)
        case write(BluetoothUUID, [UInt8])
    }

    private struct Characteristic: Sendable {
        let declaration: ATTPacket.Characteristic
        var last: UInt16
        var configuration: UInt16?
    }

    private enum Phase: Sendable {
        case apart, mtu, service, characteristics
        case descriptors(Int)
        case ready
    }

    package let address: DeviceAddress
    private let service: BluetoothUUID
    private var isLooking = false
    private var link: AirLink?
    private var phase = Phase.apart
    private var range = ATTPacket.Handles(0, 0)
    private var characteristics: [Characteristic] = []
    private var tasks: [Task] = []
    /// The unanswered request.
    private var pending: ATTPacket?
    private var commands: [AirCommand] = []

    /// Creates a central that does not look for a host yet.
    package init(_ address: DeviceAddress, lookingFor service: BluetoothUUID) {
        self.address = address
        self.service = service
    }

    /// Connects to the next host that advertises the service.
    package mutating func connect() { isLooking = true }

    /// Ends the link.
    package mutating func leave(reason: UInt8) {
        if let link { commands.append(.end(link, reason: reason)) }
    }

    /// Performs a task as soon as possible.
    package mutating func perform(_ task: Task) {
        tasks.append(task)
        performNext()
    }

    package func connects(to advertising: HostAdvertising) -> Bool {
        isLooking && link == nil
            && [advertising.data, advertising.scanResponse].contains {
                AdvertisingData(parsing: $0).services.contains(service)
            }
    }

    package mutating func opened(_ link: AirLink, to host: DeviceAddress) {
        self.link = link
        isLooking = false
        phase = .mtu
        characteristics = []
        query(.exchangeMTURequest(mtu: 517))
    }

    package mutating func closed(_ link: AirLink) {
        self.link = nil
        phase = .apart
        pending = nil
        tasks = []
    }

    package mutating func takeCommands() -> [AirCommand] {
        defer { commands = [] }
        return commands
    }

    /// Sends a PDU of the attribute protocol unchanged, whatever it is; an answer to it is not used.
    package mutating func sendAttribute(_ bytes: [UInt8]) {
        guard let link else { return }
        commands.append(
            .send(link, L2CAPFrame(channel: L2CAPFrame.Channel.attributes, payload: bytes)))
    }

    private mutating func query(_ request: ATTPacket) {
        pending = request
        send(request)
    }

    private mutating func send(_ packet: ATTPacket) { sendAttribute(packet.bytes) }

    // MARK: What the host answers

    package mutating func consume(_ unit: L2CAPFrame, on link: AirLink) {
        guard unit.channel == L2CAPFrame.Channel.attributes, let opcode = unit.payload.first else {
            return
        }
        if ATTOpcode(rawValue: opcode) == .handleValueIndication {
            return send(.handleValueConfirmation)
        }
        let expected = pending?.operation?.response?.rawValue
        guard opcode == expected || opcode == ATTOpcode.errorResponse.rawValue, pending != nil
        else { return }
        pending = nil
        proceed(after: try? ATTPacket(parsing: unit.payload.span.bytes))
    }

    /// Continues after an answer; `nil` stands for a malformed one.
    private mutating func proceed(after answer: ATTPacket?) {
        switch phase {
        case .apart: break
        case .mtu:
            phase = .service
            query(
                .findByTypeValueRequest(
                    ATTPacket.Handles(1, 0xFFFF), type: 0x2800, value: service.attributeBytes))
        case .service:
            guard case .findByTypeValueResponse(let found)? = answer, let first = found.first else {
                phase = .ready
                return tasks = []
            }
            range = first
            phase = .characteristics
            findCharacteristics(from: first.start)
        case .characteristics:
            guard case .readByTypeResponse(let attributes)? = answer else {
                return findDescriptors(from: 0)
            }
            add(attributes)
        case .descriptors(let index):
            if case .findInformationResponse(let found)? = answer {
                characteristics[index].configuration =
                    found.last { $0.type == BluetoothUUID(0x2902) }?.handle
            }
            findDescriptors(from: index + 1)
        case .ready: performNext()
        }
    }

    private mutating func findCharacteristics(from first: UInt16) {
        query(
            .readByTypeRequest(
                ATTPacket.Handles(first, range.end), type: BluetoothUUID(0x2803)))
    }

    private mutating func add(_ attributes: [ATTPacket.Attribute]) {
        var last: UInt16 = 0
        for attribute in attributes {
            guard let declaration = ATTPacket.Characteristic(parsing: attribute.value) else {
                continue
            }
            last = attribute.handle
            if !characteristics.isEmpty {
                characteristics[characteristics.count - 1].last = last - 1
            }
            characteristics.append(Characteristic(declaration: declaration, last: range.end))
        }
        if last > 0, last < range.end {
            findCharacteristics(from: last + 1)
        } else {
            findDescriptors(from: 0)
        }
    }

    private mutating func findDescriptors(from index: Int) {
        let next = characteristics.indices.first {
            $0 >= index && characteristics[$0].declaration.isConfigurable
                && characteristics[$0].declaration.value < characteristics[$0].last
        }
        guard let next else {
            phase = .ready
            return performNext()
        }
        phase = .descriptors(next)
        let found = characteristics[next]
        query(
            .findInformationRequest(ATTPacket.Handles(found.declaration.value + 1, found.last)))
    }

    private mutating func performNext() {
        guard case .ready = phase, pending == nil, !tasks.isEmpty else { return }
        let task = tasks.removeFirst()
        guard let packet = request(for: task) else { return performNext() }
        query(packet)
    }

    /// Returns the request for a task; `nil` if the service lacks the characteristic or descriptor.
    private func request(for task: Task) -> ATTPacket? {
        func found(_ uuid: BluetoothUUID) -> Characteristic? {
            characteristics.first { $0.declaration.uuid == uuid }
        }
        switch task {
        case .subscribe(let uuid):
            return found(uuid)?.configuration.map { .writeRequest(handle: $0, value: [1, 0]) }
        case .unsubscribe(let uuid):
            return found(uuid)?.configuration.map { .writeRequest(handle: $0, value: [0, 0]) }
        case .read(let uuid): return found(uuid).map { .readRequest(handle: $0.declaration.value) }
        case .write(let uuid, let value):
            return found(uuid).map { .writeRequest(handle: $0.declaration.value, value: value) }
        }
    }
}
