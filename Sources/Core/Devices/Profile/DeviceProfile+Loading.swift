import SuiteLanguage
import TCPIP
import Wire

extension DeviceProfile {
    /// Reads a profile file (YAML).
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roles: Roles of suites, which are not misspelt; `nil` if the suites are not known yet,
    ///     and no role is checked.
    /// - Throws: All errors in it, each with its position.
    public static func load(path: String, roles: [String]? = nil) throws(InvalidInput)
        -> DeviceProfile
    {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return try read(try YAMLNode.load(path: path), folder: folder, roles: roles)
    }

    /// Parses the text of a profile; `file` is the name in positions.
    static func parse(text: String, file: String, roles: [String] = []) throws(InvalidInput)
        -> DeviceProfile
    {
        try read(try YAMLNode.parse(text: text, file: file), folder: "", roles: roles)
    }

    private static func read(
        _ node: YAMLNode, folder: String, roles: [String]?
    ) throws(InvalidInput) -> DeviceProfile {
        let findings = Findings()
        if let other = FileKind.profile.refusal(of: node) { throw InvalidInput([other]) }
        var profile: DeviceProfile?
        if var reader = ProfileReader(node, folder: folder, roles: roles, findings: findings) {
            profile = reader.profile()
        }
        try findings.throwErrors()
        guard let profile else { throw InvalidInput(findings.diagnostics) }
        return profile
    }
}

/// Reads the mapping that is a device profile.
private struct ProfileReader {
    /// The smallest limit of memory in bytes.
    ///
    /// Below it the system may kill a correct program before its first instruction.
    private static let memoryMin = 16 << 20

    private var keys: YAMLMappingReader
    private let folder: String
    private let roles: [String]?
    private let findings: Findings

    init?(_ node: YAMLNode, folder: String, roles: [String]?, findings: Findings) {
        guard let keys = YAMLMappingReader(node, as: ProfileVocabulary.profile, findings: findings)
        else { return nil }
        self.keys = keys
        self.folder = folder
        self.roles = roles
        self.findings = findings
    }

    mutating func profile() -> DeviceProfile? {
        if keys.has("conform"), !FileVersion.check(&keys, key: "conform") { return nil }
        let name = required("name")
        let role = required("role")
        if let role, let roles {
            DeviceRole.check(
                role, known: roles, at: keys.node("role")?.position, findings: findings)
        }
        var profile = DeviceProfile(
            name: name ?? "", version: keys.text("version") ?? "", role: role ?? "",
            access: access() ?? .launch([]))
        profile.environment = keys.environment()
        profile.workingDirectory = keys.workingDirectory(in: folder)
        readReadiness(into: &profile)
        profile.controls = keys.controls(isLaunched: profile.attachment == nil)
        profile.features = features()
        profile.parameters = keys.mapping("parameters").map(Self.object) ?? profile.parameters
        profile.stop = keys.stop()
        profile.limits = limits()
        profile.files = files()
        profile.exit = keys.word("exit") ?? profile.exit
        profile.liveness = keys.word("liveness") ?? profile.liveness
        profile.companions = keys.companions(isLaunched: profile.attachment == nil, in: folder)
        profile.capture = keys.capture(isLaunched: profile.attachment == nil)
        checkAttachment(of: profile)
        let configuration = keys.word(
            "configuration", of: ProfileVocabulary.configurations)
        profile.takesConfiguration = configuration != ProfileVocabulary.configurations.last
        profile.hasKeyLog = keys.boolean("keyLog") ?? false
        if profile.hasKeyLog, profile.attachment != nil {
            findings.report(
                "bad-value", "the files of an attached device are not visible",
                at: keys.node("keyLog")?.position, advice: "judge its capture with --keylog FILE")
        }
        profile.timeScaling = keys.word("timeScale") ?? profile.timeScaling
        keys.finish()
        return profile
    }

    private mutating func required(_ key: String) -> String? {
        keys.require(key)
        return keys.text(key)
    }

    // MARK: - Access

    private mutating func access() -> DeviceProfile.Access? {
        switch (keys.entry("launch"), keys.entry("attach")) {
        case (.some, nil):
            return keys.command("launch").map(DeviceProfile.Access.launch)
        case (nil, .some):
            return attachment()
        case (nil, nil):
            findings.report(
                "missing-key", "this device profile has no \"launch\"", at: keys.position,
                advice: "write launch: [PROGRAM, ARGUMENT, ...], or attach for a running device")
        case (.some, .some(let attach)):
            findings.report(
                "bad-value", "a device is either launched or attached", at: attach.keyPosition,
                advice: "remove \"launch\" or \"attach\"")
        }
        return nil
    }

