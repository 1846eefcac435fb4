import Bluetooth

/// The attributes of a peripheral, and its answers to requests (Core 5.4 Vol 3 Part F).
struct PeripheralServer: Sendable {
    private struct Attribute: Sendable {
        let type: BluetoothUUID
        var value: [UInt8]
        var isReadable = true
        var isWritable = false
        /// The last handle of the group that it starts.
        var end: UInt16?
        /// The handle of the configuration that controls notifications of its value.
        var configuration: UInt16?
        /// The handle of the value that notifies values written to this one.
        var echo: UInt16?
        var isConfiguration = false
    }

    private var attributes: [Attribute] = []
    private var values: [BluetoothUUID: UInt16] = [:]
    private(set) var mtu = ATTPacket.defaultMTU

    init(_ configuration: PeripheralConfiguration) {
        for service in configuration.services { add(service) }
        for service in configuration.services {
            for characteristic in service.characteristics {
                guard let own = values[characteristic.uuid],
                    let echo = characteristic.echoes.flatMap({ values[$0] })
                else { continue }
                attributes[Int(own) - 1].echo = echo
            }
        }
    }

    private var next: UInt16 { UInt16(clamping: attributes.count + 1) }

    private mutating func add(_ service: PeripheralConfiguration.Service) {
        let first = attributes.count
        attributes.append(
            Attribute(type: BluetoothUUID(0x2800), value: service.uuid.attributeBytes))
        for found in service.characteristics {
            let value = next + 1
            let declaration = ATTPacket.Characteristic(
                properties: found.properties, value: value, uuid: found.uuid)
            attributes.append(Attribute(type: BluetoothUUID(0x2803), value: declaration.bytes))
            var attribute = Attribute(type: found.uuid, value: found.value)
            attribute.isReadable = found.properties & 0x02 != 0
            attribute.isWritable = found.properties & 0x08 != 0
            values[found.uuid] = value
            let isNotifying = found.properties & 0x10 != 0
            if isNotifying { attribute.configuration = value + 1 }
            attributes.append(attribute)
            guard isNotifying else { continue }
            var configuration = Attribute(type: BluetoothUUID(0x2902), value: [0, 0])
            configuration.isWritable = true
            configuration.isConfiguration = true
            attributes.append(configuration)
        }
        attributes[first].end = UInt16(clamping: attributes.count)
    }

    /// Resets the state for another client: nothing is subscribed to (Vol 3 Part G 3.3.3.3).
    mutating func reset(keepsSubscriptions: Bool) {
        mtu = ATTPacket.defaultMTU
        guard !keepsSubscriptions else { return }
        for index in attributes.indices where attributes[index].isConfiguration {
            attributes[index].value = [0, 0]
        }
    }

    /// Returns a notification of a value; `nil` if the client has not subscribed to it.
    func notification(
        of uuid: BluetoothUUID, _ value: [UInt8], regardless: Bool
    ) -> ATTPacket? {
        values[uuid].flatMap { notification(at: $0, value, regardless: regardless) }
    }

    private func notification(
        at handle: UInt16, _ value: [UInt8], regardless: Bool
    ) -> ATTPacket? {
        guard let configuration = attributes[Int(handle) - 1].configuration else { return nil }
        let isWanted = attributes[Int(configuration) - 1].value.first == 1
        guard isWanted || regardless else { return nil }
        return .handleValueNotification(handle: handle, value: Array(value.prefix(mtu - 3)))
    }

    /// Returns the answers to a packet of the client.
    mutating func answers(to packet: ATTPacket, notifiesAlways: Bool) -> [ATTPacket] {
        switch packet {
        case .exchangeMTURequest(let other):
            mtu = max(23, min(247, Int(other)))
            return [.exchangeMTUResponse(mtu: 247)]
        case .findInformationRequest(let range): return [information(in: range)]
        case .findByTypeValueRequest(let range, _, let value):
            return [services(in: range, of: value)]
        case .readByTypeRequest(let range, let type): return [values(in: range, of: type)]
        case .readByGroupTypeRequest(let range, _): return [groups(in: range)]
        case .readRequest(let handle): return [read(handle)]
        case .writeRequest(let handle, let value):
            return write(handle, value, notifiesAlways: notifiesAlways)
        default:
            guard packet.opcode & 0x40 == 0, packet.opcode % 2 == 0 else { return [] }
            return [
                .errorResponse(
                    request: packet.opcode, handle: 0,
                    error: ATTError.requestNotSupported.rawValue)
            ]
        }
    }

