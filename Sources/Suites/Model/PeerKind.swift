import BuiltInProtocols
import SDL
import Wire

/// What a suite may say of a kind of peer: its settings and its actions.
public struct PeerKind: Sendable {
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
    /// The kinds of peers that speak inside of it, such as the head unit behind an accessory.
    public var carries: [String] = []
    /// The messages of its own protocol that a `send` step may name; `nil` for all of them.
    public var sends: [String]?
    /// Whether it calls the device, which listens for it, and does not listen itself.
    public var callsDevice = false

    /// Whether a script of its declaration says what it sends.
    public var isScripted = false
    /// Whether a program plays it, which may speak any protocol.
    public var runsProgram = false

    /// Whether it has no port of its own, but lives on the air of the Bluetooth controller that its
    /// setting `air` names.
    public var livesOnAir = false

    /// Whether it says something on its connections; the events of TCP itself are everyone's.
    public var speaks: Bool { protocolName != "tcp" }

    /// Whether a `send` step can make it send a message of that name.
    public func canSend(_ message: String) -> Bool {
        if speaks, ([protocolName] + alsoSends).contains(where: { message.hasPrefix($0 + ".") }) {
            return sends?.contains(message) ?? true
        }
        return carries.compactMap(PeerKind.named).contains { $0.canSend(message) }
    }

    /// Whether messages of that name may come from it, as far as their protocol goes.
    public func speaks(_ message: String) -> Bool {
        runsProgram
            || speaks && ([protocolName] + alsoSends).contains { message.hasPrefix($0 + ".") }
            || carries.compactMap(PeerKind.named).contains { $0.speaks(message) }
    }

    /// The kinds that can be recognised by what they say.
    public static var speaking: [PeerKind] { all.filter(\.speaks) }

    /// The kind of that name.
    public static func named(_ name: String) -> PeerKind? { all.first { $0.name == name } }
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
}

extension PeerAction {
    /// Ends the connection in good order.
    static let close = PeerAction(
        name: "close", summary: "Closes the device's connection in good order.", argument: nil,
        evidence: "tcp.FIN")

    /// Breaks the connection off.
    static let reset = PeerAction(
        name: "reset", summary: "Resets the device's connection.", argument: nil,
        evidence: "tcp.RST")

    /// Drops what a head unit keeps of apps.
    static let forgetApps = PeerAction(
        name: "forget", summary: "Drops what is kept of every app: no hash is known any more.",
        argument: nil, evidence: nil)

    /// Changes settings.
    static func configure(_ settings: [FieldDescription]) -> PeerAction {
        PeerAction(
            name: "configure",
            summary: "Changes settings from now on; what has been sent stays as it was.",
            argument: .structure(name: "settings", fields: settings), evidence: nil)
    }
}

extension PeerKind {
    /// Every kind of peer: the one list that a new peer is added to.
    public static let all: [PeerKind] = [
        headUnit, tcpServer, tcpClient, udpServer, udpClient, webSocketServer, webSocketClient,
        httpServer, httpClient,
        process, adapter,
        sessionServer, accessory, app, appReports, bluetoothController,
        gattPeripheral, gattCentral, bluetoothAccessory,
    ]

    static let headUnit = PeerKind(
        name: "sdl.head-unit",
        summary: "An SDL head unit that answers every request as a real one does.",
        protocolName: "sdl", defaultPort: 12345, settings: headUnitSettings,
        actions: [
            .close, .reset,
            PeerAction(
                name: "ignitionOff",
                summary: "Tells every app that the ignition goes off, then closes its connection.",
                argument: nil, evidence: "sdl.OnAppInterfaceUnregistered.notification"),
            .forgetApps,
            .configure(headUnitSettings),
        ] + lineActions, probe: "sdl.Heartbeat")

    private static let headUnitSettings: [FieldDescription] = [
        FieldDescription("protocol", .string(maxLength: nil)),
        FieldDescription("language", language),
        FieldDescription("hmiDisplayLanguage", language),
        FieldDescription(
            "hmiLevel", parameter("hmiLevel", of: "sdl.OnHMIStatus.notification")),
        FieldDescription("mtu", .integer(13...131_084)),
        FieldDescription("sessionId", .integer(1...255)),
        FieldDescription("hashId", .integer(nil)),
        FieldDescription("registerAppInterface", .any),
        FieldDescription("notifications", .boolean),
        FieldDescription("silent", .array(of: .string(maxLength: nil), count: nil)),
        FieldDescription("refuses", .array(of: .string(maxLength: nil), count: nil)),
        FieldDescription("keepsFiles", .boolean),
        FieldDescription("vehicle", vehicle),
        FieldDescription(
            "resumption", .enumeration(name: "resumption", values: ["accept", "refuse"])),
        FieldDescription(
            "hashChanges", .enumeration(name: "hashChanges", values: ["data", "all", "none"])),
        FieldDescription("checksRequests", .boolean),
    ]

    static let language = parameter(
        "language", of: "sdl.RegisterAppInterface.response")

    private static let vehicle = parameter(
        "vehicleType", of: "sdl.RegisterAppInterface.response")

    /// The type that a setting has because a message carries it.
    static func parameter(_ name: String, of message: String) -> FieldType {
        let path = FieldPath(components: [.name("params"), .name(name)])
        return ProtocolRegistry.builtIn.fieldType(of: path, inMessage: message) ?? .any
    }
}