    private mutating func attachment() -> DeviceProfile.Access? {
        guard var reader = keys.reader("attach", as: ProfileVocabulary.attachment) else {
            return nil
        }
        reader.require("address")
        reader.require("interface")
        let address = reader.text("address")
        if let address, IPAddress(address) == nil {
            findings.report(
                "bad-value", "\"\(address)\" is not an IP address",
                at: reader.node("address")?.position, advice: "write a number, such as 10.0.0.7")
        }
        let interface = reader.text("interface")
        let before = (reader.texts("before") ?? []).map(\.text)
        let after = (reader.texts("after") ?? []).map(\.text)
        reader.finish()
        guard let address, let interface else { return nil }
        return .attach(
            DeviceProfile.Attachment(
                address: address, interface: interface, before: before, after: after))
    }

    /// Reports settings that an attached device cannot have, and controls that do not exist.
    private mutating func checkAttachment(of profile: DeviceProfile) {
        guard let attachment = profile.attachment, let position = keys.node("attach")?.position
        else { return }
        for name in attachment.before + attachment.after where profile.controls[name] == nil {
            findings.report(
                "bad-value", "there is no control \"\(name)\"", at: position,
                advice: Suggestion.advice(for: name, in: profile.controls.keys.sorted()))
        }
        if profile.liveness == .control, profile.controls[AttachedDevice.pingControl] == nil {
            findings.report(
                "bad-value", "liveness: control needs a control \"ping\" of an attached device",
                at: keys.node("liveness")?.position ?? position)
        }
        switch profile.readiness {
        case .stdoutLine, .portOpen:
            findings.report(
                "bad-value", "what an attached device prints and where it listens is not visible",
                at: keys.node("ready")?.position ?? position,
                advice: "let the last control of \"before\" end when the device is ready")
        case .none, .firstPacket: break
        }
    }

    // MARK: - Readiness, features

    private mutating func readReadiness(into profile: inout DeviceProfile) {
        let isAttached = profile.attachment != nil
        if isAttached { profile.readyTimeout = DeviceProfile.attachedTimeout }
        // For an attached device a time without a sign is allowed.
        guard let ready = keys.readiness(mayHaveTimeAlone: isAttached) else { return }
        profile.readiness = ready.sign
        profile.readyTimeout = ready.timeout ?? profile.readyTimeout
    }

    private mutating func features() -> Set<String> {
        Set((keys.texts("features") ?? []).map(\.text))
    }

    // MARK: - Limits and files

    private mutating func limits() -> DeviceProfile.Limits {
        var limits = DeviceProfile.Limits()
        guard var reader = keys.reader("limits", as: ProfileVocabulary.limits) else {
            return limits
        }
        if let duration = reader.duration("cpu") {
            if duration < .seconds(1) {
                findings.report(
                    "bad-value", "\"cpu\" is at least 1s, not \(duration.suiteText)",
                    at: reader.node("cpu")?.position)
            }
            limits.cpuSeconds = max(1, Int(clamping: duration.components.seconds))
        }
        limits.memory = reader.bytes("memory") ?? limits.memory
        if let memory = limits.memory, memory < Self.memoryMin {
            findings.report(
                "bad-value", "\"memory\" is at least \(Self.memoryMin >> 20)MiB",
                at: reader.node("memory")?.position,
                advice: "with less, programs are killed before they begin")
        }
        limits.processes =
            reader.integer("processes", in: 1...1_000_000).map { Int(clamping: $0) }
            ?? limits.processes
        limits.output = reader.bytes("output") ?? limits.output
        limits.fileSize = reader.bytes("fileSize") ?? limits.fileSize
        limits.capture = reader.bytes("capture") ?? limits.capture
        limits.openFiles =
            reader.integer("openFiles", in: 4...1_000_000).map { Int(clamping: $0) }
            ?? limits.openFiles
        reader.finish()
        return limits
    }

    private mutating func files() -> DeviceProfile.Files {
        var files = DeviceProfile.Files()
        guard var reader = keys.reader("files", as: ProfileVocabulary.files) else { return files }
        func paths(_ texts: [(text: String, position: SourcePosition)]?) -> [String] {
            (texts ?? []).map { $0.text.hasPrefix("/") ? $0.text : folder + $0.text }
        }
        files.read = paths(reader.texts("read"))
        files.write = paths(reader.texts("write"))
        reader.finish()
        return files
    }

    private static func object(_ entries: [YAMLNode.Entry]) -> Value {
        .object(entries.map { Value.Member($0.key, $0.value.value) })
    }
}
