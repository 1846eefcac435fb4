import BuiltInProtocols
import ExternalAccessory
import SuiteLanguage
import TCPIP
import Testing
import Wire

@testable import PeerKit

/// Accessories on iAP2 links and phones, connected by the codecs instead of a network.
struct LinkedAccessoryBench {
    /// A phone's connection: its end of the link, and a decoder of the traffic.
    private struct Wire {
        var end = IAP2.DeviceEnd()
        private var decoder = IAP2.streamProtocol.makeDecoder(
            DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
        private var offsets: [ConnectionSide: UInt64] = [:]

        init() { end.start(at: .zero) }

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

    var peer: any Peer
    private var wires: [UInt16: Wire] = [:]
    /// The port and name of each message that the accessories sent, without those of iAP2 itself.
    private(set) var said: [String] = []
    /// The events of the phones' ends, each with the port of its connection.
    private(set) var stated: [(port: UInt16, event: IAP2.DeviceEnd.Event)] = []
    /// The connections that the accessories ended.
    private(set) var ended: [UInt16] = []

    init(_ settings: Value = .object([])) throws {
        peer = try PeerFactory.builtIn.make(
            AccessoryBench.declaration(settings.merging(["carrier": "iap2"])))
    }

    /// Opens a connection of a phone.
    mutating func call(_ port: UInt16, at called: IPAddress = .loopback) {
        wires[port] = Wire()
        event(.syn, port, called)
        event(.established, port, called)
    }

    /// Opens connections of phones in the given order, before the accessories react to any of them.
    mutating func callTogether(_ calls: [(port: UInt16, called: IPAddress)]) {
        var commands: [PeerCommand] = []
        for call in calls {
            wires[call.port] = Wire()
            commands += begin(call.port, at: call.called)
        }
        consume(commands)
        settle()
    }

    /// Opens a connection of a phone and returns the accessories' commands without executing them.
    mutating func begin(_ port: UInt16, at called: IPAddress = .loopback) -> [PeerCommand] {
        [TCPEvent.Kind.syn, .established].flatMap { kind in
            peer.observe(
                Self.event(kind, port, called), on: AccessoryBench.connection(port),
                sentByPeer: false,
                withholdAnswer: false)
        }
    }

    /// Receives bytes from a phone that its end of the link has not sent.
    mutating func receive(_ bytes: [UInt8], on port: UInt16) {
        consume(peer.receive(bytes, on: AccessoryBench.connection(port)))
        settle()
    }

    /// Sends a message of the accessories for the suite.
    mutating func sendBySuite(_ message: String) throws {
        let commands = try peer.send(message, fields: [], answering: nil, on: nil)
        consume(peer.carry(commands))
        settle()
    }

    /// Sends bytes on a connection for the suite.
    mutating func write(_ bytes: [UInt8], on port: UInt16) {
        consume(peer.carry([.write(AccessoryBench.connection(port), bytes)]))
        settle()
    }

    /// Ends a connection of a phone.
    mutating func hangUp(_ port: UInt16) { event(.fin, port) }

    /// Requests a session and returns its number.
    mutating func open(_ string: String, on port: UInt16) -> UInt16? {
        let session = wires[port]?.end.open(string, at: .zero)
        settle()
        return session
    }

    mutating func send(_ bytes: [UInt8], in session: UInt16, on port: UInt16) {
        wires[port]?.end.send(bytes, session: session, at: .zero)
        settle()
    }

    mutating func close(_ session: UInt16, on port: UInt16) {
        wires[port]?.end.close(session: session, at: .zero)
        settle()
    }

    mutating func perform(_ action: String, _ arguments: Value = .null) throws {
        consume(try peer.perform(action, arguments: arguments))
        settle()
    }

    /// Returns the accessory at the other end of a connection, once it has identified itself.
    func accessory(on port: UInt16) -> String? { wires[port]?.end.identification?.name }

    private static func event(
        _ kind: TCPEvent.Kind, _ port: UInt16, _ called: IPAddress
    ) -> TCPEvent {
        let header = TCPHeader(
            sourcePort: port, destinationPort: 12346, sequence: TCPSequence(1), flags: [])
        return TCPEvent(
            kind, from: .loopback, to: called, header: header, segmentLength: 0, stream: 0)
    }

    private mutating func event(
        _ kind: TCPEvent.Kind, _ port: UInt16, _ called: IPAddress = .loopback
    ) {
        consume(
            peer.observe(
                Self.event(kind, port, called), on: AccessoryBench.connection(port),
                sentByPeer: false,
                withholdAnswer: false))
        settle()
    }

    /// Delivers the output of the phones' ends until there is no more.
    private mutating func settle() {
        while let port = wires.keys.sorted().first(where: { isTalking($0) }) {
            let connection = AccessoryBench.connection(port)
            let bytes = wires[port]?.end.takeOutput() ?? []
            let messages = wires[port]?.carry(bytes, from: .first) ?? []
            consume(peer.receive(bytes, on: connection))
            for message in messages {
                consume(
                    peer.observe(
                        message, on: connection, sentByPeer: false, withholdAnswer: false))
            }
        }
    }

    private func isTalking(_ port: UInt16) -> Bool {
        guard var end = wires[port]?.end else { return false }
        return !end.takeOutput().isEmpty
    }

    private mutating func consume(_ commands: [PeerCommand]) {
        for command in commands {
            switch command {
            case .packet(let connection, let bytes), .write(let connection, let bytes),
                .writeSegments(let connection, let bytes, _):
                for message in wires[connection.port]?.carry(bytes, from: .second) ?? []
                where !message.name.hasPrefix("iap2.") {
                    said.append("\(connection.port) \(message.name)")
                }
                for event in wires[connection.port]?.end.receive(bytes, at: .zero) ?? [] {
                    stated.append((connection.port, event))
                }
            case .close(let connection), .reset(let connection): ended.append(connection.port)
            case .connect, .closeAll: Issue.record("unexpected command \(command)")
            }
        }
    }
}
