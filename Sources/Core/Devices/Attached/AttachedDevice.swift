import SuiteLanguage
import System
import Wire

/// A device that already runs, on another machine.
///
/// `conform` neither launches it nor sees its process. Controls bring it to its starting point
/// before a case and clean up after it.
public final class AttachedDevice: CaseDevice {
    /// The phases of a case.
    private enum Phase {
        /// Controls still to be carried out before the case.
        ///
        /// The first is being carried out if `current` is set.
        case preparing([String])
        case running
        /// Controls still to be carried out after the case.
        case leaving([String])
        case left
    }

    /// The name of the control that serves as liveness probe.
    static let pingControl = "ping"

    private let profile: DeviceProfile
    private let log: DeviceLog
    private let runner: ControlRunner
    private var phase: Phase
    /// The control before or after the case that is being carried out.
    private var current: Int64?
    private var lastId: Int64 = 0
    /// The case's `given.device`.
    public let configuration: Value
    /// `nil`: its files are not visible.
    public var keyLog: DeviceKeyLog? { nil }
    /// What went wrong after the case.
    public private(set) var remarks: [String] = []

    /// Prepares the controls; nothing is done to the device yet.
    ///
    /// - Parameters:
    ///   - profile: The device's profile, with `attach`.
    ///   - variables: Values of the placeholders.
    ///   - configuration: The case's `given.device`, for the controls that configure the device.
    ///   - folder: An empty folder for the file with the configuration.
    ///   - place: The log of what is done to the device; `nil` to keep none.
    public init(
        profile: DeviceProfile, variables: [String: String], configuration: Value,
        home folder: String, log place: HeldFile? = nil
    ) throws(DeviceError) {
        let home = try DeviceHome(in: folder, configuration: configuration)
        var values = variables
        values["home"] = home.home
        values["config"] = home.configurationFile
        values["configuration"] = configuration.jsonText()
        values["\(Step.device).host"] = profile.attachment?.address
        let placeholders = Placeholders(values: values)
        let log = try DeviceLog(place: place, limit: profile.limits.output)
        // The programs of controls belong to the user, and have all rights of the user.
        var environment = UserEnvironment.variables
        environment["CONFORM_CONFIG_FILE"] = home.configurationFile
        if !home.leavesVariableOut { environment["CONFORM_CONFIG"] = configuration.jsonText() }
        for (name, text) in profile.environment {
            environment[name] = try placeholders.fill(text, in: "env \(name)")
        }
        let directory = try profile.workingDirectory.map { path throws(DeviceError) in
            try placeholders.fill(path, in: "cwd")
        }
        self.profile = profile
        self.configuration = configuration
        self.log = log
        runner = ControlRunner(
            log: log, placeholders: placeholders, person: profile.person
        ) { words, variables in
            let own = environment.merging(variables) { $1 }
            return Launch(
                arguments: words, environment: own.map { "\($0)=\($1)" }.sorted(),
                workingDirectory: directory, limits: .none, isConfined: false)
        }
        phase = .preparing(profile.attachment?.before ?? [])
        log.record("attached: \(profile.name) at \(profile.attachment?.address ?? "")")
    }

    /// Always `nil`: its process is not on this machine.
    public var processIdentifier: Int32? { nil }
    /// Always false: no process of it runs on this machine.
    public var hasRemains: Bool { false }
    /// Always true, because its end cannot be observed.
    public var isAlive: Bool { true }
    /// Always `nil`, because its end cannot be observed.
    public var crash: DeviceExit? { nil }
    /// Always false, because that cannot be observed.
    public var isSuspended: Bool { false }
    /// The last lines that controls have printed.
    public var lastLines: [String] { log.lastLines }
    /// Whether the controls before the case have been carried out.
    public var isReady: Bool {
        if case .preparing = phase { false } else { true }
    }

    /// Whether the device may send packets, because the last control before the case has begun.
    public var mayCome: Bool {
        if case .preparing(let names) = phase { names.count == 1 && current != nil } else { true }
    }

    /// Whether the controls after the case have been carried out.
    public var isStopped: Bool { if case .left = phase { true } else { false } }

    /// The descriptors to poll for input.
    public var pollDescriptors: [Int32] { runner.pollDescriptors }

    /// Time until `advance` has something to do.
    public var nextDeadline: Duration? {
        switch phase {
        case .preparing where current == nil, .leaving where current == nil: .zero
        default: runner.nextDeadline
        }
    }

    /// Handles one descriptor that is ready.
    public func handle(_ descriptor: Int32) -> [DeviceNotice] {
        reported(runner.handle(descriptor))
    }

    /// Does what is due by now.
    public func advance() -> [DeviceNotice] {
        reported(runner.advance()) + proceed()
    }

    /// Does nothing: the device is ready when its controls are done.
    public func recordPacket() -> [DeviceNotice] { [] }

    /// Carries out an action of a step, by the control of that name.
    public func perform(_ action: String, arguments: Value) throws(DeviceError) {
        _ = try perform(control: action, arguments: arguments)
    }

    /// Sends a liveness probe by the control `ping`.
    public func ping() throws(DeviceError) -> Int64 {
        try perform(control: Self.pingControl, arguments: .null)
    }

    /// Begins the controls after the case.
    public func stop() {
        guard !isStopped else { return }
        current = nil
        runner.close()
        phase = .leaving(profile.attachment?.after ?? [])
    }

    private func perform(control name: String, arguments: Value) throws(DeviceError) -> Int64 {
        guard let control = profile.controls[name] else {
            throw DeviceError(
                .noSuchControl, "\(profile.name) has no control \"\(name)\"",
                advice: Suggestion.advice(for: name, in: profile.controls.keys.sorted()))
        }
        lastId += 1
        try runner.perform(name, control, arguments: arguments, id: lastId)
        return lastId
    }

    /// Removes the answers of the controls before and after the case from the notices.
    private func reported(_ notices: [DeviceNotice]) -> [DeviceNotice] {
        notices.flatMap { notice -> [DeviceNotice] in
            guard case .controlAnswered(let id, let result) = notice, id == current else {
                return [notice]
            }
            current = nil
            switch (phase, result) {
            case (.preparing(let names), .success): phase = .preparing(Array(names.dropFirst()))
            case (.preparing, .failure(let error)): return [.notReady(error)]
            case (.leaving(let names), .success): phase = .leaving(Array(names.dropFirst()))
            case (.leaving(let names), .failure(let error)): leave(out: names, error)
            default: break
            }
            return []
        }
    }

    private func leave(out names: [String], _ error: DeviceError) {
        remarks.append("after the case: \(error)")
        phase = .leaving(Array(names.dropFirst()))
    }

    /// Begins the next control before or after the case, or enters the next phase.
    private func proceed() -> [DeviceNotice] {
        guard current == nil else { return [] }
        switch phase {
        case .running, .left: return []
        case .preparing(let names):
            guard let next = names.first else {
                phase = .running
                log.record("ready")
                return [.ready]
            }
            do throws(DeviceError) {
                current = try perform(control: next, arguments: .null)
            } catch {
                return [.notReady(error)]
            }
        case .leaving(let names):
            guard let next = names.first else {
                phase = .left
                log.finish()
                return []
            }
            do throws(DeviceError) {
                current = try perform(control: next, arguments: .null)
            } catch {
                leave(out: names, error)
            }
        }
        return []
    }
}

extension DeviceProfile.Limits {
    /// No limits.
    static let none = {
        var limits = DeviceProfile.Limits()
        (limits.cpuSeconds, limits.processes, limits.fileSize, limits.openFiles) = (
            nil, nil, nil, nil
        )
        return limits
    }()
}
