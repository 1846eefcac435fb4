import Diffusion

/// One connection of a session server.
struct SessionConnection: Sendable {
    /// What becomes of it; `nil` until it stands.
    var fate: ConnectionFate?
    /// When it is to be ended.
    var endsAt: Int64?
    /// Whether the upgrade to WebSocket has been agreed to.
    var isUpgraded = false
    /// The client's request, once it has come.
    var connect: Diffusion.Connect?
    /// Whether a session stands on it.
    var hasSession = false
    /// When the server pinged last, or opened the session; `nil` without one.
    var pingedAt: Int64?
    /// Whether the last ping of the server is unanswered.
    var awaitsPong = false
    /// The conversation of the last ping of the server.
    var pingConversation: UInt64?
    /// The latest request of a service that the client has sent.
    var latestRequest: Diffusion.Message?
    /// The number of the next conversation that the server begins.
    var nextConversation: UInt64 = 0

    /// The version of the protocol that the client speaks.
    var version: UInt8 {
        connect?.parameters.first { $0.name == "v" }.flatMap { UInt8($0.value) }
            ?? Self.latestVersion
    }

    /// The version in which a client is answered that does not say one.
    static let latestVersion: UInt8 = 25

    /// When it is to be ended or pinged.
    func nextDeadline(pingPeriod: Int64) -> Int64? {
        let ping = pingPeriod > 0 ? pingedAt.map { $0 + pingPeriod } : nil
        return [endsAt, ping].compactMap { $0 }.min()
    }
}
