import TCPIP
import Wire

/// One connection of a peer, named by the end of whoever called: the device's end where the peer
/// listens, the peer's own where the peer calls the device.
public struct PeerConnection: Hashable, Sendable, CustomStringConvertible {
    /// The caller's address.
    public let address: IPAddress
    /// The caller's port.
    public let port: UInt16

    /// Makes a name.
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `127.0.0.1:40312`, `[::1]:40312`.
    public var description: String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

/// What a peer wants done on its sockets.
public enum PeerCommand: Sendable, Hashable {
    /// Call the device. The connection's name is known by the SYN that the trace shows.
    case connect
    /// Send these bytes, all of them, after those of earlier commands.
    case write(PeerConnection, [UInt8])
    /// Send these bytes as `write` does, in TCP segments of that size, the last one shorter.
    case writeSegments(PeerConnection, [UInt8], size: Int)
    /// Send these bytes as `write` does: a packet of a link that mends what a line loses, repeats
    /// or puts in another order.
    case packet(PeerConnection, [UInt8])
    /// End the connection in good order: what was written goes out, then a FIN.
    case close(PeerConnection)
    /// Abort the connection: a RST.
    case reset(PeerConnection)
    /// End every connection in good order.
    case closeAll
}

/// A simulated counterpart of the device: it decides what goes out, and knows only the trace.
///
/// A peer does no I/O. The worker shows it every message of its connections, `tcp` events
/// included, in trace order, and carries out the commands that come back, in their order.
public protocol Peer: Sendable {
    /// The name that the suite gives it, such as `hu`.
    var name: String { get }

    /// What it plays.
    static var kind: PeerKind { get }

    /// What this one plays; one type may play several kinds.
    var kind: PeerKind { get }

    /// Shows what the device did, or what the peer itself sent, as the trace has it.
    ///
    /// - Parameters:
    ///   - message: What was captured. After the device's `tcp.FIN` the peer closes its side.
    ///   - connection: On which connection.
    ///   - sentByPeer: Whether the peer sent it; it has then acted on it already.
    ///   - withholdAnswer: Whether a later `send` step answers this message, so that the peer's
    ///     own answer must not go out.
    /// - Returns: The peer's reaction; empty if it has none.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand]

    /// Sends a message because the suite says so: the peer's default with fields replaced.
    ///
    /// - Parameters:
    ///   - message: Its full name, such as `sdl.RegisterAppInterface.response`.
    ///   - fields: Fields to replace; `nil` takes a field out.
    ///   - answering: The device's message that it answers.
    ///   - connection: Where to; `nil` for the latest live connection.
    /// - Throws: `PeerError` if there is no such message, field or connection.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand]

    /// The connection that was opened last and that has not ended; `nil` if there is none.
    var latestConnection: PeerConnection? { get }

    /// When the peer does something by itself, in nanoseconds of a clock that does not go back;
    /// `nil` if it waits for nothing but the device.
    var nextDeadline: Int64? { get }

    /// Tells the time: before everything else that the peer is asked, and at `nextDeadline`.
    ///
    /// - Returns: What the peer does by itself because of it.
    mutating func advance(to now: Int64) -> [PeerCommand]

    /// Carries out an action of a `do` step, such as `close`.
    ///
    /// - Throws: `PeerError` if there is no such action, or its arguments are not what it takes.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand]

    /// The names of peers that are reached through this one, because they live behind it.
    var inhabitants: [String] { get }

    /// Carries out an action of this peer, or of one that lives behind it.
    ///
    /// - Throws: `PeerError` if there is no such action, or its arguments are not what it takes.
    mutating func perform(
        _ action: String, arguments: Value, of inhabitant: String
    ) throws(PeerError) -> [PeerCommand]

    /// Whether it serves a link of its own upon TCP: then `receive` is told what comes.
    var servesLink: Bool { get }

    /// Takes bytes of a connection for the link upon it, which acknowledges and repeats as the
    /// kernel does for TCP. What a device says by them the peer learns from the trace alone.
    ///
    /// - Returns: What the link has to say.
    mutating func receive(_ bytes: [UInt8], on connection: PeerConnection) -> [PeerCommand]

    /// Carries out an order of the program that plays it.
    ///
    /// - Throws: `PeerError` with code `badArgument` for what is no order.
    mutating func take(order: Value) throws(PeerError) -> [PeerCommand]

    /// Why it did not answer what it was shown since this was asked last: clauses whose subject is the
    /// peer, such as `dropped a frame of version 5, because it speaks 1`.
    mutating func takeReasonsForSilence() -> [String]

    /// Puts what `send` gave, or bytes that a suite wants sent, on the link of the connection.
    mutating func carry(_ commands: [PeerCommand]) -> [PeerCommand]
}

extension Peer {
    /// None: a kind of peer that sends plain bytes says where they go.
    public var latestConnection: PeerConnection? { nil }

    /// None: most peers do nothing by themselves.
    public var nextDeadline: Int64? { nil }

    /// Does nothing.
    public mutating func advance(to now: Int64) -> [PeerCommand] { [] }

    /// None.
    public var inhabitants: [String] { [] }

    /// Carries out its own action: nobody lives behind it.
    public mutating func perform(
        _ action: String, arguments: Value, of inhabitant: String
    ) throws(PeerError) -> [PeerCommand] {
        try perform(action, arguments: arguments)
    }

    /// It does not: most peers write on their connections themselves.
    public var servesLink: Bool { false }

    /// Does nothing.
    public mutating func receive(
        _ bytes: [UInt8], on connection: PeerConnection
    ) -> [PeerCommand] { [] }

    /// Refuses: no program plays it.
    public mutating func take(order: Value) throws(PeerError) -> [PeerCommand] {
        throw PeerError(.badArgument, "\(kind) takes no orders")
    }

    /// None: most peers answer whatever they understand.
    public mutating func takeReasonsForSilence() -> [String] { [] }

    /// Leaves them as they are.
    public mutating func carry(_ commands: [PeerCommand]) -> [PeerCommand] { commands }

    /// What it plays.
    public var kind: PeerKind { Self.kind }
}
