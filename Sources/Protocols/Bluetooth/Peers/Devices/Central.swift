import Bluetooth

/// A GATT central on the air.
///
/// It connects to a host that advertises a service, discovers the service's characteristics, and
/// performs tasks on them.
package struct Central: RemoteDevice {
    /// A task that it performs once it has discovered the service.
    package enum Task: Sendable, Hashable {
        case subscribe(ServiceUUID)
        case unsubscribe(ServiceUUID)
        case read(ServiceUUID)
        case write(ServiceUUID, [UInt8])
    }

    private struct Characteristic: Sendable {
        let uuid: ServiceUUID
        let value: UInt16
        var last: UInt16
        var configuration: UInt16?
        let isConfigurable: Bool
    }

    private enum Phase: Sendable {
        case apart, mtu, service, characteristics
        case descriptors(Int)
        case ready
    }

    package let address: DeviceAddress
    private let service: ServiceUUID
    private var isLooking = false
    private var link: AirLink?
    private var phase = Phase.apart
    private var range: (UInt16, UInt16) = (0, 0)
    private var characteristics: [Characteristic] = []
    private var tasks: [Task] = []
    /// The opcode of the unanswered request.
    private var pending: UInt8?
    private var commands: [AirCommand] = []

    /// Creates a central that does not look for a host yet.
    package init(_ address: DeviceAddress, lookingFor service: ServiceUUID) {
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
            && Self.services(in: advertising.data + advertising.scanResponse).contains {
                $0.means(service)
            }
    }

    /// Returns the services that advertising data list.
    private static func services(in data: [UInt8]) -> [ServiceUUID] {
        var found: [ServiceUUID] = []
        var rest = data[...]
        while let length = rest.first.map({ Int($0) }), length > 0, rest.count > length {
            let structure = Array(rest.dropFirst().prefix(length))
            let size = [2: 2, 3: 2, 6: 16, 7: 16][structure[0]] ?? 0
            if size > 0 {
                for start in stride(from: 1, to: structure.count, by: size) {
                    found += ServiceUUID(sent: structure[start...].prefix(size)).map { [$0] } ?? []
                }
            }
            rest = rest.dropFirst(length + 1)
        }
        return found
    }

    package mutating func opened(_ link: AirLink, to host: DeviceAddress) {
        self.link = link
        isLooking = false
        phase = .mtu
        characteristics = []
        query([0x02, 0x05, 0x02])
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

    private mutating func query(_ pdu: [UInt8]) {
        guard let link, let opcode = pdu.first else { return }
        pending = opcode
        commands.append(.send(link, L2CAPFrame(channel: 4, payload: pdu)))
    }

    // MARK: What the host answers

    package mutating func consume(_ unit: L2CAPFrame, on link: AirLink) {
        guard unit.channel == 4, let opcode = unit.payload.first else { return }
        if opcode == 0x1D {
            return commands.append(.send(link, L2CAPFrame(channel: 4, payload: [0x1E])))
        }
        guard let pending, opcode == pending + 1 || opcode == 0x01 else { return }
        self.pending = nil
        proceed(opcode == 0x01 ? nil : Array(unit.payload.dropFirst()))
    }

    /// Continues after an answer; `nil` stands for an error.
    private mutating func proceed(_ answer: [UInt8]?) {
        switch phase {
        case .apart: break
        case .mtu:
            phase = .service
            query([0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28] + service.bytes)
        case .service:
            var reader = LittleEndianReader(answer ?? [])
            guard let first = reader.word(), let last = reader.word() else {
                phase = .ready
                return tasks = []
            }
            range = (first, last)
            phase = .characteristics
            findCharacteristics(from: first)
        case .characteristics: takeCharacteristics(answer)
        case .descriptors(let index):
            var reader = LittleEndianReader(Array((answer ?? []).dropFirst()))
            while let handle = reader.word(), let type = reader.word() {
                if type == 0x2902 { characteristics[index].configuration = handle }
            }
            findDescriptors(from: index + 1)
        case .ready: performNext()
        }
    }

    private mutating func findCharacteristics(from first: UInt16) {
        query([0x08] + first.littleEndianBytes + range.1.littleEndianBytes + [0x03, 0x28])
    }

    private mutating func takeCharacteristics(_ answer: [UInt8]?) {
        guard let answer, let length = answer.first.map({ Int($0) }), length >= 7 else {
            return findDescriptors(from: 0)
        }
        var last: UInt16 = 0
        for start in stride(from: 1, to: answer.count - length + 1, by: length) {
            var reader = LittleEndianReader(answer[start..<(start + length)])
            guard let declaration = reader.word(), let properties = reader.byte(),
                let value = reader.word(), let uuid = ServiceUUID(sent: reader.rest)
            else { continue }
            if !characteristics.isEmpty {
                characteristics[characteristics.count - 1].last = declaration - 1
            }
            characteristics.append(
                Characteristic(
                    uuid: uuid, value: value, last: range.1,
                    isConfigurable: properties & 0x30 != 0))
            last = declaration
        }
        if last > 0, last < range.1 {
            findCharacteristics(from: last + 1)
        } else {
            findDescriptors(from: 0)
        }
    }

    private mutating func findDescriptors(from index: Int) {
        let next = characteristics.indices.first {
            $0 >= index && characteristics[$0].isConfigurable
                && characteristics[$0].value < characteristics[$0].last
        }
        guard let next else {
            phase = .ready
            return performNext()
        }
        phase = .descriptors(next)
        let found = characteristics[next]
        query([0x04] + (found.value + 1).littleEndianBytes + found.last.littleEndianBytes)
    }

    private mutating func performNext() {
        guard case .ready = phase, pending == nil, !tasks.isEmpty else { return }
        let task = tasks.removeFirst()
        guard let pdu = request(for: task) else { return performNext() }
        query(pdu)
    }

    /// Returns the request for a task; `nil` if the service lacks the characteristic or descriptor.
    private func request(for task: Task) -> [UInt8]? {
        func found(_ uuid: ServiceUUID) -> Characteristic? {
            characteristics.first { $0.uuid.means(uuid) }
        }
        switch task {
        case .subscribe(let uuid):
            return found(uuid)?.configuration.map { [0x12] + $0.littleEndianBytes + [1, 0] }
        case .unsubscribe(let uuid):
            return found(uuid)?.configuration.map { [0x12] + $0.littleEndianBytes + [0, 0] }
        case .read(let uuid): return found(uuid).map { [0x0A] + $0.value.littleEndianBytes }
        case .write(let uuid, let value):
            return found(uuid).map { [0x12] + $0.value.littleEndianBytes + value }
        }
    }
}
