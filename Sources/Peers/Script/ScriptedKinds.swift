import Suites
import Wire

// Peers without a protocol of their own: what they say is said by their script.
extension PeerKind {
    /// What both ends of TCP have; how a stream is cut the suite alone says, for all cases.
    private static let tcpSettings = [
        FieldDescription(PeerDeclaration.streamSetting, .any), speaks,
    ]

    /// The protocol of the suite that it speaks.
    private static let speaks = FieldDescription(
        PeerDeclaration.protocolSetting, .string(maxLength: nil))

    static let tcpServer = PeerKind(
        name: "tcp.server",
        summary: "A TCP server that accepts connections; what it says is in its table of answers.",
        protocolName: "tcp", defaultPort: 0, settings: tcpSettings,
        actions: [.close, .reset] + PeerAction.line,
        scriptMessage: "tcp.data", deviceRole: "tcp.client")

    static let tcpClient = PeerKind(
        name: "tcp.client",
        summary: "A TCP client that calls the device; what it says is in its table of answers.",
        protocolName: "tcp", defaultPort: 0, settings: tcpSettings,
        actions: [
            PeerAction(
                name: "connect", summary: "Opens another connection to the device.",
                argument: nil, evidence: "tcp.SYN"),
            .close, .reset,
        ] + PeerAction.callerLine, callsDevice: true, scriptMessage: "tcp.data",
        deviceRole: "tcp.server")

    static let udpServer = PeerKind(
        name: "udp.server",
        summary: "A host that takes the device's datagrams, also those to all and to its group.",
        protocolName: "udp", defaultPort: 0,
        settings: [FieldDescription("group", .string(maxLength: nil)), speaks],
        actions: datagramActions(["refuse", "listen", "downFor", "blackHole", "delay"]),
        scriptMessage: "udp.datagram", deviceRole: "udp.client")

    static let udpClient = PeerKind(
        name: "udp.client",
        summary: "A host that sends datagrams to the port of the device.",
        protocolName: "udp", defaultPort: 0, settings: [speaks],
        actions: [
            PeerAction(
                name: "connect", summary: "Sends its greeting from another port of its own.",
                argument: nil, evidence: "udp.datagram")
        ] + datagramActions(["delay"]), callsDevice: true, scriptMessage: "udp.datagram",
        deviceRole: "udp.server")

    static let webSocketServer = PeerKind(
        name: "websocket.server",
        summary: "A WebSocket server on any path; what it says is in its table of answers.",
        protocolName: "websocket", defaultPort: 80, settings: webSocketSettings,
        actions: [.close, .reset] + PeerAction.line, sends: webSocketSends,
        scriptMessage: "websocket.text", deviceRole: "websocket.client")

    static let webSocketClient = PeerKind(
        name: "websocket.client",
        summary: "A WebSocket client that calls the device; what it says is in its table.",
        protocolName: "websocket", defaultPort: 80, settings: webSocketSettings,
        actions: [
            PeerAction(
                name: "connect", summary: "Opens another connection and asks for a WebSocket.",
                argument: nil, evidence: "tcp.SYN"),
            .close, .reset,
        ] + PeerAction.callerLine, sends: webSocketSends, callsDevice: true,
        scriptMessage: "websocket.text", deviceRole: "websocket.server")

    static let httpServer = PeerKind(
        name: "http.server",
        summary: "An HTTP server; what it responds is in its table of answers.",
        protocolName: "http", defaultPort: 80, settings: [],
        actions: [.close, .reset] + PeerAction.line, sends: ["http.response"],
        scriptMessage: "http.request", deviceRole: "http.client")

    static let httpClient = PeerKind(
        name: "http.client",
        summary: "An HTTP client that calls the device; what it asks for is in its greeting.",
        protocolName: "http", defaultPort: 80, settings: [],
        actions: [
            PeerAction(
                name: "connect", summary: "Opens another connection and sends its greeting.",
                argument: nil, evidence: "tcp.SYN"),
            .close, .reset,
        ] + PeerAction.callerLine, sends: ["http.request"], callsDevice: true,
        scriptMessage: "http.response", deviceRole: "http.server")

    private static let webSocketSettings = [
        FieldDescription("path", .string(maxLength: nil)),
        FieldDescription("subprotocols", .array(of: .string(maxLength: nil), count: nil)),
    ]

    private static let webSocketSends = ["text", "binary", "close", "ping", "pong"].map {
        "websocket.\($0)"
    }

    /// Those faults of the line, and those of a network that loses packets.
    private static func datagramActions(_ names: [String]) -> [PeerAction] {
        PeerAction.line.filter { names.contains($0.name) } + PeerAction.packets
    }
}

extension PeerModule {
    /// A TCP server.
    public static let tcpServer = scripted(.tcpServer)
    /// A TCP client.
    public static let tcpClient = scripted(.tcpClient)
    /// A host that takes datagrams.
    public static let udpServer = scripted(.udpServer)
    /// A host that sends datagrams.
    public static let udpClient = scripted(.udpClient)
    /// An HTTP server.
    public static let httpServer = scripted(.httpServer)
    /// An HTTP client.
    public static let httpClient = scripted(.httpClient)
    /// A WebSocket server.
    public static let webSocketServer = webSocket(.webSocketServer)
    /// A WebSocket client.
    public static let webSocketClient = webSocket(.webSocketClient)

    static func scripted(_ kind: PeerKind) -> PeerModule {
        PeerModule(kind) { declaration, _ throws(PeerError) in try ScriptedPeer(declaration) }
    }

    private static func webSocket(_ kind: PeerKind) -> PeerModule {
        PeerModule(kind) { declaration, _ throws(PeerError) in try WebSocketPeer(declaration) }
    }
}
