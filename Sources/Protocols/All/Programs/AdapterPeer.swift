import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// A peer whose answers come from a program of the suite's author (`adapter`).
///
/// The program is shown every message of the trace, and decides what is sent: see
/// `Documentation/adapter-peers.md`.
struct AdapterPeer: ProgramPeer {
    /// The peer kind `adapter`.
    static let kind = PeerKind.adapter

    /// The name that the suite gives it.
    let name: String
    let isDatagram: Bool
    var live = LiveConnections()
    /// The commands that wait to be sent.
    private var waiting = WaitingCommands()
    private var encoder = ProgramEncoder()

    /// Creates a peer; the stage runs the program itself.
    init(_ declaration: PeerDeclaration) {
        name = declaration.name
        isDatagram = declaration.isDatagram
    }

    /// Follows the device's connections, and ends its side when the device ends its own.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if message.isDatagram, isDatagram, !sentByPeer { live.meet(connection) }
        if !sentByPeer { encoder.handle(message, on: connection) }
        guard let event = message as? TCPEvent, !isDatagram else { return [] }
        let hasEnded = live.follow(event, on: connection, sentByPeer: sentByPeer)
        return hasEnded ? [.close(connection)] : []
    }

    /// When the next waiting command is due.
    var nextDeadline: Int64? { waiting.nextDeadline }

    /// Returns the commands that are due.
    mutating func advance(to now: Int64) -> [PeerCommand] { waiting.advance(to: now) }

    /// Carries out an order of the program: `send`, `close` or `reset`.
    ///
    /// An order for a connection that has ended meanwhile has no effect.
    ///
    /// - Throws: `PeerError` with code `badArgument` for an invalid order.
    mutating func consume(order: Value) throws(PeerError) -> [PeerCommand] {
        let known = ["send", "close", "reset", "connection", "after"]
        let members = order.objectValue ?? []
        if let other = members.first(where: { !known.contains($0.name) }) {
            throw wrong("\"\(other.name)\" is not a word of an order")
        }
        let verbs = members.filter { ["send", "close", "reset"].contains($0.name) }
        guard let verb = verbs.first, verbs.count == 1 else {
            throw wrong("an order says one of send, close and reset")
        }
        guard let connection = try connection(order["connection"]) else { return [] }
        let command: PeerCommand
        switch verb.name {
        case "send":
            let bytes = try bytes(verb.value, on: connection)
            command = isDatagram ? .packet(connection, bytes) : .write(connection, bytes)
        case "close": command = .close(connection)
        default: command = .reset(connection)
        }
        guard let after = order["after"] else { return [command] }
        guard let pause = after.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw wrong("\"after\" is a duration such as 20ms")
        }
        return waiting.consume([command], after: pause)
    }

    private func connection(_ value: Value?) throws(PeerError) -> PeerConnection? {
        guard let value else { return live.latest }
        guard let text = value.stringValue else {
            throw wrong("\"connection\" must be the \"connection\" of a message")
        }
        return live.all.first { $0.description == text }
    }

    private mutating func bytes(
        _ value: Value, on connection: PeerConnection
    ) throws(PeerError) -> [UInt8] {
        if let message = value["message"]?.stringValue, !isDatagram {
            return try encoder.bytes(of: message, value["with"] ?? [:], on: connection)
        }
        if let text = value["text"]?.stringValue { return Array(text.utf8) }
        if let hex = value["hex"]?.stringValue, let bytes = [UInt8](hexDigits: hex) {
            return bytes
        }
        throw wrong(
            "\"send\" is {\"text\": ...} or {\"hex\": ...}"
                + (isDatagram ? "" : " or {\"message\": ..., \"with\": ...}"))
    }

    private func wrong(_ what: String) -> PeerError { PeerError(.badArgument, what) }
}
