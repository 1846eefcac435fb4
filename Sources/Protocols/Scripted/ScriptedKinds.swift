import PeerKit
import SuiteLanguage
import Wire

// Peer kinds without a protocol of their own: their script says what they send.
extension PeerKind {
    /// The settings of both ends of TCP; the suite alone defines for all cases how a stream is cut.
    private static let tcpSettings = [
        FieldDescription(PeerDeclaration.streamSetting, .any), speaks,
    ]

    /// The protocol of the suite that the peer uses.
    private static let speaks = FieldDescription(
        PeerDeclaration.protocolSetting, .string(maxLength: nil))

    static let tcpServer = PeerKind(
        name: "tcp.server",
        summary: "A TCP server that accepts connections and answers by its table of answers.",
        protocolName: "tcp", defaultPort: 0, settings: tcpSettings,
        actions: [.close, .reset] + PeerAction.line,
        scriptMessage: "tcp.data", deviceRole: "tcp.client")

    static let tcpClient = PeerKind(
        name: "tcp.client",
        summary: "A TCP client that connects to the device and answers by its table of answers.",
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
        summary: "A host that receives the device's datagrams, also by broadcast and multicast.",
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
                name: "connect", summary: "Sends its greeting from another local port.",
                argument: nil, evidence: "udp.datagram")
        ] + datagramActions(["delay"]), callsDevice: true, scriptMessage: "udp.datagram",
        deviceRole: "udp.server")

    static let webSocketServer = PeerKind(
        name: "websocket.server",
        summary: "A WebSocket server on any path that answers by its table of answers.",
        protocolName: "websocket", defaultPort: 80, settings: webSocketSettings,
        actions: [.close, .reset] + PeerAction.line, sends: webSocketSends,
        scriptMessage: "websocket.text", deviceRole: "websocket.client")

    static let webSocketClient = PeerKind(
        name: "websocket.client",
        summary: "A WebSocket client that connects to the device and answers by its table.",
        protocolName: "websocket", defaultPort: 80, settings: webSocketSettings,
        actions: [
            PeerAction(
                name: "connect", summary: "Opens another connection and requests a WebSocket.",
                argument: nil, evidence: "tcp.SYN"),
            .close, .reset,
        ] + PeerAction.callerLine, sends: webSocketSends, callsDevice: true,
        scriptMessage: "websocket.text", deviceRole: "websocket.server")

    static let httpServer = PeerKind(
        name: "http.server",
        summary: "An HTTP server that responds by its table of answers.",
        protocolName: "http", defaultPort: 80, settings: [],
        actions: [.close, .reset] + PeerAction.line, sends: ["http.response"],
        scriptMessage: "http.request", deviceRole: "http.client")

    static let httpClient = PeerKind(
        name: "http.client",
        summary: "An HTTP client that connects to the device; its greeting contains its requests.",
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

    private static let webSocketSends = OutgoingFrame.sendable.keys.sorted()

    /// Returns the named faults of the link, and those of a network that loses packets.
    private static func datagramActions(_ names: [String]) -> [PeerAction] {
        PeerAction.line.filter { names.contains($0.name) } + PeerAction.packets
    }
}

extension PeerModule {
    /// The module for a TCP server.
    public static let tcpServer = scripted(.tcpServer)
    /// The module for a TCP client.
    public static let tcpClient = scripted(.tcpClient)
    /// The module for a host that receives datagrams.
    public static let udpServer = scripted(.udpServer)
    /// The module for a host that sends datagrams.
    public static let udpClient = scripted(.udpClient)
    /// The module for an HTTP server.
    public static let httpServer = scripted(.httpServer)
    /// The module for an HTTP client.
    public static let httpClient = scripted(.httpClient)
    /// The module for a WebSocket server.
    public static let webSocketServer = webSocket(.webSocketServer)
    /// The module for a WebSocket client.
    public static let webSocketClient = webSocket(.webSocketClient)

    /// Returns the module of a kind whose script says what it sends.
    package static func scripted(_ kind: PeerKind) -> PeerModule {
        PeerModule(kind) { declaration, _ throws(PeerError) in try ScriptedPeer(declaration) }
    }

    private static func webSocket(_ kind: PeerKind) -> PeerModule {
        PeerModule(kind) { declaration, _ throws(PeerError) in try WebSocketPeer(declaration) }
    }
}
