import TCPIP
import Wire

/// One connection of a peer, named by the caller's end.
///
/// That is the device's end where the peer listens, and the peer's own end where the peer connects
/// to the device.
public struct PeerConnection: Hashable, Sendable, CustomStringConvertible {
    /// The caller's address.
    public let address: IPAddress
    /// The caller's port.
    public let port: UInt16

    /// Creates a name from the caller's address and port.
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The name in the form `127.0.0.1:40312` or `[::1]:40312`.
    public var description: String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

/// A command of a peer for its sockets.
public enum PeerCommand: Sendable, Hashable {
    /// Connect to the device. The SYN in the trace shows the connection's name.
    case connect
    /// Send all of these bytes, after those of earlier commands.
    case write(PeerConnection, [UInt8])
    /// Send these bytes as `write` does, in TCP segments of the given size; the last is shorter.
    case writeSegments(PeerConnection, [UInt8], size: Int)
    /// Send these bytes as `write` does, as a packet of a link protocol.
    ///
    /// That protocol repairs losses, repetitions and reordering on the link.
    case packet(PeerConnection, [UInt8])
    /// Close the connection: bytes already written are sent, then a FIN.
    case close(PeerConnection)
    /// Abort the connection with a RST.
    case reset(PeerConnection)
    /// Close every connection as `close` does.
    case closeAll

    /// The connection that it is about; `nil` if it is not about one.
    package var connection: PeerConnection? {
        switch self {
        case .write(let connection, _), .writeSegments(let connection, _, _),
            .packet(let connection, _), .close(let connection), .reset(let connection):
            connection
        case .connect, .closeAll: nil
        }
    }
}

/// A simulated counterpart of the device: it decides what is sent, and knows only the trace.
///
/// A peer does no I/O. The worker shows it every message of its connections, including `tcp`
/// events, in trace order, and carries out the commands that it returns, in order.
public protocol Peer: Sendable {
    /// The name from the suite, such as `hu`.
    var name: String { get }

    /// The kind of peer that the type plays.
    static var kind: PeerKind { get }

    /// The kind that this peer plays; one type may play several kinds.
    var kind: PeerKind { get }

    /// Shows an action of the device, or a message of the peer itself, as the trace has it.
    ///
    /// - Parameters:
    ///   - message: The captured message. After the device's `tcp.FIN` the peer closes its side.
    ///   - connection: The connection of the message.
    ///   - sentByPeer: Whether the peer sent the message; its state then already reflects it.
    ///   - withholdAnswer: Whether a later `send` step answers this message, so that the peer's
    ///     own answer must not be sent.
    /// - Returns: The peer's reaction; empty if it has none.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand]

    /// Sends a message for the suite: the peer's default with fields replaced.
    ///
    /// - Parameters:
    ///   - message: Its full name, such as `sdl.RegisterAppInterface.response`.
    ///   - fields: Fields to replace; `nil` removes a field.
    ///   - answering: The device's message that it answers.
    ///   - connection: The connection to send on; `nil` for the latest live connection.
    /// - Throws: `PeerError` if there is no such message, field or connection.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand]

    /// The connection that was opened last and has not ended; `nil` if there is none.
    var latestConnection: PeerConnection? { get }

    /// When the peer acts by itself next; `nil` if it only waits for the device.
    ///
    /// In nanoseconds of a clock that does not go back.
    var nextDeadline: Int64? { get }

    /// Advances the time; called before every other call, and at `nextDeadline`.
    ///
    /// - Returns: The commands that are due.
    mutating func advance(to now: Int64) -> [PeerCommand]

    /// Carries out an action of a `do` step, such as `close`.
    ///
    /// - Throws: `PeerError` if there is no such action, or its arguments are invalid.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand]

    /// The names of peers that are reached through this one.
    var inhabitants: [String] { get }

    /// Carries out an action of this peer, or of one that is reached through it.
    ///
    /// - Throws: `PeerError` if there is no such action, or its arguments are invalid.
    mutating func perform(
        _ action: String, arguments: Value, of inhabitant: String
    ) throws(PeerError) -> [PeerCommand]

    /// Whether it serves a link protocol of its own over TCP; then `receive` gets the bytes.
    var servesLink: Bool { get }

    /// Processes bytes of a connection for the link protocol on it.
    ///
    /// The link acknowledges and repeats, as the kernel does for TCP. The peer learns from the
    /// trace alone which messages a device sends in these bytes.
    ///
    /// - Returns: What the link sends.
    mutating func receive(_ bytes: [UInt8], on connection: PeerConnection) -> [PeerCommand]

    /// Carries out an order of the program that plays it.
    ///
    /// - Throws: `PeerError` with code `badArgument` for an invalid order.
    mutating func consume(order: Value) throws(PeerError) -> [PeerCommand]

    /// Why it could not do what the suite says; the case is then an error, whatever the device did.
    var fault: PeerError? { get }

    /// Returns the reasons, since the last call, why it did not answer messages that it was shown.
    ///
    /// They are clauses whose subject is the peer, such as `dropped a frame of version 5, because
    /// it speaks 1`.
    mutating func takeUnansweredReasons() -> [String]

    /// Adapts the commands of `send`, or bytes from a suite, to the link of the connection.
    mutating func carry(_ commands: [PeerCommand]) -> [PeerCommand]
}

extension Peer {
    /// `nil`: a kind of peer that sends plain bytes implements this itself.
    public var latestConnection: PeerConnection? { nil }

    /// `nil`: most peers do nothing by themselves.
    public var nextDeadline: Int64? { nil }

    /// Does nothing.
    public mutating func advance(to now: Int64) -> [PeerCommand] { [] }

    /// Empty: no peer is reached through it.
    public var inhabitants: [String] { [] }

    /// Carries out its own action, because no peer is reached through it.
    public mutating func perform(
        _ action: String, arguments: Value, of inhabitant: String
    ) throws(PeerError) -> [PeerCommand] {
        try perform(action, arguments: arguments)
    }

    /// `false`: most peers write on their connections themselves.
    public var servesLink: Bool { false }

    /// Does nothing.
    public mutating func receive(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] { [] }

    /// Throws: no program plays the peer.
    public mutating func consume(order: Value) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.badArgument, "\(kind) takes no orders")
    }

    /// `nil`: most peers can always do what they should.
    public var fault: PeerError? { nil }

    /// Empty: most peers answer all messages that they understand.
    public mutating func takeUnansweredReasons() -> [String] { [] }

    /// Returns the commands unchanged.
    public mutating func carry(_ commands: [PeerCommand]) -> [PeerCommand] { commands }

    /// The kind of the type.
    public var kind: PeerKind { Self.kind }
}
