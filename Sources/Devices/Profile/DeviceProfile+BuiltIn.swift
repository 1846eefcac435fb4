extension DeviceProfile {
    /// A profile of nothing but a command, in which the placeholders may be used.
    ///
    /// Such a device declares no feature and offers no control.
    public static func command(_ arguments: [String], role: String) -> DeviceProfile {
        DeviceProfile(
            name: arguments.first.map(lastComponent) ?? "", role: role, access: .launch(arguments))
    }

    /// Features of the reference app.
    public static let referenceAppFeatures: Set<String> = [
        "sdl.change-registration", "sdl.reconnect", "sdl.show-on-full", "sdl.resumption",
        "sdl.data-managers", "sdl.handlers", "sdl.resumption-delegate", "sdl.present-choices",
        "sdl.json-archive",
    ]

    /// The reference device for a role; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - role: The role of a suite, such as `sdl.app`.
    ///   - executable: The path of `conform-device`.
    ///   - mutant: The name of the mutant to run in place of the faultless device.
    public static func reference(
        role: String, executable: String, mutant: String?
    ) -> DeviceProfile? {
        guard role == "sdl.app" else { return nil }
        var arguments = [
            executable, "sdl-app", "--host", "${host}", "--port", "${port}", "--config",
            "${config}",
        ]
        if let mutant { arguments += ["--mutant", mutant] }
        let controls = ["background", "foreground", "managers", "present", "state", "stop"]
        return DeviceProfile(
            name: "conform-device sdl-app", role: role,
            access: .launch(arguments),
            // A crash must end the process at once; the signal says enough.
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            controls: Dictionary(uniqueKeysWithValues: controls.map { ($0, .request(method: $0)) }),
            features: referenceAppFeatures, liveness: .control)
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
