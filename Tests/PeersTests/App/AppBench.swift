import ExternalAccessory
import SDL
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

/// An app and a head unit, connected by the codecs instead of a network.
struct AppBench {
    var peer: AppPeer
    /// The app's commands other than writing, in order.
    private(set) var commands: [PeerCommand] = []
    private var streams: [PeerConnection: TestStream] = [:]
    private var nextPort: UInt16 = 40_000
    /// The connection that was opened last.
    private(set) var connection = PeerConnection(address: .loopback, port: 0)

    init(_ settings: Value = .object([])) throws {
        peer = try AppPeer(AppBench.declaration(settings))
    }

    static func declaration(_ settings: Value) -> PeerDeclaration {
        PeerDeclaration(
            name: "app", kind: .app, settings: settings,
            position: SourcePosition(file: "suite.yaml", line: 1, column: 1))
    }

    /// Returns an app with a connection that the head unit has accepted.
    static func started(
        _ settings: Value = .object([]), acknowledgement: SDL.Message? = nil
    ) throws -> AppBench {
        var bench = try AppBench(settings)
        _ = try bench.perform("connect")
        _ = try bench.accept()
        return bench
    }

    // MARK: - Commands of the suite

    mutating func perform(_ action: String, _ arguments: Value = .null) throws -> [SDL.Message] {
        consume(try peer.perform(action, arguments: arguments))
    }

    mutating func send(
        _ message: String, _ fields: [(String, Value?)] = [],
        answering: (any DissectedMessage)? = nil, on connection: PeerConnection? = nil
    ) throws -> [SDL.Message] {
        let fields = try fields.map { (try #require(FieldPath($0.0)), $0.1) }
        return consume(
            try peer.send(message, fields: fields, answering: answering, on: connection))
    }

    /// Advances the clock.
    mutating func advance(to now: Int64) -> [SDL.Message] { consume(peer.advance(to: now)) }

    // MARK: - Messages of the trace

    /// Accepts the connection that the app requested.
    mutating func accept() throws -> [SDL.Message] {
        nextPort += 1
        connection = PeerConnection(address: .loopback, port: nextPort)
        return show(.syn, sentByPeer: true) + show(.synAck)
    }

    mutating func show(_ kind: TCPEvent.Kind, sentByPeer: Bool = false) -> [SDL.Message] {
        let header = TCPHeader(
            sourcePort: connection.port, destinationPort: 12_345, sequence: TCPSequence(1),
            flags: [])
        let event = TCPEvent(
            kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0)
        return show(event, sentByPeer: sentByPeer)
    }

    mutating func show(
        _ message: any DissectedMessage, sentByPeer: Bool = false, withholding: Bool = false,
        on other: PeerConnection? = nil
    ) -> [SDL.Message] {
        consume(
            peer.observe(
                message, on: other ?? connection, sentByPeer: sentByPeer,
                withholdAnswer: withholding))
    }

    /// Shows a message of an accessory.
    mutating func show(
        _ content: ExternalAccessory.Message.Content, on other: PeerConnection? = nil
    ) -> [SDL.Message] {
        show(ExternalAccessory.Message(content), on: other)
    }

    /// Answers StartService for the head unit.
    mutating func acknowledge(
        version: UInt8 = 5, session: UInt8 = 7, _ parameters: Value = ["hashId": 99]
    ) throws -> [SDL.Message] {
        var encoder = SDL.Encoder(version: version, sessionID: session)
        return show(
            try decoded(encoder.encode(.startServiceACK, service: .rpc, parameters: parameters)))
    }

    func decoded(_ bytes: [UInt8]) throws -> SDL.Message {
        var stream = TestStream()
        return try #require(stream.decode(bytes).first)
    }

    // MARK: - Output of the app

    /// The lines of the accessory bus that the app wrote, other than SDL frames.
    private(set) var lines: [String] = []

    private mutating func consume(_ commands: [PeerCommand]) -> [SDL.Message] {
        var messages: [SDL.Message] = []
        for command in commands {
            guard case .write(let connection, let bytes) = command else {
                self.commands.append(command)
                continue
            }
            if bytes.starts(with: "EA-BUS".utf8) {
                lines.append(String(decoding: bytes, as: UTF8.self))
            } else {
                messages += streams[connection, default: TestStream()].decode(bytes)
            }
        }
        return messages
    }
}
