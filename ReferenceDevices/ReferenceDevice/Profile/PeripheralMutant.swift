/// Mistakes that peripherals make.
public enum PeripheralMutant: String, DeviceMutant {
    case advertisesWithoutUUID = "GPP-1: Advertises without naming its service."
    case staysSilentAfterDisconnect =
        "GPP-5: Does not advertise again after its first link has ended."
    case notifiesUnsubscribed = "GPP-3: Notifies clients that have not subscribed."
    case keepsSubscriptionOverLinks =
        "GPP-4: Treats a client that connects again without a bond as subscribed."
    case refusesReads = "GPP-2: Refuses to read values that it declares to be readable."

    /// A peripheral.
    public static let kind = DeviceKind.profilePeripheral

    /// The requirements whose situation cannot arise because of the mistake.
    public var masks: [String] {
        switch self {
        // A peripheral that notifies all clients also notifies those that connect again.
        case .notifiesUnsubscribed: ["GPP-4"]
        default: []
        }
    }
}
