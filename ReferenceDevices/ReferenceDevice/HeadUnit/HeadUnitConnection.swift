import ExternalAccessory
import SDL
import Wire

/// The state of one connection of a head unit.
struct HeadUnitConnection: Sendable {
    /// The protocols that a phone may start a connection with.
    private static let known = [SDL.streamProtocol, ExternalAccessory.busProtocol]
    /// The dissection stack of these and the protocols that they may carry.
    private static let stack = DissectionStack(known + [IAP2.streamProtocol])

    /// The first bytes, until they show the protocol of the connection.
    private var held: [UInt8] = []
    /// The decoder of both directions; the phone is the first side.
    private var decoder: (any ConnectionDecoder)?
    /// The number of bytes of the phone that were decoded, and of those sent to it.
    private var (decoded, sent) = (UInt64(0), UInt64(0))
    /// The session with the accessory that the connection carries.
    var session: ExternalAccessory.Session?
    /// Its RPC services, by the ids of their sessions.
    var services: [UInt8: HeadUnitService] = [:]
    /// The id of the next message that the head unit sends.
    var nextMessageID: UInt32 = 1

    /// The number of heartbeats received.
    var heartbeats = 0

    /// Decodes the next bytes; returns `nil` if the phone starts with no known protocol.
    mutating func decode(_ bytes: [UInt8]) -> [StreamMessage]? {
        held += bytes
        if decoder == nil {
            let found = Self.known.map { ($0, $0.recognises(held.span.bytes)) }
            if let match = found.first(where: { $0.1 == true })?.0 {
                decoder = match.makeDecoder(
                    Self.stack)
            } else if found.allSatisfy({ $0.1 == false }) {
                return nil
            }
        }
        var messages: [StreamMessage] = []
        guard decoder != nil else { return messages }
        let next = held
        held = []
        decoder?.consume(next.span.bytes, from: .first, at: decoded, into: &messages)
        decoded += UInt64(next.count)
        return messages
    }

    /// Records sent bytes, because the meaning of the phone's next bytes may depend on them.
    mutating func record(sent bytes: [UInt8]) {
        var messages: [StreamMessage] = []
        decoder?.consume(bytes.span.bytes, from: .second, at: sent, into: &messages)
        sent += UInt64(bytes.count)
    }

    /// The id for a new session of the RPC service; `nil` if all 255 are in use.
    var freeServiceID: UInt8? { (1...255).first { services[$0] == nil } }
}

/// The state of one session of the RPC service.
struct HeadUnitService: Sendable {
    /// The version of the frames that the head unit sends in it.
    private(set) var version: UInt8
    /// The hash that EndService must carry.
    let hashID: Int32
    /// Whether an app has unregistered in it.
    var hasUnregistered = false
    /// The app that is registered.
    var app: RegisteredApp?

    /// Adopts the version of a frame of the app if it is lower than that of the answer.
    ///
    /// An app of a version before 5 states no version when it starts a service; its first frames
    /// show the version instead (SDL protocol 4.2.3).
    mutating func follow(_ header: SDL.Header) { version = min(version, header.version) }

    /// An app as described by its registration.
    struct RegisteredApp: Sendable, Hashable {
        let name: String
        let id: String
        let isMedia: Bool

        init(_ parameters: Value) {
            name = parameters["appName"]?.stringValue ?? ""
            id = parameters["appID"]?.stringValue ?? ""
            isMedia = parameters["isMediaApplication"] == true
        }
    }
}

extension ExternalAccessory.Session {
    /// The fields of the session in the log.
    var fields: [Value.Member] {
        [
            .init("protocol", .string(protocolString ?? "")),
            .init("session", .integer(Int64(id ?? 0))),
        ]
    }
}
