import Protocols
import Suites

/// A peer whose answers come from a program of the suite's author (`adapter`).
///
/// The program is shown every message of the trace, and says what is to be sent: see
/// `Documentation/adapter-peers.md`.
public struct AdapterPeer: Peer {
    /// `adapter`.
    public static let kind = "adapter"

    /// The name that the suite gives it.
    public let name: String
    private let isDatagram: Bool
    /// Live connections, the oldest first; of datagrams the ends that have sent some.
    private var live: [PeerConnection] = []
    /// What goes out later.
    private var waiting = WaitingCommands()

    /// Ends of datagram flows that are remembered.
    private static let countMax = 4_096

    /// Makes a peer; the program itself is the stage's.
    public init(_ declaration: PeerDeclaration) {
        name = declaration.name
        isDatagram = declaration.isDatagram
    }

    /// Follows the device's connections, and ends its side when the device ends its own.
    public mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if message is UDPDatagram, isDatagram, !sentByPeer {
            live.removeAll { $0 == connection }
            live.append(connection)
            if live.count > Self.countMax { live.removeFirst() }
        }
        guard let event = message as? TCPEvent, !isDatagram else { return [] }
        switch event.kind {
        case .syn where !sentByPeer:
            live.removeAll { $0 == connection }
            live.append(connection)
        case .fin where !sentByPeer:
            live.removeAll { $0 == connection }
            return [.close(connection)]
        case .rst, .refused: live.removeAll { $0 == connection }
        default: break
        }
        return []
    }

    /// The connection that was opened last, or whence the latest datagram came.
    public var latestConnection: PeerConnection? { live.last }

    /// When something waits to be sent.
    public var nextDeadline: Int64? { waiting.nextDeadline }

    /// Sends what is due.
    public mutating func advance(to now: Int64) -> [PeerCommand] { waiting.advance(to: now) }

    /// Carries out an order of the program: `send`, `close` or `reset`.
    ///
    /// An order for a connection that has ended meanwhile does nothing.
    ///
    /// - Throws: `PeerError` with code `badArgument` for what is no order.
    public mutating func take(order: Value) throws(PeerError) -> [PeerCommand] {
        let known = ["send", "close", "reset", "connection", "after"]
        let members = order.objectValue ?? []
        if let other = members.first(where: { !known.contains($0.name) }) {
            throw wrong("\"\(other.name)\" is no word of an order")
        }
        let verbs = members.filter { ["send", "close", "reset"].contains($0.name) }
        guard let verb = verbs.first, verbs.count == 1 else {
            throw wrong("an order says one of send, close and reset")
        }
        guard let connection = try connection(order["connection"]) else { return [] }
        let command: PeerCommand
        switch verb.name {
        case "send":
            let bytes = try bytes(verb.value)
            command = isDatagram ? .packet(connection, bytes) : .write(connection, bytes)
        case "close": command = .close(connection)
        default: command = .reset(connection)
        }
        guard let after = order["after"] else { return [command] }
        guard let pause = after.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw wrong("\"after\" is a duration such as 20ms")
        }
        return waiting.take([command], after: pause)
    }

    private func connection(_ value: Value?) throws(PeerError) -> PeerConnection? {
        guard let value else { return live.last }
        guard let text = value.stringValue else {
            throw wrong("\"connection\" is the text that a message had there")
        }
        return live.first { $0.description == text }
    }

    private func bytes(_ value: Value) throws(PeerError) -> [UInt8] {
        if let text = value["text"]?.stringValue { return Array(text.utf8) }
        if let hex = value["hex"]?.stringValue, let bytes = [UInt8](hexDigits: hex) {
            return bytes
        }
        throw wrong("\"send\" is {\"text\": ...} or {\"hex\": ...}")
    }

    private func wrong(_ what: String) -> PeerError { PeerError(.badArgument, what) }

    /// Refuses: what is said the program says.
    public mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.unknownMessage, "the program of \(name) sends what it likes")
    }

    /// Carries out `close` and `reset` on the latest connection.
    public mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let commands = try end(isDatagram ? nil : live.last, by: action, arguments)
        live.removeLast()
        return commands
    }
}
