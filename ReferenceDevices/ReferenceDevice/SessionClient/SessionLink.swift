import Diffusion
import HTTP
import Wire

/// A client's end of one connection, which decodes the bytes of the server.
struct SessionLink: Sendable {
    /// The progress of the connection.
    enum Phase: Sendable, Hashable {
        /// TCP is being opened.
        case connecting
        /// The upgrade to WebSocket has been requested with that key.
        case upgrading(key: String)
        /// Waiting for the server's response.
        case opening
        /// The session is open on it.
        case open
    }

    /// The ways in which an attempt can fail.
    enum Failure: Sendable, Hashable {
        /// The connection was refused.
        case refused
        /// The handshake of TLS failed.
        case unprotected
        /// The server accepted the connection and ended it, or gave another answer.
        case ended
        /// The server did not answer within the client's timeout.
        case unanswered
    }

    /// The number of the connection.
    let number: Int
    /// The session to resume; `nil` for a new one.
    let resumption: ConnectRequest.Resumption?
    /// The progress of the connection.
    var phase = Phase.connecting
    private var decoder = Diffusion.makeStreamDecoder()
    private var received: UInt64 = 0

    init(number: Int, resumption: ConnectRequest.Resumption?) {
        self.number = number
        self.resumption = resumption
    }

    /// Returns the messages that bytes from the server complete.
    mutating func receive(_ bytes: [UInt8]) -> [any DissectedMessage] {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: received, into: &messages)
        received += UInt64(bytes.count)
        return messages.map(\.content)
    }

    /// Whether a header is the server's consent to the upgrade (RFC 6455 4.1).
    func isUpgraded(by head: HTTPHead) -> Bool {
        guard case .upgrading(let key) = phase, case .response(101, _) = head.start else {
            return false
        }
        return head.isWebSocket && head["Sec-WebSocket-Accept"] == WebSocket.acceptKey(for: key)
    }
}
