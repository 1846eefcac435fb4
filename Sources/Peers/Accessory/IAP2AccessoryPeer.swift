import ExternalAccessory
import IAP2
import SDL
import Suites
import TCPIP
import Wire

/// The same accessories on iAP2 instead of the bus: a link to each, from each phone.
///
/// What they do is `AccessoryPeer`'s; here its sessions, each a connection of its own on the bus,
/// become sessions of links. A phone keeps one connection free; an accessory that is connected
/// opens its link on that, and the phone opens the next.
struct IAP2AccessoryPeer: Peer {
    static let kind = AccessoryPeer.kind

    /// A connection of a phone.
    struct Line {
        /// The segment that opened it.
        let syn: TCPEvent
        /// The accessory's end of the link, once an accessory has taken it.
        var end: IAP2.AccessoryEnd?
        var accessoryID: UInt32 = 0
        /// Sessions, by their numbers on the link.
        var sessions: [UInt16: PeerConnection] = [:]
    }

    /// A phone, as far as its connections tell: one of them is free.
    struct Phone {
        /// Where it calls from.
        let address: IPAddress
        /// Where it calls: each device of a case has an address of its own there.
        let called: IPAddress
        var free: PeerConnection?
        var links: [UInt32: PeerConnection] = [:]
    }

    /// Where a session of the accessories is on the wire.
    struct Place {
        let connection: PeerConnection
        let session: UInt16
        /// Whether the wish for it has been answered.
        var isAnswered = false
    }

    /// How the links shall be: they mend what is lost on the way within seconds.
    static let proposal = IAP2.LinkSynchronization(
        maximumOutstanding: 32, maximumLength: 65_535, retransmissionTimeout: 250,
        acknowledgementTimeout: 20, maximumRetransmissions: 30, maximumAcknowledgements: 3)

    /// The accessories.
    var accessories: AccessoryPeer
    var lines: [PeerConnection: Line] = [:]
    var phones: [Phone] = []
    /// The connections that the accessories believe to have, one for each session.
    var places: [PeerConnection: Place] = [:]
    private var placeCount: UInt16 = 0
    /// The time by the device's clock.
    var time = Duration.zero

    var name: String { accessories.name }
    var servesLink: Bool { true }

    /// Makes accessories with the settings of a declaration.
    init(_ accessories: AccessoryPeer) {
        self.accessories = accessories
    }

    var latestConnection: PeerConnection? {
        accessories.latestConnection.flatMap { places[$0]?.connection }
    }

    var nextDeadline: Int64? {
        lines.values.compactMap { $0.end?.nextDeadline }.min().map { Int64($0 / .nanoseconds(1)) }
    }

    mutating func advance(to now: Int64) -> [PeerCommand] {
        time = .nanoseconds(now)
        let due = lines.filter { line in
            line.value.end?.nextDeadline.map { $0 <= time } ?? false
        }
        return due.keys.flatMap { connection in
            serve(connection) { end, time in end.advance(to: time) }
        }
    }

    mutating func receive(_ bytes: [UInt8], on connection: PeerConnection) -> [PeerCommand] {
        serve(connection) { end, time in end.receive(bytes, at: time) }
    }

    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        switch message {
        case let event as TCPEvent:
            return observe(event, on: connection, sentByPeer: sentByPeer)
        case let message as ExternalAccessory.Message where !sentByPeer:
            return observe(message, on: connection, withholdsAnswer: withholdAnswer)
        case is SDL.Message where !sentByPeer:
            guard let place = dataSession(on: connection) else { return [] }
            return translate(
                accessories.observe(
                    message, on: place, sentByPeer: false, withholdAnswer: withholdAnswer))
        default:
            return []
        }
    }

    /// Sends in a session; see `carry`.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        let isAnswer = message.hasPrefix("ea.")
        let place = connection.flatMap { connection in
            places.filter {
                $0.value.connection == connection && !(isAnswer && $0.value.isAnswered)
            }
            .keys.max { $0.port < $1.port }
        }
        return try accessories.send(message, fields: fields, answering: answering, on: place)
    }

    mutating func carry(_ commands: [PeerCommand]) -> [PeerCommand] {
        translate(
            commands.map { command in
                // Bytes that a suite wants sent go into the session that carries SDL.
                switch command {
                case .write(let connection, let bytes):
                    dataSession(on: connection).map { .write($0, bytes) } ?? command
                case .writeSegments(let connection, let bytes, let size):
                    dataSession(on: connection).map { .writeSegments($0, bytes, size: size) }
                        ?? command
                default: command
                }
            })
    }

    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        let before = connectedIDs
        let commands = try accessories.perform(action, arguments: arguments)
        let gone = before.subtracting(connectedIDs)
        guard !gone.isEmpty else { return translate(commands) + occupy() }
        // An accessory that has gone takes its link with it.
        let left = lines.filter { gone.contains($0.value.accessoryID) && $0.value.end != nil }.keys
        for connection in left { forget(connection) }
        return left.map { .close($0) }
    }

    private var connectedIDs: Set<UInt32> {
        Set(accessories.accessories.map(\.id)).subtracting([0])
    }

    /// A connection that stands for a session: no device's address, and a number as its port.
    mutating func newPlace(
        of session: UInt16, on connection: PeerConnection
    ) -> PeerConnection {
        placeCount &+= 1
        let place = PeerConnection(address: IPAddress(ipv4: 0), port: placeCount)
        places[place] = Place(connection: connection, session: session)
        lines[connection]?.sessions[session] = place
        return place
    }
}
