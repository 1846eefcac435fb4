import Diffusion
import Wire

/// A session that a server keeps: who it is, and where its client is.
struct ServerSession: Sendable, Hashable {
    /// Id and token.
    let identity: Diffusion.ConnectResponse.Session
    /// Its client's connection; `nil` while that is lost.
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

    /// An id and a token that no client has been told yet.
    mutating func nextIdentity() -> Diffusion.ConnectResponse.Session {
        count += 1
        return Diffusion.ConnectResponse.Session(
            server: Self.server, value: 3 << 32 | count, token: Self.token(count))
    }

    /// 24 characters that look as if they were drawn; the same in every run.
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
        // Letters and digits alone, so that a token looks the same in a query and in a header.
        return Base64.text(of: bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "x")
            case UInt8(ascii: "/"): UInt8(ascii: "y")
            default: byte
            }
        }
    }

    /// The session of a token that is not over; those lost longer than `keeps` ago are dropped.
    mutating func session(of token: [UInt8], at now: Int64, keeps: Int64?) -> ServerSession? {
        if let keeps {
            sessions.removeAll { $0.connection == nil && now - $0.lostAt > keeps }
        }
        return sessions.first { $0.identity.token == token }
    }

    /// The session on a connection.
    func session(on connection: PeerConnection) -> ServerSession? {
        sessions.first { $0.connection == connection }
    }

    /// Puts a session on a connection, with the token that it has from now on; returns the connection
    /// that it was on and that stands.
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

    /// The connection of a session is lost; the session stays.
    mutating func detach(_ connection: PeerConnection, at now: Int64) {
        for index in sessions.indices where sessions[index].connection == connection {
            sessions[index].connection = nil
            sessions[index].lostAt = now
        }
    }

    /// The session on a connection is over.
    mutating func end(on connection: PeerConnection) {
        sessions.removeAll { $0.connection == connection }
    }

    /// Every session is over, without a word to its client.
    mutating func forgetAll() { sessions = [] }
}
