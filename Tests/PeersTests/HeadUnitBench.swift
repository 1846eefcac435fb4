import SDL
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

/// A head unit and an app, connected by the codecs instead of a network.
struct HeadUnitBench {
    var peer: HeadUnitPeer
    var connection = PeerConnection(address: .loopback, port: 40_000)
    /// The encoder of the app's frames.
    var app: SDL.Encoder
    /// The head unit's commands other than writing, since they were last taken.
    var otherCommands: [PeerCommand] = []
    private var deviceStream = TestStream()
    private var peerStreams: [PeerConnection: TestStream] = [:]
    private var correlationID: Int32 = 100

    init(_ settings: Value = .object([]), appVersion: UInt8 = 5) throws {
        let position = SourcePosition(file: "test.yaml", line: 1, column: 1)
        peer = try HeadUnitPeer(
            PeerDeclaration(
                name: "hu", kind: .headUnit, settings: settings, position: position))
        app = SDL.Encoder(version: appVersion)
    }

    /// Returns a head unit with an app that has a session, and is registered if requested.
    static func started(
        _ settings: Value = .object([]), version: UInt8 = 5, registered: Bool = true
    ) throws -> HeadUnitBench {
        var all = settings.objectValue ?? []
        if settings["protocol"] == nil {
            all.append(.init("protocol", .string(version == 5 ? "5.4.0" : "\(version).0.0")))
        }
        var bench = try HeadUnitBench(.object(all), appVersion: version)
        _ = try bench.startSession(offering: version == 5 ? "5.4.0" : nil)
        if registered { _ = try bench.request("RegisterAppInterface", .registration) }
        return bench
    }

    mutating func startSession(offering version: String?) throws -> SDL.Message {
        let parameters: Value = version.map { ["protocolVersion": .string($0)] } ?? .object([])
        let answers = try control(
            .startService, parameters: parameters, sessionID: 0, version: 1)
        let answer = try #require(answers.first)
        app.sessionID = answer.header.sessionID
        return answer
    }

    // MARK: Messages of the app, and the answers

    mutating func control(
        _ frame: SDL.ControlFrame, service: SDL.ServiceType = .rpc,
        parameters: Value = .object([]), sessionID: UInt8? = nil, version: UInt8? = nil,
        isEncrypted: Bool = false, withholding: Bool = false
    ) throws -> [SDL.Message] {
        let bytes = app.encode(
            frame, service: service, parameters: parameters, sessionID: sessionID,
            version: version, isEncrypted: isEncrypted)
        return try show(try deviceMessage(bytes), withholding: withholding)
    }

    mutating func request(
        _ function: String, _ parameters: Value = .object([]), correlationID: Int32? = nil,
        withholding: Bool = false
    ) throws -> [SDL.Message] {
        let rpc = try #require(
            SDL.RPC(
                .request, function, correlationID: correlationID ?? nextCorrelationID(),
                parameters: parameters))
        return try request(rpc, withholding: withholding)
    }

    mutating func request(_ rpc: SDL.RPC, withholding: Bool = false) throws -> [SDL.Message] {
        try show(try deviceMessage(app.encode(rpc)), withholding: withholding)
    }

    private mutating func nextCorrelationID() -> Int32 {
        correlationID += 1
        return correlationID
    }

    /// The last message of the app as the trace has it, for `answering`.
    private(set) var lastSent: SDL.Message?

    private mutating func deviceMessage(_ bytes: [UInt8]) throws -> SDL.Message {
        let message = try #require(deviceStream.decode(bytes).last)
        lastSent = message
        return message
    }

    mutating func show(
        _ message: any DissectedMessage, sentByPeer: Bool = false, withholding: Bool = false
    ) throws -> [SDL.Message] {
        try consume(
            peer.observe(
                message, on: connection, sentByPeer: sentByPeer, withholdAnswer: withholding))
    }

    mutating func show(_ kind: TCPEvent.Kind, sentByPeer: Bool = false) throws {
        let header = TCPHeader(
            sourcePort: connection.port, destinationPort: 12345,
            sequence: TCPSequence(1), acknowledgement: TCPSequence(1), flags: [], window: 0)
        _ = try show(
            TCPEvent(
                kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0),
            sentByPeer: sentByPeer)
    }

    // MARK: Messages that a suite sends

    mutating func send(
        _ message: String, _ fields: [(String, Value?)] = [],
        answering: (any DissectedMessage)? = nil
    ) throws -> [SDL.Message] {
        let fields = try fields.map { (try #require(FieldPath($0.0)), $0.1) }
        return try consume(
            peer.send(message, fields: fields, answering: answering, on: connection))
    }

    /// Decodes the bytes that the head unit writes.
    mutating func consume(_ commands: [PeerCommand]) throws -> [SDL.Message] {
        var messages: [SDL.Message] = []
        for command in commands {
            guard case .write(let connection, let bytes) = command else {
                otherCommands.append(command)
                continue
            }
            messages += peerStreams[connection, default: TestStream()].decode(bytes)
        }
        return messages
    }
}

/// One direction of a connection.
struct TestStream {
    private var decoder = SDL.StreamDecoder()
    private var offset: UInt64 = 0

    mutating func decode(_ bytes: [UInt8]) -> [SDL.Message] {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: offset, into: &messages)
        offset += UInt64(bytes.count)
        return messages.compactMap { $0.content as? SDL.Message }
    }
}

extension Value {
    /// The parameters of a plain registration of an app with American English.
    static let registration: Value = [
        "syncMsgVersion": ["majorVersion": 8, "minorVersion": 0, "patchVersion": 0],
        "appName": "Test", "isMediaApplication": false, "languageDesired": "EN-US",
        "hmiDisplayLanguageDesired": "EN-US", "appID": "1234",
    ]

    /// Returns the parameters of AddCommand for a command with voice recognition only.
    static func spoken(_ id: Int64) -> Value {
        ["cmdID": .integer(id), "vrCommands": [.string("say \(id)")]]
    }

    /// Returns this object with a member replaced or added.
    func with(_ name: String, _ value: Value) -> Value {
        setting(FieldPath(components: [.name(name)]), to: value)
    }
}

extension SDL.Message {
    /// The value at a path written as in a suite.
    subscript(path: String) -> Value? { FieldPath(path).flatMap { field($0) } }
}

extension [SDL.Message] {
    var names: [String] { map(\.name) }
    var anomalies: [Anomaly] { flatMap(\.anomalies) }
}
