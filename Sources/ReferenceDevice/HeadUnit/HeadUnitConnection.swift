import ExternalAccessory
import IAP2
import SDL
import Wire

/// What a head unit knows of one connection.
struct HeadUnitConnection: Sendable {
    /// The protocols that a phone may begin with.
    private static let known = [SDL.streamProtocol, ExternalAccessory.busProtocol]
    /// What these may carry as well.
    private static let stack = DissectionStack(known + [IAP2.streamProtocol])

    /// The first bytes, until they tell what the connection is for.
    private var held: [UInt8] = []
    /// What makes messages of both directions; the phone is the first side.
    private var decoder: (any ConnectionDecoder)?
    /// How many bytes of the phone have been decoded, and how many were sent to it.
    private var (decoded, sent) = (UInt64(0), UInt64(0))
    /// The session with the accessory that it carries.
    var session: ExternalAccessory.Session?
    /// The RPC services in it, by the ids of their sessions.
    var services: [UInt8: HeadUnitService] = [:]
    /// The id of the next message that the head unit sends.
    var nextMessageID: UInt32 = 1

    /// How many heartbeats have come.
    var heartbeats = 0

    /// Decodes the next bytes; `nil` if the phone begins with nothing that is known.
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

    /// Takes note of bytes that are sent: what the phone says next may depend on them.
    mutating func note(sent bytes: [UInt8]) {
        var messages: [StreamMessage] = []
        decoder?.consume(bytes.span.bytes, from: .second, at: sent, into: &messages)
        sent += UInt64(bytes.count)
    }

    /// The id for a new session of the RPC service; `nil` if all 255 are in use.
    var freeServiceID: UInt8? { (1...255).first { services[$0] == nil } }
}

/// What a head unit knows of one session of its RPC service.
struct HeadUnitService: Sendable {
    /// The version of the frames that it sends in it.
    private(set) var version: UInt8
    /// What EndService must carry.
    let hashID: Int32
    /// Whether an app has unregistered in it.
    var hasUnregistered = false
    /// The app that is registered.
    var app: RegisteredApp?

    /// Goes on in the version of an app that speaks a lower one than it was answered in: an app of
    /// before version 5 says no version, so that its first frames do (SDL protocol 4.2.3).
    mutating func follow(_ header: SDL.Header) { version = min(version, header.version) }

    /// An app by its registration.
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
    /// What the log tells of it.
    var fields: [Value.Member] {
        [
            .init("protocol", .string(protocolString ?? "")),
            .init("session", .integer(Int64(id ?? 0))),
        ]
    }
}
