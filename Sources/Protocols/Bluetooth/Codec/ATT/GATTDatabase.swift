/// The attributes of a server that discovery has found.
struct GATTDatabase: Sendable {
    /// The largest number of attributes of each kind that are stored.
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
    /// The characteristics by the handles of their values.
    private var characteristics: [UInt16: BluetoothUUID] = [:]
    /// The types of other attributes.
    private var types: [UInt16: BluetoothUUID] = [:]

    /// Stores a service.
    mutating func update(service uuid: BluetoothUUID, _ handles: ATTPacket.Handles) {
        guard services.count < Self.attributesMax else { return }
        services[handles.start] = (handles.end, uuid)
    }

    /// Stores a characteristic.
    mutating func update(_ characteristic: ATTPacket.Characteristic) {
        guard characteristics.count < Self.attributesMax else { return }
        characteristics[characteristic.value] = characteristic.uuid
    }

    /// Stores the type of an attribute.
    mutating func update(type: BluetoothUUID, of handle: UInt16) {
        guard types.count < Self.attributesMax else { return }
        types[handle] = type
    }

    /// Whether an attribute configures the clients of notifications and indications.
    func isClientConfiguration(_ handle: UInt16) -> Bool {
        types[handle] == Kind.clientConfiguration
    }

    /// Returns the characteristic that an attribute belongs to, as its value or a descriptor.
    func characteristic(of handle: UInt16) -> BluetoothUUID? {
        if let own = characteristics[handle] { return own }
        guard types[handle] != nil else { return nil }
        let start = services.keys.filter { $0 <= handle }.max() ?? 0
        return characteristics.keys.filter { $0 < handle && $0 >= start }.max()
            .flatMap { characteristics[$0] }
    }

    /// Returns the service that an attribute belongs to.
    func service(of handle: UInt16) -> BluetoothUUID? {
        guard let start = services.keys.filter({ $0 <= handle }).max(),
            let service = services[start], service.end >= handle
        else { return nil }
        return service.uuid
    }
}
