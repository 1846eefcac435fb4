/// How the app uses accessories: the member `iap` of a configuration document.
public struct AccessoryUse: Sendable, Hashable {
    /// The version of the phone's system.
    public var systemVersion = SystemVersion.usual
    /// How many attempts one session setup makes (document 000, `createSessionRetries`).
    public var createSessionRetries = 3
    /// Timeout for the index of the dedicated channel, in milliseconds.
    public var controlTimeout = 10_000
    /// Timeout for a requested session to open, in milliseconds.
    public var sessionTimeout = 2000

    /// The default settings: a system that supports multisession.
    public init() {}
}

/// How an app reaches head units.
public enum AppTransport: String, Sendable, Hashable, CaseIterable {
    /// By a TCP connection to the head unit.
    case tcp
    /// By a session with an accessory.
    case iap
}
