extension DeviceProfile {
    /// Creates a profile from a command alone, in which placeholders may be used.
    ///
    /// Such a device declares no feature and offers no control.
    public static func command(_ arguments: [String], role: String) -> DeviceProfile {
        DeviceProfile(
            name: arguments.first.map(lastComponent) ?? "", role: role, access: .launch(arguments))
    }

    /// One kind of the reference device: the same program with another first argument.
    private struct ReferenceKind {
        /// The role that it plays in suites.
        let role: String
        /// The name of the kind in `conform-device`.
        let name: String
        let features: Set<String>
        let controls: [String]
        /// Whether peers connect to it, so that it listens.
        var listens = false
        /// Arguments in addition to those that every kind has.
        var arguments: [String] = []
    }

    /// The kinds of the reference device: a new kind is added only here.
    private static let referenceKinds = [
        ReferenceKind(
            role: "sdl.app", name: "sdl-app",
            features: [
                "sdl.change-registration", "sdl.heartbeat", "sdl.reconnect", "sdl.show-on-full",
                "sdl.resumption", "sdl.language-change", "sdl.names",
                "sdl.data-managers", "sdl.handlers", "sdl.resumption-delegate",
                "sdl.set-managers", "sdl.present-choices", "sdl.json-archive", "sdl.iap",
                "sdl.iap-system-version", "sdl.iap-retry-limit", "sdl.iap-timeouts",
            ],
            controls: [
                "background", "foreground", "managers", "present", "startApp", "state", "stop",
            ]),
        ReferenceKind(
            role: "session.client", name: "session-client",
            features: [
                "session.reconnect", "session.reset-choice", "session.resume", "session.ping",
                "session.lifecycle",
            ],
            controls: ["background", "foreground", "state", "stop"]),
        ReferenceKind(
            role: "sdl.head-unit", name: "head-unit",
            features: [
                "head-unit.tcp", "head-unit.multisession", "head-unit.hub",
                "head-unit.legacy", "head-unit.heartbeat", "head-unit.activation",
                "head-unit.resumption", "head-unit.ignition", "head-unit.language",
            ],
            controls: ["activate", "language", "state", "stop"], listens: true),
        ReferenceKind(
            role: "profile.app", name: "profile-app",
            features: [
                "profile.reports", "profile.manual", "profile.monitor", "profile.retrieve",
                "profile.gatt", "profile.iap", "profile.bus", "profile.active-scan",
            ],
            controls: [
                "scan", "stopScan", "retrieve", "monitor", "stopMonitoring", "instantiate", "make",
                "activate", "deactivate", "send", "system.connect", "system.disconnect", "state",
                "stop",
            ],
            arguments: [
                "--report", "${report.host}:${report.port}", "--bus", "${bus.host}:${bus.port}",
            ]),
        ReferenceKind(
            role: "profile.peripheral", name: "profile-peripheral",
            features: ["peripheral.notify"], controls: ["notify", "state", "stop"]),
    ]

    /// Returns the reference device for a role; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - role: The role of a suite, such as `sdl.app`.
    ///   - executable: The path of `conform-device`.
    ///   - mutant: The name of the mutant to run instead of the faultless device.
    public static func reference(
        role: String, executable: String, mutant: String?
    ) -> DeviceProfile? {
        guard let kind = referenceKinds.first(where: { $0.role == role }) else { return nil }
        let place = kind.listens ? "device." : ""
        var arguments =
            [
                executable, kind.name, "--host", "${\(place)host}", "--port", "${\(place)port}",
                "--config", "${config}",
            ] + kind.arguments
        if let mutant { arguments += ["--mutant", mutant] }
        let controls = kind.controls.map { ($0, Control.request(method: $0)) }
        var profile = DeviceProfile(
            name: "conform-device \(kind.name)", role: role, access: .launch(arguments),
            // A crash must end the process at once; the signal is information enough.
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            controls: Dictionary(uniqueKeysWithValues: controls), features: kind.features,
            liveness: .control)
        profile.timeScaling = .env
        return profile
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
