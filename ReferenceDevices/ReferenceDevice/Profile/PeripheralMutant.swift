/// Mistakes that peripherals make.
public enum PeripheralMutant: String, DeviceMutant {
    case advertisesWithoutUUID = "advertises-without-uuid"
    case staysSilentAfterDisconnect = "stays-silent-after-disconnect"
    case notifiesUnsubscribed = "notifies-unsubscribed"
    case keepsSubscriptionOverLinks = "keeps-subscription-over-links"
    case refusesReads = "refuses-reads"

    /// A peripheral.
    public static let kind = DeviceKind.profilePeripheral

    /// The requirements that it breaks; the one that it was written for comes first.
    public var requirements: [String] {
        switch self {
        case .advertisesWithoutUUID: ["GPP-1"]
        case .refusesReads: ["GPP-2"]
        case .notifiesUnsubscribed: ["GPP-3"]
        case .keepsSubscriptionOverLinks: ["GPP-4"]
        case .staysSilentAfterDisconnect: ["GPP-5"]
        }
    }

    /// The requirements whose situation cannot arise because of the mistake.
    public var masks: [String] {
        switch self {
        // A peripheral that notifies all clients also notifies those that connect again.
        case .notifiesUnsubscribed: ["GPP-4"]
        default: []
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .advertisesWithoutUUID: "Advertises without naming its service."
        case .staysSilentAfterDisconnect: "Does not advertise again after its first link has ended."
        case .notifiesUnsubscribed: "Notifies clients that have not subscribed."
        case .keepsSubscriptionOverLinks:
            "Treats a client that connects again without a bond as subscribed."
        case .refusesReads: "Refuses to read values that it declares to be readable."
        }
    }
}
