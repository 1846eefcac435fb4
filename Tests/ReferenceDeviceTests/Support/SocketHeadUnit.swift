import Glibc
import SDL
import TestSupport
import Wire

/// A head unit on a real socket of the loopback, for one app at a time.
///
/// Its calls block for at most five seconds.
final class SocketHeadUnit {
    typealias Failure = LoopbackListener.Failure

    private let listener: LoopbackListener
    private var connection: Int32 = -1
    private var encoder = SDL.Encoder(version: 5, sessionID: 1)
    private var decoder = SDL.StreamDecoder()
    private var offset: UInt64 = 0
    private var waiting: [SDL.Message] = []

    init() throws { listener = try LoopbackListener() }

    deinit { drop() }

    var port: UInt16 { listener.port }

    /// Opens the port; before that, connections of the app are refused.
    func open() { listener.open() }

    func acceptConnection() throws {
        connection = try listener.accept()
        decoder = SDL.StreamDecoder()
        offset = 0
        waiting = []
    }

    /// Closes the connection.
    func drop() {
        if connection >= 0 { close(connection) }
        connection = -1
    }

    /// Returns the next message of the app.
    ///
    /// - Throws: An error if the app closes the connection or stays silent.
    func next() throws -> SDL.Message {
        while waiting.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure(text: "no message: \(count)") }
            var messages: [StreamMessage] = []
            decoder.consume(Array(buffer.prefix(count)).span.bytes, at: offset, into: &messages)
            offset += UInt64(count)
            waiting += messages.compactMap { $0.content as? SDL.Message }
        }
        return waiting.removeFirst()
    }

    /// Returns whether the app closes the connection in order, without sending more.
    func isClosedByApp() -> Bool {
        var byte: UInt8 = 0
        return waiting.isEmpty && recv(connection, &byte, 1, 0) == 0
    }

    func send(_ frame: SDL.ControlFrame, _ parameters: Value = .object([])) {
        write(encoder.encode(frame, service: .rpc, parameters: parameters))
    }

    /// Answers a request of the app.
    func answer(_ request: SDL.Message, _ parameters: Value) throws {
        guard case .rpc(let rpc) = request.content,
            let response = SDL.RPC(
                .response, rpc.functionName, correlationID: rpc.correlationID,
                parameters: parameters)
        else { throw Failure(text: "\(request.name) is no request") }
        write(encoder.encode(response))
    }

    /// Brings the app to the foreground and returns its Show, so that everything before is done.
    func activate() throws -> SDL.Message {
        let status: Value = [
            "hmiLevel": "FULL", "audioStreamingState": "AUDIBLE", "systemContext": "MAIN",
        ]
        if let rpc = SDL.RPC(.notification, "OnHMIStatus", correlationID: -1, parameters: status) {
            write(encoder.encode(rpc))
        }
        return try next()
    }

    /// Writes in two pieces, so that the app gets an incomplete frame.
    private func write(_ bytes: [UInt8]) {
        for piece in [bytes.prefix(5), bytes.dropFirst(5)] {
            _ = piece.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, 0) }
            usleep(2000)
        }
    }

    // MARK: The accessory bus

    /// Accepts the next connection and returns its first line; the previous connection stays open.
    func acceptBusConnection() throws -> String {
        try acceptConnection()
        return try LoopbackListener.line(of: connection)
    }

    /// Sends bytes that are not SDL.
    func send(raw bytes: [UInt8]) { write(bytes) }

    // MARK: A session

    /// Accepts a connection and opens a session up to the accepted registration.
    ///
    /// - Returns: The parameters of the registration.
    func register(language: String) throws -> Value {
        try acceptConnection()
        return try registerHere(language: language)
    }

    /// Does the same as `register(language:)` on the open connection.
    func registerHere(language: String) throws -> Value {
        guard try next().name == "sdl.StartService" else { throw Failure(text: "no StartService") }
        send(.startServiceACK, ["protocolVersion": "5.4.0", "hashId": 5, "mtu": 131_084])
        let registration = try next()
        try answer(
            registration,
            [
                "success": true, "resultCode": "SUCCESS", "language": .string(language),
                "hmiDisplayLanguage": .string(language),
            ])
        return registration.fields["params"] ?? .null
    }
}
