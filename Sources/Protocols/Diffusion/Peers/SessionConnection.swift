import Diffusion
import PeerKit

/// One connection of a session server.
struct SessionConnection: Sendable {
    /// The behaviour for this connection; `nil` until the connection is established.
    var fate: ConnectionBehaviour?
    /// When the connection must be ended.
    var endsAt: Int64?
    /// Whether the upgrade to WebSocket has been accepted.
    var isUpgraded = false
    /// The client's request, once it has been received.
    var connect: Diffusion.Connect?
    /// Whether the connection has a session.
    var hasSession = false
    /// When the server last pinged or opened the session; `nil` without a session.
    var pingedAt: Int64?
    /// Whether the server's last ping is unanswered.
    var awaitsPong = false
    /// The conversation of the server's last ping.
    var pingConversation: UInt64?
    /// The latest service request of the client.
    var latestRequest: Diffusion.Message?
    /// The number of the next conversation of the server.
    var nextConversation: UInt64 = 0

    /// The protocol version of the client.
    var version: UInt8 {
        connect?.parameters.first { $0.name == "v" }.flatMap { UInt8($0.value) }
            ?? Self.latestVersion
    }

    /// The version for answers to a client that gives none.
    static let latestVersion: UInt8 = 25

    /// When the connection must be ended or pinged.
    func nextDeadline(pingPeriod: Int64) -> Int64? {
        let ping = pingPeriod > 0 ? pingedAt.map { $0 + pingPeriod } : nil
        return [endsAt, ping].compactMap { $0 }.min()
    }
}
