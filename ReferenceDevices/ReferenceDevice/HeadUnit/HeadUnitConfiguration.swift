import ExternalAccessory
import Wire

/// The configuration of a head unit: what it declares to phones, and its versions and languages.
public struct HeadUnitConfiguration: DeviceConfiguration, Hashable {
    /// Its name as an accessory.
    public var name = "Conform Head Unit"
    /// Its manufacturer.
    public var manufacturer = "Conform"
    /// Its model.
    public var model = "Reference"
    /// The protocol strings that it declares, in this order.
    public var protocols = HeadUnitConfiguration.everyProtocol
    /// The highest SDL protocol version that it supports.
    public var protocolVersion = ProtocolVersion(major: 5, minor: 4, patch: 0)
    /// The language of voice recognition and speech.
    public var language = "EN-US"
    /// The language of the screen.
    public var hmiDisplayLanguage = "EN-US"
    /// The level that an app gets after its registration.
    public var hmiLevel = "NONE"

    /// Creates a current head unit: it declares all strings and uses the default settings.
    public init() {}

    /// Multisession, the hub with all its dedicated strings, and the legacy string.
    public static let everyProtocol: [String] =
        [ExternalAccessory.multisessionString, ExternalAccessory.controlString]
        + ExternalAccessory.dedicatedIndices.map(ExternalAccessory.dedicatedString)
        + [ExternalAccessory.legacyString]

    /// The keys of a configuration document.
    enum Key: String, CaseIterable {
        case name, manufacturer, model, protocols, protocolVersion, language
        case hmiDisplayLanguage, hmiLevel
    }

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        for (name, node) in try DocumentNode(path: "", value: document).members() {
            try set(try node.known(name, as: Key.self), to: node)
        }
    }

    private mutating func set(_ key: Key, to node: DocumentNode) throws(ConfigurationError) {
        switch key {
        case .name: name = try node.text()
        case .manufacturer: manufacturer = try node.text()
        case .model: model = try node.text()
        case .protocols: protocols = try node.texts()
        case .protocolVersion:
            guard let version = ProtocolVersion(try node.text()) else {
                throw node.expected("a version \"M.m.p\" with a major number from 1 to 5")
            }
            protocolVersion = version
        case .language: language = try node.text()
        case .hmiDisplayLanguage: hmiDisplayLanguage = try node.text()
        case .hmiLevel: hmiLevel = try node.text()
        }
    }
}
