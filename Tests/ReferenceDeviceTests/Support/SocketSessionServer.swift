import Glibc
import Protocols

/// A session server on a real socket of the loopback, for one client at a time; its calls block
/// for at most five seconds.
final class SocketSessionServer {
    struct Failure: Error {
        let text: String
    }

    let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1
    private var decoder = Diffusion.makeStreamDecoder()
    private var offset: UInt64 = 0
    private var waiting: [any DissectedMessage] = []

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw Failure(text: "bind") }
        Self.limitWaiting(listener)
    }

    deinit {
        reset()
        close(listener)
    }

    private static func limitWaiting(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Takes a connection and answers its wish with that code; returns the token that it carries.
    func open(_ code: Diffusion.ResponseCode) throws -> String? {
        connection = accept(listener, nil, nil)
        guard connection >= 0 else { throw Failure(text: "nobody connects") }
        Self.limitWaiting(connection)
        decoder = Diffusion.makeStreamDecoder()
        (offset, waiting) = (0, [])
        guard let connect = try next() as? Diffusion.Connect else {
            throw Failure(text: "no wish for a session")
        }
        let session = Diffusion.ConnectResponse.Session(
            server: 1, value: 2, token: Array(repeating: UInt8(ascii: "T"), count: 24),
            pingPeriod: 90_000, last: 0)
        send(try WebSocket.acceptance(of: connect.head).bytes)
        let payload = Diffusion.ConnectResponse.payload(
            version: 18, code: code.rawValue, session: code.isSuccess ? session : nil)
        send(WebSocket.Frame(.binary, payload).bytes)
        return connect.parameters.first { $0.name == "c" }?.value
    }

    /// The next message of the client; throws if it closes or stays silent.
    func next() throws -> any DissectedMessage {
        while waiting.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure(text: "no message: \(count)") }
            var messages: [StreamMessage] = []
            decoder.consume(Array(buffer.prefix(count)).span.bytes, at: offset, into: &messages)
            offset += UInt64(count)
            waiting += messages.map(\.content)
        }
        return waiting.removeFirst()
    }

    /// Takes the next message, which must be a ping, and answers it.
    func answerPing() throws {
        guard let message = try next() as? Diffusion.Message,
            case .serviceRequest(Diffusion.userPing, let conversation, _) = message.content
        else { throw Failure(text: "no ping") }
        let answer = Diffusion.Message.payload(
            of: .serviceResponse(conversation: conversation, body: []))
        send(WebSocket.Frame(.binary, answer).bytes)
    }

    private func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Resets the connection.
    func reset() {
        guard connection >= 0 else { return }
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close(connection)
        connection = -1
    }
}
