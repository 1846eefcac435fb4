import PeerKit
import Wire

// Peer kinds that are played by programs.
extension PeerKind {
    static let process = PeerKind(
        name: "process",
        summary:
            "A real program as counterpart, in the network of the case, with link impairment.",
        protocolName: "tcp", defaultPort: 0,
        settings: programSettings + [
            FieldDescription("ready", .string(maxLength: nil))
        ],
        actions: [.close, .reset] + PeerAction.line, program: .counterpart)

    static let adapter = PeerKind(
        name: "adapter",
        summary: "A program of the suite's author that sees the trace and decides what is sent.",
        protocolName: "tcp", defaultPort: 0,
        settings: programSettings + [
            FieldDescription(
                "transport", .enumeration(name: "transport", values: ["tcp", "udp"])),
            FieldDescription("deadline", .duration),
        ],
        actions: [.close, .reset] + PeerAction.line, program: .adapter)

    private static let programSettings = [
        FieldDescription(
            "launch", .array(of: .string(maxLength: nil), count: 1...64), isMandatory: true),
        FieldDescription("env", .any),
    ]
}

extension PeerModule {
    /// The module for a program of others as counterpart.
    public static let process = PeerModule(.process) { declaration, _ in ProcessPeer(declaration) }
    /// The module for a program that is shown the trace and decides what is sent.
    public static let adapter = PeerModule(.adapter) { declaration, _ in AdapterPeer(declaration) }
}
