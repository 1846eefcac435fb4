import Wire

// Peers that are programs.
extension PeerKind {
    package static let process = PeerKind(
        name: "process",
        summary:
            "A real program as counterpart, in the network of the case, with a line before it.",
        protocolName: "tcp", defaultPort: 0,
        settings: programSettings + [
            FieldDescription("ready", .string(maxLength: nil))
        ],
        actions: [.close, .reset] + lineActions, runsProgram: true)

    package static let adapter = PeerKind(
        name: "adapter",
        summary: "A program of the suite's author that is shown the trace and says what is sent.",
        protocolName: "tcp", defaultPort: 0,
        settings: programSettings + [
            FieldDescription(
                "transport", .enumeration(name: "transport", values: ["tcp", "udp"])),
            FieldDescription("deadline", .duration),
        ],
        actions: [.close, .reset] + lineActions, runsProgram: true)

    private static let programSettings = [
        FieldDescription(
            launchSetting, .array(of: .string(maxLength: nil), count: 1...64), isMandatory: true),
        FieldDescription("env", .any),
    ]

    /// The setting with program and arguments, in which `${host}` and `${port}` stand for where the
    /// peer is.
    public static let launchSetting = "launch"

    /// The placeholders for the place of a program in the settings of its peer.
    static let programPlaceholders = ["host", "port", "home"]
}

extension PeerDeclaration {
    /// Whether it exchanges datagrams.
    public var isDatagram: Bool {
        PeerKind.named(kind)?.protocolName == "udp" || settings["transport"] == "udp"
    }

    /// Whether a program plays it.
    public var runsProgram: Bool { PeerKind.named(kind)?.runsProgram == true }
}
