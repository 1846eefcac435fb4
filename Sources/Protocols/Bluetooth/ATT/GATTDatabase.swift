/// What discovery has told of a server's attributes.
struct GATTDatabase: Sendable {
    /// Attributes of each kind that are remembered.
    private static let attributesMax = 4_096

    /// The attribute types that structure a database (Assigned Numbers 3.5, 3.7).
    enum Kind {
        static let primaryService = BluetoothUUID(0x2800)
        static let secondaryService = BluetoothUUID(0x2801)
        static let include = BluetoothUUID(0x2802)
        static let characteristic = BluetoothUUID(0x2803)
        static let clientConfiguration = BluetoothUUID(0x2902)
    }

    private var services: [UInt16: (end: UInt16, uuid: BluetoothUUID)] = [:]
    /// By the handle of the value.
    private var characteristics: [UInt16: BluetoothUUID] = [:]
    /// Of other attributes, their types.
    private var types: [UInt16: BluetoothUUID] = [:]

    /// Learns of a service.
    mutating func learn(service uuid: BluetoothUUID, _ handles: ATTPacket.Handles) {
        guard services.count < Self.attributesMax else { return }
        services[handles.start] = (handles.end, uuid)
    }

    /// Learns of a characteristic by its declaration: properties, handle of the value, UUID (Core
    /// 5.4 Vol 3 Part G 3.3.1); returns handle and UUID.
    mutating func learn(characteristic value: [UInt8]) -> (handle: UInt16, uuid: BluetoothUUID)? {
        guard value.count > 3, let uuid = BluetoothUUID(littleEndian: value.dropFirst(3)) else {
            return nil
        }
        let handle = UInt16(value[1]) | UInt16(value[2]) << 8
        guard characteristics.count < Self.attributesMax else { return (handle, uuid) }
        characteristics[handle] = uuid
        return (handle, uuid)
    }

    /// Learns of the type of an attribute.
    mutating func learn(type: BluetoothUUID, of handle: UInt16) {
        guard types.count < Self.attributesMax else { return }
        types[handle] = type
    }

    /// Whether an attribute says to whom notifications and indications go.
    func isClientConfiguration(_ handle: UInt16) -> Bool {
        types[handle] == Kind.clientConfiguration
    }

    /// The characteristic that an attribute belongs to, be it the value or a descriptor.
    func characteristic(of handle: UInt16) -> BluetoothUUID? {
        if let own = characteristics[handle] { return own }
        guard types[handle] != nil else { return nil }
        let start = services.keys.filter { $0 <= handle }.max() ?? 0
        return characteristics.keys.filter { $0 < handle && $0 >= start }.max()
            .flatMap { characteristics[$0] }
    }

    /// The service that an attribute belongs to.
    func service(of handle: UInt16) -> BluetoothUUID? {
        guard let start = services.keys.filter({ $0 <= handle }).max(),
            let service = services[start], service.end >= handle
        else { return nil }
        return service.uuid
    }
}
