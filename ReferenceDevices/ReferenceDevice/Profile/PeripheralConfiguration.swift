import Bluetooth
import Wire

/// The configuration of a peripheral: what it advertises and what it serves.
public struct PeripheralConfiguration: DeviceConfiguration {
    /// A characteristic that it serves.
    struct Characteristic: Sendable, Hashable {
        var uuid = BluetoothUUID(0)
        /// The operations allowed to clients (Core 5.4 Vol 3 Part G 3.3.1.1).
        var properties: UInt8 = 0
        var value: [UInt8] = []
        /// The characteristic that notifies the values written to this one.
        var echoes: BluetoothUUID?
    }

    /// A service that it serves.
    struct Service: Sendable, Hashable {
        var uuid = BluetoothUUID(0)
        var characteristics: [Characteristic] = []
    }

    /// The services that it advertises.
    var advertises: [BluetoothUUID] = []
    /// The services that it serves.
    var services: [Service] = []

    private enum Key: String, CaseIterable { case advertises, services }
    private enum ServiceKey: String, CaseIterable { case uuid, characteristics }
    private enum CharacteristicKey: String, CaseIterable { case uuid, properties, value, echoes }

    private static let properties: [String: UInt8] = [
        "read": 0x02, "write": 0x08, "notify": 0x10,
    ]

    /// Creates a peripheral without services.
    public init() {}

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        for (name, node) in try DocumentNode(path: "", value: document).members() {
            switch try node.known(name, as: Key.self) {
            case .advertises:
                for element in try node.elements() { advertises.append(try element.uuid()) }
            case .services:
                for element in try node.elements() { services.append(try Self.service(element)) }
            }
        }
    }

    private static func service(_ node: DocumentNode) throws(ConfigurationError) -> Service {
        var result = Service()
        for (name, node) in try node.members() {
            switch try node.known(name, as: ServiceKey.self) {
            case .uuid: result.uuid = try node.uuid()
            case .characteristics:
                for element in try node.elements() {
                    result.characteristics.append(try characteristic(element))
                }
            }
        }
        return result
    }

    private static func characteristic(
        _ node: DocumentNode
    ) throws(ConfigurationError) -> Characteristic {
        var result = Characteristic()
        for (name, node) in try node.members() {
            switch try node.known(name, as: CharacteristicKey.self) {
            case .uuid: result.uuid = try node.uuid()
            case .value: result.value = Array(try node.text().utf8)
            case .echoes: result.echoes = try node.uuid()
            case .properties:
                for word in try node.texts() {
                    guard let bit = properties[word] else {
                        throw node.expected("read, write and notify")
                    }
                    result.properties |= bit
                }
            }
        }
        return result
    }
}
