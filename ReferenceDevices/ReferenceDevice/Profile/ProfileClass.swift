import Bluetooth
import Wire

/// A connection class that an app registers: its devices, and the needs of its profile.
public struct ProfileClass: Sendable, Hashable {
    /// The carrier of a class's connections.
    public enum Carrier: String, Sendable, Hashable, CaseIterable {
        /// GATT over Low Energy.
        case gatt
        /// An External Accessory session.
        case iap
    }

    /// The name of the class in reports.
    public var name = ""
    /// The carrier of its connections.
    public var carrier = Carrier.gatt
    /// The services whose advertisement makes a peripheral eligible.
    public var serviceUUIDsInADV: [BluetoothUUID] = []
    /// The services that its profile needs.
    public var interestedServiceUUIDs: [BluetoothUUID] = []
    /// The characteristics that it subscribes to.
    public var subscribes: [BluetoothUUID] = []
    /// The characteristics that it reads.
    public var reads: [BluetoothUUID] = []
    /// The characteristic that application data is written to.
    public var writes: BluetoothUUID?
    /// The protocol string of the sessions.
    public var communicationProtocol = ""
}

/// The configuration of an app with profile connections.
public struct ProfileConfiguration: DeviceConfiguration {
    /// The registered classes, in order.
    public var classes: [ProfileClass] = []
    /// Whether services are discovered by their UUID; otherwise all are listed.
    public var discoversByUUID = true
    /// Milliseconds after which a connection attempt is abandoned.
    public var connectTimeout = 5_000
    /// Whether accessories are also connected over the accessory bus.
    public var hasAccessoryBus = false
    /// Devices that the system is connected to before the app acts.
    public var systemConnections: [String] = []

    private enum Key: String, CaseIterable {
        case classes, discovery, connectTimeout, systemConnections, accessoryBus
    }

    private enum ClassKey: String, CaseIterable {
        case name, carrier, serviceUUIDsInADV, interestedServiceUUIDs, subscribes, reads, writes
        case communicationProtocol
    }

    /// Creates an app without classes.
    public init() {}

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        for (name, node) in try DocumentNode(path: "", value: document).members() {
            switch try node.known(name, as: Key.self) {
            case .classes:
                for element in try node.elements() {
                    classes.append(try ProfileConfiguration.profileClass(element))
                }
            case .discovery:
                switch try node.text() {
                case "uuid": discoversByUUID = true
                case "all": discoversByUUID = false
                default: throw node.expected("\"uuid\" or \"all\"")
                }
            case .connectTimeout: connectTimeout = try node.count()
            case .systemConnections: systemConnections = try node.texts()
            case .accessoryBus: hasAccessoryBus = try node.flag()
            }
        }
    }

    private static func profileClass(
        _ node: DocumentNode
    ) throws(ConfigurationError) -> ProfileClass {
        var result = ProfileClass()
        for (name, node) in try node.members() {
            switch try node.known(name, as: ClassKey.self) {
            case .name: result.name = try node.text()
            case .carrier:
                guard let carrier = ProfileClass.Carrier(rawValue: try node.text()) else {
                    throw node.expected("\"gatt\" or \"iap\"")
                }
                result.carrier = carrier
            case .serviceUUIDsInADV: result.serviceUUIDsInADV = try uuids(node)
            case .interestedServiceUUIDs: result.interestedServiceUUIDs = try uuids(node)
            case .subscribes: result.subscribes = try uuids(node)
            case .reads: result.reads = try uuids(node)
            case .writes: result.writes = try node.uuid()
            case .communicationProtocol: result.communicationProtocol = try node.text()
            }
        }
        return result
    }

    private static func uuids(_ node: DocumentNode) throws(ConfigurationError) -> [BluetoothUUID] {
        var result: [BluetoothUUID] = []
        for element in try node.elements() { result.append(try element.uuid()) }
        return result
    }
}

extension DocumentNode {
    func uuid() throws(ConfigurationError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(try text()) else { throw expected("a UUID") }
        return uuid
    }
}
