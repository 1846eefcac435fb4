import Diffusion
import HTTP
import WebSocket
import Wire

/// A client's end of one connection: what it sends as bytes, and what bytes are to it.
struct SessionLink: Sendable {
    /// How far it is.
    enum Phase: Sendable, Hashable {
        /// TCP is being opened.
        case connecting
        /// The upgrade to WebSocket has been asked for, with that key.
        case upgrading(key: String)
        /// The server's response is waited for.
        case opening
        /// The session is on it.
        case open
    }

    /// What became of an attempt that did not succeed.
    enum Failure: Sendable, Hashable {
        /// The connection was refused.
        case refused
        /// The server accepted the connection and ended it, or answered otherwise.
        case ended
        /// The server did not answer within the client's time.
        case unanswered
    }

    /// The number of the connection.
    let number: Int
    /// The session that is wanted again; `nil` for a new one.
    let resumption: ConnectRequest.Resumption?
    /// How far it is.
    var phase = Phase.connecting
    private var decoder = Diffusion.makeStreamDecoder()
    private var received: UInt64 = 0

    init(number: Int, resumption: ConnectRequest.Resumption?) {
        self.number = number
        self.resumption = resumption
    }

    /// The messages that bytes from the server complete.
    mutating func receive(_ bytes: [UInt8]) -> [any DissectedMessage] {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: received, into: &messages)
        received += UInt64(bytes.count)
        return messages.map(\.content)
    }

    /// Whether a head is the server's consent to the upgrade (RFC 6455 4.1).
    func isUpgraded(by head: HTTPHead) -> Bool {
        guard case .upgrading(let key) = phase, case .response(101, _) = head.start else {
            return false
        }
        return head.isWebSocket && head["Sec-WebSocket-Accept"] == WebSocket.acceptKey(for: key)
    }
}
