/// What a suite may specify for a kind of peer: its settings and its actions.
///
/// Kinds are equal if their names are.
public struct PeerKind: Sendable, Hashable, CustomStringConvertible {
    /// The name after `is:`, such as `sdl.head-unit`.
    public let name: String
    /// A one-sentence description of its role.
    public let summary: String
    /// The protocol that it speaks.
    public let protocolName: String
    /// The port, of TCP or of UDP, on which it listens or which it calls, unless the suite
    /// overrides it.
    ///
    /// It is 0 if any port will do.
    public let defaultPort: UInt16
    /// The keys of its declaration in addition to `is` and `port`.
    public let settings: [FieldDescription]
    /// The actions that `do: peer.action` may name.
    public let actions: [PeerAction]
    /// The message with which it can probe a device for liveness; the response proves liveness.
    public var probe: String?
    /// The names of further protocols whose messages it can send on request.
    public var alsoSends: [String] = []
    /// The kinds of peers whose traffic it carries, such as the head unit of an accessory.
    public var carries: [PeerKind] = []
    /// The messages of its own protocol that a `send` step may name; `nil` for all of them.
    public var sends: [String]?
    /// Whether it calls the device, which listens for it, and does not listen itself.
    public var callsDevice = false

    /// The message that its script answers unless an entry names another one.
    ///
    /// It is `nil` if no script in its declaration determines what it sends.
    public var scriptMessage: String?
    /// The role of the program that plays it; `nil` if `conform` itself plays it.
    ///
    /// A program may speak any protocol.
    public var program: Program?

    /// Its relation to the air of a Bluetooth controller; `nil` if it has none.
    public var air: Air?
    /// The kind of device that it is a counterpart of, such as `sdl.app`.
    ///
    /// It is `nil` if its protocol alone determines that.
    public var deviceRole: String?

    /// The role of a peer's program.
    public enum Program: Sendable, Hashable {
        /// It is the counterpart itself, on a port of its own.
        case counterpart
        /// It is shown the trace and decides what is sent.
        case adapter
    }

    /// The role of a peer on the air.
    public enum Air: Sendable, Hashable {
        /// It is the device's controller; all peers on its air are reached through it.
        case controller
        /// It has no port of its own. It is on the air of the controller that its setting `air`
        /// names.
        case resident
    }

    /// Creates a kind of peer; see the properties.
    public init(
        name: String, summary: String, protocolName: String, defaultPort: UInt16,
        settings: [FieldDescription], actions: [PeerAction], probe: String? = nil,
        alsoSends: [String] = [], carries: [PeerKind] = [], sends: [String]? = nil,
        callsDevice: Bool = false, scriptMessage: String? = nil, program: Program? = nil,
        air: Air? = nil, deviceRole: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.protocolName = protocolName
        self.defaultPort = defaultPort
        self.settings = settings
        self.actions = actions
        self.probe = probe
        self.alsoSends = alsoSends
        self.carries = carries
        self.sends = sends
        self.callsDevice = callsDevice
        self.scriptMessage = scriptMessage
        self.program = program
        self.air = air
        self.deviceRole = deviceRole
    }

    /// Whether it has no port of its own, but is on the air of a Bluetooth controller.
    public var livesOnAir: Bool { air == .resident }

    /// Whether a script in its declaration determines what it sends.
    public var isScripted: Bool { scriptMessage != nil }

    /// Whether a program plays it, which may speak any protocol.
    public var runsProgram: Bool { program != nil }

    /// Its name.
    public var description: String { name }

    /// Returns whether the names are equal.
    public static func == (one: PeerKind, other: PeerKind) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Whether it exchanges datagrams, and has no connections.
    public var usesDatagrams: Bool { protocolName == "udp" }

    /// Whether it sends messages of its own on its connections; TCP's own events do not count.
    public var speaks: Bool { protocolName != "tcp" }

    /// Returns whether a `send` step can make it send a message of that name.
    public func canSend(_ message: String) -> Bool {
        if speaks, ([protocolName] + alsoSends).contains(where: { message.hasPrefix($0 + ".") }) {
            return sends?.contains(message) ?? true
        }
        return carries.contains { $0.canSend(message) }
    }

    /// Returns whether messages of that name may come from it, as far as their protocol is
    /// concerned.
    public func speaks(_ message: String) -> Bool {
        runsProgram
            || speaks && ([protocolName] + alsoSends).contains { message.hasPrefix($0 + ".") }
            || carries.contains { $0.speaks(message) }
    }
}

/// An action that a peer can be requested to perform.
public struct PeerAction: Sendable {
    /// The name after the peer's, such as `close`.
    public let name: String
    /// A one-sentence description of the effect.
    public let summary: String
    /// The type of its argument; `nil` if it has none.
    public let argument: FieldType?
    /// The message in the trace by which a later check finds the action; `nil` if there is none.
    public let evidence: String?
    /// Whether the argument may be left out.
    public var isArgumentOptional = false

    /// Creates an action; see the properties.
    public init(
        name: String, summary: String, argument: FieldType?, evidence: String?,
        isArgumentOptional: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.argument = argument
        self.evidence = evidence
        self.isArgumentOptional = isArgumentOptional
    }
}

extension PeerAction {
    /// Closes the connection in good order.
    public static let close = PeerAction(
        name: "close", summary: "Closes the device's connection in good order.", argument: nil,
        evidence: "tcp.FIN")

    /// Resets the connection.
    public static let reset = PeerAction(
        name: "reset", summary: "Resets the device's connection.", argument: nil,
        evidence: "tcp.RST")

    /// Returns the action that changes settings.
    public static func configure(_ settings: [FieldDescription]) -> PeerAction {
        PeerAction(
            name: "configure",
            summary: "Changes settings from now on; what has been sent stays as it was.",
            argument: .structure(name: "settings", fields: settings + [.answers]), evidence: nil)
    }
}
