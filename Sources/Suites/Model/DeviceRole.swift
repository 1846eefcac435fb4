/// The kinds of devices that suites are for.
public enum DeviceRole {
    /// Every role that peers of `conform` are made for: the one list that a new role is added to.
    public static let all = [
        "sdl.app", "session.client", "sdl.head-unit", "profile.app",
        "profile.peripheral", "tcp.client", "tcp.server", "udp.client", "udp.server",
        "websocket.client", "websocket.server",
    ]

    /// Reports a role that looks like a slip of the pen, and warns of one that nothing knows.
    public static func check(_ role: String, at position: SourcePosition?, findings: Findings) {
        guard !all.contains(role) else { return }
        let what = "conform knows no device role \"\(role)\""
        if let closest = Suggestion.closest(to: role, in: all) {
            findings.report(
                "unknown-role", what, at: position, advice: "did you mean \"\(closest)\"?")
        } else {
            findings.warn(
                "unknown-role", what, at: position,
                advice:
                    "a device profile must say the same; known are \(all.joined(separator: ", "))")
        }
    }
}
