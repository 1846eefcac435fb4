import BuiltInProtocols
import ExternalAccessory
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

/// Accessories and a phone, connected by the codecs instead of a network.
struct AccessoryBench {
    /// A connection, with the phone as its first side.
    private struct Wire {
        private var decoder = ExternalAccessory.busProtocol.makeDecoder(
            DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
        private var offsets: [ConnectionSide: UInt64] = [:]

        mutating func carry(
            _ bytes: [UInt8], from side: ConnectionSide
        ) -> [any DissectedMessage] {
            var messages: [StreamMessage] = []
            let offset = offsets[side, default: 0]
            decoder.consume(bytes.span.bytes, from: side, at: offset, into: &messages)
            offsets[side] = offset + UInt64(bytes.count)
            return messages.map(\.content)
        }
    }

    var peer: AccessoryPeer
    private var wires: [PeerConnection: Wire] = [:]
    /// The messages that the accessories sent, each with the port of its connection.
    private(set) var said: [(port: UInt16, message: any DissectedMessage)] = []
    /// The connections that the accessories ended, and how.
    private(set) var ends: [String] = []
    /// Whether the suite answers the phone by `send` steps.
    var withholds = false

    init(_ settings: Value = .object([])) throws {
        peer = try AccessoryPeer(Self.declaration(settings))
    }

    static func declaration(_ settings: Value) -> PeerDeclaration {
        PeerDeclaration(
            name: "acc", kind: .accessory, settings: settings,
            position: SourcePosition(file: "test.yaml", line: 1, column: 1))
    }

    static func connection(_ port: UInt16) -> PeerConnection {
        PeerConnection(address: .loopback, port: port)
    }

    /// Opens a connection of the phone and sends its first line.
    mutating func call(_ port: UInt16, _ line: [UInt8]) throws {
        wires[Self.connection(port)] = Wire()
        try event(.syn, port)
        try phone(port, line)
    }

    mutating func control(_ port: UInt16 = 1) throws {
        try call(port, ExternalAccessory.BusLine.control)
    }

    mutating func open(_ port: UInt16, _ string: String, accessory: UInt32 = 1) throws {
        try call(
            port,
            ExternalAccessory.BusLine.session(accessory: accessory, protocolString: string))
    }

    mutating func phone(_ port: UInt16, _ bytes: [UInt8]) throws {
        let connection = Self.connection(port)
        let messages = wires[connection]?.carry(bytes, from: .first) ?? []
        for message in messages {
            consume(
                peer.observe(
                    message, on: connection, sentByPeer: false, withholdAnswer: withholds))
        }
    }

    mutating func event(_ kind: TCPEvent.Kind, _ port: UInt16, byPeer: Bool = false) throws {
        let header = TCPHeader(
            sourcePort: port, destinationPort: 12346, sequence: TCPSequence(1), flags: [])
        let event = TCPEvent(
            kind, from: .loopback, to: .loopback, header: header, segmentLength: 0, stream: 0)
        consume(
            peer.observe(
                event, on: Self.connection(port), sentByPeer: byPeer, withholdAnswer: false))
    }

    mutating func perform(_ action: String, _ arguments: Value = .null) throws {
        try consume(peer.perform(action, arguments: arguments))
    }

    mutating func send(
        _ message: String, _ fields: [(String, Value?)] = [], on port: UInt16? = nil
    ) throws {
        let fields = try fields.map { (try #require(FieldPath($0.0)), $0.1) }
        try consume(
            peer.send(
                message, fields: fields, answering: nil, on: port.map(Self.connection)))
    }

    private mutating func consume(_ commands: [PeerCommand]) {
        for command in commands {
            switch command {
            case .write(let connection, let bytes):
                for message in wires[connection]?.carry(bytes, from: .second) ?? [] {
                    said.append((connection.port, message))
                    let reaction = peer.observe(
                        message, on: connection, sentByPeer: true, withholdAnswer: false)
                    #expect(reaction == [])
                }
            case .close(let connection): ends.append("close \(connection.port)")
            case .reset(let connection): ends.append("reset \(connection.port)")
            default: ends.append("\(command)")
            }
        }
    }

    /// The port and name of each message that the accessories sent, such as `1 ea.ready`.
    var names: [String] { said.map { "\($0.port) \($0.message.name)" } }

    /// Returns the value of a field in the latest message.
    func latest(_ path: String) -> Value? {
        FieldPath(path).flatMap { said.last?.message.field($0) }
    }
}
