import Bluetooth

/// The attributes of a GATT server, by their handles (Core 5.4 Vol 3 Part G 2.5.1).
struct AttributeTable: Sendable {
    /// The kind of an attribute.
    enum Kind: Sendable, Hashable {
        /// The declaration of a service, with the handle of the service's last attribute.
        case service(last: UInt16)
        /// The declaration of a characteristic.
        case characteristic
        /// The value of a characteristic.
        case value(Place)
        /// The client characteristic configuration of a characteristic.
        case configuration(Place)
    }

    /// The position of a characteristic: the index of the service and the index in the service.
    struct Place: Sendable, Hashable {
        let service: Int
        let characteristic: Int
    }

    struct Attribute: Sendable {
        let handle: UInt16
        let type: BluetoothUUID
        let kind: Kind
        /// The value, if it does not change.
        let fixed: [UInt8]
    }

    private(set) var attributes: [Attribute] = []
    /// The handles of the characteristics' values.
    private(set) var valueHandles: [Place: UInt16] = [:]

    /// Creates the table of services; handles count up from 1.
    init(_ services: [GATTService]) {
        for (index, service) in services.enumerated() { add(service, at: index) }
    }

    private var next: UInt16 { UInt16(clamping: attributes.count + 1) }

    private mutating func add(_ service: GATTService, at index: Int) {
        let count = service.characteristics.reduce(0) { $0 + ($1.isConfigurable ? 3 : 2) }
        append(
            BluetoothUUID(0x2800), .service(last: UInt16(clamping: Int(next) + count)),
            service.uuid.attributeBytes)
        for (number, characteristic) in service.characteristics.enumerated() {
            let place = Place(service: index, characteristic: number)
            let declaration = ATTPacket.Characteristic(
                properties: characteristic.properties.rawValue,
                value: UInt16(clamping: Int(next) + 1), uuid: characteristic.uuid)
            append(BluetoothUUID(0x2803), .characteristic, declaration.bytes)
            append(characteristic.uuid, .value(place), [])
            valueHandles[place] = declaration.value
            guard characteristic.isConfigurable else { continue }
            append(BluetoothUUID(0x2902), .configuration(place), [])
        }
    }

    private mutating func append(_ type: BluetoothUUID, _ kind: Kind, _ fixed: [UInt8]) {
        attributes.append(Attribute(handle: next, type: type, kind: kind, fixed: fixed))
    }

    /// The attribute with a handle; `nil` if there is none.
    subscript(handle: UInt16) -> Attribute? {
        attributes.indices.contains(Int(handle) - 1) ? attributes[Int(handle) - 1] : nil
    }
}

extension GATTCharacteristic {
    /// Whether clients can subscribe to it.
    var isConfigurable: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
}
