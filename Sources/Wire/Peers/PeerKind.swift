/// What a suite may say of a kind of peer: its settings and its actions.
///
/// Kinds are equal if their names are.
public struct PeerKind: Sendable, Hashable, CustomStringConvertible {
    /// The name after `is:`, such as `sdl.head-unit`.
    public let name: String
    /// One sentence of what it plays.
    public let summary: String
    /// The protocol that it speaks.
    public let protocolName: String
    /// The port, of TCP or of UDP, on which it waits, or which it calls, unless the suite says otherwise; 0 if any
    /// will do.
    public let defaultPort: UInt16
    /// Keys of its declaration beside `is` and `port`.
    public let settings: [FieldDescription]
    /// What `do: peer.action` may name.
    public let actions: [PeerAction]
    /// The message by which it can ask a device for a sign of life; its response is the sign.
    public var probe: String?
    /// Names of further protocols whose messages it can be told to send.
    public var alsoSends: [String] = []
    /// The kinds of peers that speak inside of it, such as the head unit of an accessory.
    public var carries: [PeerKind] = []
    /// The messages of its own protocol that a `send` step may name; `nil` for all of them.
    public var sends: [String]?
    /// Whether it calls the device, which listens for it, and does not listen itself.
    public var callsDevice = false

    /// The message that its script answers unless an entry names another one; `nil` if no script of
    /// its declaration says what it sends.
    public var scriptMessage: String?
    /// The program that plays it, which may speak any protocol; `nil` if `conform` does.
    public var program: Program?

    /// What it has to do with the air of a Bluetooth controller; `nil` if nothing.
    public var air: Air?
    /// The kind of device that it is a counterpart of, such as `sdl.app`; `nil` if that is said by
    /// its protocol alone.
    public var deviceRole: String?

    /// What the program of a peer does.
    public enum Program: Sendable, Hashable {
        /// It is the counterpart itself, on a port of its own.
        case counterpart
        /// It is shown the trace and says what is sent.
        case adapter
    }

    /// The part of a peer on the air.
    public enum Air: Sendable, Hashable {
        /// It is the device's controller: all peers that live on its air are reached by it.
        case controller
        /// It has no port of its own, but lives on the air of the controller that its setting `air`
        /// names.
        case resident
    }

    /// Makes a kind of peer; see the properties.
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

    /// Whether it has no port of its own, but lives on the air of a Bluetooth controller.
    public var livesOnAir: Bool { air == .resident }

    /// Whether a script of its declaration says what it sends.
    public var isScripted: Bool { scriptMessage != nil }

    /// Whether a program plays it, which may speak any protocol.
    public var runsProgram: Bool { program != nil }

    /// Its name.
    public var description: String { name }

    /// Whether the names are equal.
    public static func == (one: PeerKind, other: PeerKind) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Whether it exchanges datagrams, and has no connections.
    public var usesDatagrams: Bool { protocolName == "udp" }

    /// Whether it says something on its connections; the events of TCP itself are everyone's.
    public var speaks: Bool { protocolName != "tcp" }

    /// Whether a `send` step can make it send a message of that name.
    public func canSend(_ message: String) -> Bool {
        if speaks, ([protocolName] + alsoSends).contains(where: { message.hasPrefix($0 + ".") }) {
            return sends?.contains(message) ?? true
        }
        return carries.contains { $0.canSend(message) }
    }

    /// Whether messages of that name may come from it, as far as their protocol goes.
    public func speaks(_ message: String) -> Bool {
        runsProgram
            || speaks && ([protocolName] + alsoSends).contains { message.hasPrefix($0 + ".") }
            || carries.contains { $0.speaks(message) }
    }
}

/// Something that a peer can be told to do.
public struct PeerAction: Sendable {
    /// The name after the peer's, such as `close`.
    public let name: String
    /// One sentence of what happens.
    public let summary: String
    /// What it takes; `nil` if nothing.
    public let argument: FieldType?
    /// The message that it leaves in the trace, by which a later check finds it; `nil` if none.
    public let evidence: String?
    /// Whether what it takes may be left out.
    public var isArgumentOptional = false

    /// Makes an action; see the properties.
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
    /// Ends the connection in good order.
    public static let close = PeerAction(
        name: "close", summary: "Closes the device's connection in good order.", argument: nil,
        evidence: "tcp.FIN")

    /// Breaks the connection off.
    public static let reset = PeerAction(
        name: "reset", summary: "Resets the device's connection.", argument: nil,
        evidence: "tcp.RST")

    /// Changes settings.
    public static func configure(_ settings: [FieldDescription]) -> PeerAction {
        PeerAction(
            name: "configure",
            summary: "Changes settings from now on; what has been sent stays as it was.",
            argument: .structure(name: "settings", fields: settings), evidence: nil)
    }
}
