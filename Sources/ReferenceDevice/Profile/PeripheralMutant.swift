/// Mistakes that peripherals make.
public enum PeripheralMutant: String, DeviceMutant {
    case advertisesWithoutUUID = "advertises-without-uuid"
    case staysSilentAfterDisconnect = "stays-silent-after-disconnect"
    case notifiesUnsubscribed = "notifies-unsubscribed"
    case keepsSubscriptionOverLinks = "keeps-subscription-over-links"
    case refusesReads = "refuses-reads"

    /// A peripheral.
    public static let kind = DeviceKind.profilePeripheral

    /// The requirements that it breaks; the one that it is made for comes first.
    public var requirements: [String] {
        switch self {
        case .advertisesWithoutUUID: ["GPP-1"]
        case .refusesReads: ["GPP-2"]
        case .notifiesUnsubscribed: ["GPP-3"]
        case .keepsSubscriptionOverLinks: ["GPP-4"]
        case .staysSilentAfterDisconnect: ["GPP-5"]
        }
    }

    /// The requirements whose situation it does not let arise.
    public var masks: [String] {
        switch self {
        // Whoever notifies all notifies those that come again, too.
        case .notifiesUnsubscribed: ["GPP-4"]
        default: []
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .advertisesWithoutUUID: "Advertises without telling its service."
        case .staysSilentAfterDisconnect: "Advertises no more after its first link has ended."
        case .notifiesUnsubscribed: "Notifies clients that have not subscribed."
        case .keepsSubscriptionOverLinks:
            "Takes a client that comes again without a bond for subscribed."
        case .refusesReads: "Refuses to read what it declares to be readable."
        }
    }
}
