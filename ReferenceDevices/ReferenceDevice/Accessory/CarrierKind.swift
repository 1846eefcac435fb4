import Glibc

/// The carriers of accessories and their sessions that an app can be configured to use.
public enum CarrierKind: String, Sendable, Hashable, CaseIterable {
    /// The accessory bus.
    case bus
    /// iAP2 links over TCP.
    case iap2

    /// The environment variable that selects the carrier.
    public static let variable = "CONFORM_CARRIER"

    /// Returns the carrier that the environment selects; the bus if it selects none.
    public static func ofEnvironment() throws(UsageError) -> CarrierKind {
        guard let value = getenv(variable) else { return .bus }
        let text = String(cString: value)
        guard let kind = CarrierKind(rawValue: text) else {
            let names = allCases.map(\.rawValue).joined(separator: " or ")
            throw UsageError("\(variable) \"\(text)\" is not \(names)")
        }
        return kind
    }

    /// A carrier of this kind that has not been started.
    var carrier: any SessionCarrier {
        switch self {
        case .bus: BusCarrier()
        case .iap2: IAP2Carrier()
        }
    }
}
