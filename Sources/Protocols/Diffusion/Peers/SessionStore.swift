import Diffusion
import PeerKit
import Wire

/// A session that a server keeps, with its identity and its client's connection.
struct ServerSession: Sendable, Hashable {
    /// The id and the token.
    let identity: Diffusion.ConnectResponse.Session
    /// The connection of its client; `nil` while the connection is lost.
    var connection: PeerConnection?
    /// When the connection was lost.
    var lostAt: Int64 = 0
}

/// The sessions of a server.
struct SessionStore: Sendable {
    private var sessions: [ServerSession] = []
    private var count: UInt64 = 0

    /// The server's part of every session's id.
    private static let server: UInt64 = 0x6C60_0E92_E7B2_BFF0

    /// Returns an id and a token that no client has been given yet.
    mutating func nextIdentity() -> Diffusion.ConnectResponse.Session {
        count += 1
        return Diffusion.ConnectResponse.Session(
            server: Self.server, value: 3 << 32 | count, token: Self.token(count))
    }

    /// Returns 24 characters that look random; they are the same in every run.
    private static func token(_ number: UInt64) -> [UInt8] {
        var (bytes, state): ([UInt8], UInt64) = ([], number)
        for _ in 0..<3 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            for shift in stride(from: UInt64(0), to: 48, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: mixed >> shift))
            }
        }
        // Only letters and digits, so that a token looks the same in a query and in a header.
        return Base64.text(of: bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "x")
            case UInt8(ascii: "/"): UInt8(ascii: "y")
            default: byte
            }
        }
    }

    /// Returns the live session of a token; drops sessions that were lost longer than `keeps` ago.
    mutating func session(of token: [UInt8], at now: Int64, keeps: Int64?) -> ServerSession? {
        if let keeps {
            sessions.removeAll { $0.connection == nil && now - $0.lostAt > keeps }
        }
        return sessions.first { $0.identity.token == token }
    }

    /// Moves a session to a connection, with its token from now on.
    ///
    /// - Returns: The connection that the session had before, if that is still open.
    mutating func attach(
        _ identity: Diffusion.ConnectResponse.Session, to connection: PeerConnection
    ) -> PeerConnection? {
        var identity = identity
        (identity.pingPeriod, identity.last) = (nil, nil)
        let isSame = { (session: ServerSession) in
            session.identity.token == identity.token || session.identity.id == identity.id
        }
        let former = sessions.first(where: isSame)?.connection
        sessions.removeAll(where: isSame)
        sessions.append(ServerSession(identity: identity, connection: connection))
        return former
    }

    /// Records that the connection of a session is lost; the session is kept.
    mutating func detach(_ connection: PeerConnection, at now: Int64) {
        for index in sessions.indices where sessions[index].connection == connection {
            sessions[index].connection = nil
            sessions[index].lostAt = now
        }
    }

    /// Ends the session on a connection.
    mutating func end(on connection: PeerConnection) {
        sessions.removeAll { $0.connection == connection }
    }

    /// Ends all sessions without notifying their clients.
    mutating func forgetAll() { sessions = [] }
}
