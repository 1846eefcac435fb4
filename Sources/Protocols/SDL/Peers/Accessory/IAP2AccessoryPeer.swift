import ExternalAccessory
import PeerKit
import SDL
import SuiteLanguage
import TCPIP
import Wire

/// The accessories of `AccessoryPeer` on iAP2, with a link from each phone to each accessory.
///
/// `AccessoryPeer` decides what they do. On the bus, each session is a connection of its own; here
/// the sessions become sessions of links. A phone keeps one connection free. A connected accessory
/// opens its link on that connection, and the phone opens the next.
struct IAP2AccessoryPeer: Peer {
    static let kind = AccessoryPeer.kind

    /// A connection of a phone.
    struct PhoneConnection {
        /// The SYN segment that opened it.
        let syn: TCPEvent
        /// The accessory's end of the link, once an accessory uses the connection.
        var end: IAP2.AccessoryEnd?
        var accessoryID: UInt32 = 0
        /// The sessions, by their numbers on the link.
        var sessions: [UInt16: PeerConnection] = [:]
    }

    /// A phone, as far as its connections show it; one of them is free.
    struct Phone {
        /// The address from which it connects.
        let address: IPAddress
        /// The address to which it connects: each device of a case has a separate address there.
        let called: IPAddress
        var free: PeerConnection?
        var links: [UInt32: PeerConnection] = [:]
    }

    /// The position of a session of the accessories on the wire.
    struct Place {
        let connection: PeerConnection
        let session: UInt16
        /// Whether the request for the session has been answered.
        var isAnswered = false
    }

    /// The link parameters that they propose: the link repairs losses within seconds.
    static let proposal = IAP2.LinkSynchronization(
        maximumOutstanding: 32, maximumLength: 65_535, retransmissionTimeout: 250,
        acknowledgementTimeout: 20, maximumRetransmissions: 30, maximumAcknowledgements: 3)

    /// The peer that decides what the accessories do.
    var accessories: AccessoryPeer
    var phoneConnections: [PeerConnection: PhoneConnection] = [:]
    var phones: [Phone] = []
    /// The connections that exist for the accessories, one for each session.
    var places: [PeerConnection: Place] = [:]
    private var placeCount: UInt16 = 0
    /// The time by the device's clock.
    var time = Duration.zero

    var name: String { accessories.name }
    var servesLink: Bool { true }

    /// Creates accessories on iAP2.
    init(_ accessories: AccessoryPeer) {
        self.accessories = accessories
    }

    var latestConnection: PeerConnection? {
        accessories.latestConnection.flatMap { places[$0]?.connection }
    }

    var nextDeadline: Int64? {
        phoneConnections.values.compactMap { $0.end?.nextDeadline }.min().map {
            Int64($0 / .nanoseconds(1))
        }
    }

    mutating func advance(to now: Int64) -> [PeerCommand] {
        time = .nanoseconds(now)
        let due = phoneConnections.filter { phoneConnection in
            phoneConnection.value.end?.nextDeadline.map { $0 <= time } ?? false
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

    /// Sends a message in a session; see also `carry`.
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
                // Bytes that a suite sends go into the session that carries SDL.
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
        // The link of a disconnected accessory ends with it.
        let left = phoneConnections.filter {
            gone.contains($0.value.accessoryID) && $0.value.end != nil
        }.keys
        for connection in left { forget(connection) }
        return left.map { .close($0) }
    }

    private var connectedIDs: Set<UInt32> {
        Set(accessories.accessories.map(\.id)).subtracting([0])
    }

    /// Creates a connection that represents a session.
    ///
    /// It has no device's address, and a number as its port.
    mutating func newPlace(
        of session: UInt16, on connection: PeerConnection
    ) -> PeerConnection {
        placeCount &+= 1
        let place = PeerConnection(address: IPAddress(ipv4: 0), port: placeCount)
        places[place] = Place(connection: connection, session: session)
        phoneConnections[connection]?.sessions[session] = place
        return place
    }
}
