import Diffusion
import Glibc
import HTTP
import TestSupport
import Wire

/// A session server on a real socket of the loopback, for one client at a time.
///
/// Its calls block for at most five seconds.
final class SocketSessionServer {
    typealias Failure = LoopbackListener.Failure

    private let listener: LoopbackListener
    private var connection: Int32 = -1
    private var decoder = Diffusion.makeStreamDecoder()
    private var offset: UInt64 = 0
    private var waiting: [any DissectedMessage] = []

    init() throws {
        listener = try LoopbackListener()
        listener.open()
    }

    deinit { reset() }

    var port: UInt16 { listener.port }

    /// Accepts a connection, answers it with that code, and returns the token in its request.
    func open(_ code: Diffusion.ResponseCode) throws -> String? {
        connection = try listener.accept()
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

    /// Returns the next message of the client.
    ///
    /// - Throws: An error if the client closes the connection or stays silent.
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

    /// Receives the next message, which must be a ping, and answers it.
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
