import Wire

/// The transport of the sessions between apps and accessories.
///
/// Suites do not name it, because the same cases apply to each transport.
public enum AccessoryCarrier: String, Sendable, Hashable, Codable, CaseIterable {
    /// The accessory bus (Documentation/accessory-bus.md).
    case bus
    /// iAP2 links over TCP.
    case iap2

    /// The setting of accessory peers that selects the carrier.
    static let setting = "carrier"
}

extension TestCase {
    /// Returns the case with its accessories on that carrier; unchanged for `nil`.
    public func carried(by carrier: AccessoryCarrier?) -> TestCase {
        guard let carrier else { return self }
        var result = self
        for index in result.peers.indices
        where result.peers[index].hasAccessories {
            result.peers[index].settings = result.peers[index].settings.setting(
                FieldPath(components: [.name(AccessoryCarrier.setting)]),
                to: .string(carrier.rawValue))
        }
        return result
    }

    /// The carrier of the sessions of its accessories; `nil` for a case without accessories.
    public var carrier: AccessoryCarrier? {
        guard let accessories = peers.first(where: \.hasAccessories) else {
            return nil
        }
        let word = accessories.settings[AccessoryCarrier.setting]?.stringValue
        return word.flatMap(AccessoryCarrier.init) ?? .bus
    }

    /// The phones among its peers that open sessions with the device.
    ///
    /// They always use the accessory bus, whatever the carrier of other cases is.
    public var phones: [PeerDeclaration] {
        peers.filter { $0.kind.callsDevice && $0.settings["transport"] == "iap" }
    }
}

extension PeerDeclaration {
    /// Whether the peer has accessories with which sessions are opened.
    fileprivate var hasAccessories: Bool {
        kind.settings.contains { $0.path == AccessoryCarrier.setting }
    }
}