    private func refusal(
        _ request: ATTOpcode, _ handle: UInt16, _ error: ATTError
    ) -> ATTPacket {
        .errorResponse(request: request.rawValue, handle: handle, error: error.rawValue)
    }

    private func handles(in range: ATTPacket.Handles) -> [UInt16] {
        guard range.start > 0, range.start <= range.end else { return [] }
        return (1...max(1, UInt16(clamping: attributes.count))).filter {
            $0 >= range.start && $0 <= range.end && Int($0) <= attributes.count
        }
    }

    private func information(in range: ATTPacket.Handles) -> ATTPacket {
        let found = handles(in: range).map {
            ATTPacket.Information(handle: $0, type: attributes[Int($0) - 1].type)
        }
        guard let first = found.first else {
            return refusal(.findInformationRequest, range.start, .attributeNotFound)
        }
        let size = first.type.attributeBytes.count
        let alike = found.prefix { $0.type.attributeBytes.count == size }
        return .findInformationResponse(Array(alike.prefix((mtu - 2) / (size + 2))))
    }

    private func services(in range: ATTPacket.Handles, of value: [UInt8]) -> ATTPacket {
        let wanted = BluetoothUUID(littleEndian: value)
        let found = handles(in: range).compactMap { handle -> ATTPacket.Handles? in
            let attribute = attributes[Int(handle) - 1]
            guard let end = attribute.end, wanted != nil,
                BluetoothUUID(littleEndian: attribute.value) == wanted
            else { return nil }
            return ATTPacket.Handles(handle, end)
        }
        guard !found.isEmpty else {
            return refusal(.findByTypeValueRequest, range.start, .attributeNotFound)
        }
        return .findByTypeValueResponse(Array(found.prefix((mtu - 1) / 4)))
    }

    private func groups(in range: ATTPacket.Handles) -> ATTPacket {
        let found = handles(in: range).compactMap { handle -> ATTPacket.Group? in
            let attribute = attributes[Int(handle) - 1]
            return attribute.end.map {
                ATTPacket.Group(ATTPacket.Handles(handle, $0), value: attribute.value)
            }
        }
        guard let size = found.first?.value.count else {
            return refusal(.readByGroupTypeRequest, range.start, .attributeNotFound)
        }
        let alike = found.prefix { $0.value.count == size }
        return .readByGroupTypeResponse(Array(alike.prefix((mtu - 2) / (size + 4))))
    }

    private func values(in range: ATTPacket.Handles, of type: BluetoothUUID) -> ATTPacket {
        let found = handles(in: range).filter { attributes[Int($0) - 1].type == type }.map {
            ATTPacket.Attribute(handle: $0, value: attributes[Int($0) - 1].value)
        }
        guard let size = found.first?.value.count else {
            return refusal(.readByTypeRequest, range.start, .attributeNotFound)
        }
        let alike = found.prefix { $0.value.count == size }
        return .readByTypeResponse(Array(alike.prefix(max(1, (mtu - 2) / (size + 2)))))
    }

    private func read(_ handle: UInt16) -> ATTPacket {
        guard handle > 0, Int(handle) <= attributes.count else {
            return refusal(.readRequest, handle, .invalidHandle)
        }
        let attribute = attributes[Int(handle) - 1]
        guard attribute.isReadable else { return refusal(.readRequest, handle, .readNotPermitted) }
        return .readResponse(value: Array(attribute.value.prefix(mtu - 1)))
    }

    private mutating func write(
        _ handle: UInt16, _ value: [UInt8], notifiesAlways: Bool
    ) -> [ATTPacket] {
        guard handle > 0, Int(handle) <= attributes.count else {
            return [refusal(.writeRequest, handle, .invalidHandle)]
        }
        guard attributes[Int(handle) - 1].isWritable else {
            return [refusal(.writeRequest, handle, .writeNotPermitted)]
        }
        attributes[Int(handle) - 1].value = value
        let echo = attributes[Int(handle) - 1].echo.flatMap {
            notification(at: $0, value, regardless: notifiesAlways)
        }
        return [.writeResponse] + (echo.map { [$0] } ?? [])
    }
}
