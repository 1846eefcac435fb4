import AccessoryBus
import Wire

/// The connections of an app with profile connections.
public enum ProfileLink: Sendable, Hashable {
    /// To the controller.
    case controller
    /// To the receiver of its reports.
    case reports
    /// To the accessories of the bus.
    case accessories(PhoneSide.Connection)
}

/// The timers of an app with profile connections.
public enum ProfileTimer: Sendable, Hashable {
    /// The timeout of a link that is being made.
    case connection
    /// The timeout of the answer to a request on a link (Core 5.4 Vol 3 Part F 3.3.3).
    case request(UInt16)
    /// The next deadline of the iAP2 link on a BR/EDR link.
    case accessory(UInt16)
    /// Until a mutant writes a characteristic, by its handle, on a link that has ended.
    case write(UInt16, on: UInt16)
}

/// The methods of the app's control channel.
public enum ProfileControl: String, Sendable, Hashable, CaseIterable {
    case scan, stopScan, retrieve, monitor, stopMonitoring, instantiate, make, activate
    case deactivate, send, state, stop
    case systemConnect = "system.connect"
    case systemDisconnect = "system.disconnect"
}
