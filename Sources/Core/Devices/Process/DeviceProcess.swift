import Glibc
import System
import Wire

/// A launched device: its process, output, controls and end.
///
/// One thread polls `pollDescriptors` for input, passes each ready one to `handle`, and calls
/// `advance` once `nextDeadline` has passed. None of these blocks. The process and everything in
/// its session are killed with the last reference to this object.
public final class DeviceProcess {
    /// The steps of ending a device.
    private enum Phase {
        case running
        /// The stop signal has been sent; the remaining processes are killed at `killAt`.
        case stopping(killAt: ContinuousClock.Instant)
        case killed
        /// No process is left.
        case stopped
    }

    /// How often to look for an open port and to retry a write to a full pipe.
    private static let retryInterval: Duration = .milliseconds(20)

    /// Whether the device is ready, as defined by its profile.
    public private(set) var isReady = false
    /// Whether `stop` is done, so that no process of the device is left.
    public var isStopped: Bool { if case .stopped = phase { true } else { false } }

    let profile: DeviceProfile
    let log: DeviceLog
    /// The keys that it writes; `nil` unless its profile says that it does.
    let keyLog: DeviceKeyLog?
    var channel: ControlChannel
    /// Carries out the controls that do not use its standard input.
    let runner: ControlRunner
    var readers: [OutputReader] = []
    private let child: ChildProcess
    /// How it ended, once that has been reported.
    public private(set) var exit: DeviceExit?
    private var phase = Phase.running
    private var readyDeadline: ContinuousClock.Instant?

    /// Launches the device.
    ///
    /// - Parameters:
    ///   - profile: The profile of the device.
    ///   - variables: Values of `${host}`, `${port}`, `${<peer>.host}` and `${<peer>.port}`.
    ///   - configuration: The case's `given.device`, passed as `${config}`, as the file
    ///     `CONFORM_CONFIG_FILE` and as the text in `CONFORM_CONFIG`.
    ///   - home: An empty folder for the device's home, temporary files and configuration.
    ///   - log: The log of its output; `nil` to keep none.
    ///   - start: When the first life of the device began, if this is a later one; the log is then
    ///     continued.
    public init(
        profile: DeviceProfile, variables: [String: String], configuration: Value, home: String,
        log place: HeldFile? = nil, since start: ContinuousClock.Instant? = nil
    ) throws(DeviceError) {
        guard case .launch(let command) = profile.access else {
            throw DeviceError(
                .notLaunched, "\(profile.name) is a device to attach to",
                advice: "write \"launch\" in its profile if conform shall start it")
        }
        let folders = try DeviceHome(
            in: home, configuration: configuration, user: profile.confinement?.user,
            hasKeyLog: profile.hasKeyLog)
        keyLog = folders.keyLog
        var values = variables
        values["home"] = folders.home
        values["config"] = folders.configurationFile
        values["configuration"] = configuration.jsonText()
        values["keyLog"] = folders.keyLog?.path
        let placeholders = Placeholders(values: values)
        var own: [String: String] = [:]
        for (name, text) in profile.environment {
            own[name] = try placeholders.fill(text, in: "env \(name)")
        }
        let environment = folders.environment(adding: own)
        let arguments = try placeholders.fill(command, in: "launch")
        let log = try DeviceLog(place: place, limit: profile.limits.output, since: start)
        let (input, output, error) = (
            try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe()
        )
        var launch = Launch(
            arguments: arguments, environment: environment.map { "\($0)=\($1)" }.sorted(),
            workingDirectory: nil, input: input.reading, output: output.writing,
            error: error.writing, limits: profile.limits)
        if let directory = profile.workingDirectory {
            launch.workingDirectory = try placeholders.fill(directory, in: "cwd")
        }
        launch.confine(by: profile, home: folders)
        launch.mark = environment[DeviceHome.markVariable].map {
            "\(DeviceHome.markVariable)=\($0)"
        }
        self.profile = profile
        self.log = log
        let workingDirectory = launch.workingDirectory
        runner = ControlRunner(log: log, placeholders: placeholders, person: profile.person) {
            words, variables throws(DeviceError) in
            var launch = Launch(
                arguments: words,
                environment: environment.merging(variables) { $1 }.map { "\($0)=\($1)" }.sorted(),
                workingDirectory: workingDirectory, limits: profile.limits)
            launch.confine(by: profile, home: folders)
            return launch
        }
        child = try ChildProcess(launch)
        channel = ControlChannel(input: input.writing)
        readers = [
            OutputReader(output.reading, stream: .stdout),
            OutputReader(error.reading, stream: .stderr),
        ]
        log.record("launched: \(arguments.joined(separator: " "))")
        if let refusal = viewRefusal { log.record("it sees all files: \(refusal)") }
        if folders.leavesVariableOut {
            log.record("CONFORM_CONFIG is left out: too large; CONFORM_CONFIG_FILE has it all")
        }
        isReady = profile.readiness == .none
        if !isReady { readyDeadline = .now + profile.readyTimeout }
    }

    deinit {
        _ = finish()
    }

    /// Why it sees all files although it should not; `nil` if it does not.
    var viewRefusal: String? { child.viewRefusal }

    /// The process id, also that of its process group and session.
    public var processIdentifier: Int32 { child.process }

    /// Whether it has ended, and other processes that it started still run.
    public var hasRemains: Bool { child.hasRemains }

    /// Sends a signal to the launched process.
    func signal(_ number: Int32) { child.signal(number) }

    /// Whether the launched process runs; asks the kernel.
    public var isAlive: Bool { child.exit == nil }

    /// How the launched process crashed, other than by the signal that stops it; asks the kernel.
    var crash: DeviceExit? {
        guard let exit = child.exit, exit != .signal(profile.stop.signal),
            DeviceEvent(name: DeviceEvent.exited, fields: exit.fields).isCrash
        else { return nil }
        return exit
    }

    /// Whether the launched process is stopped by a signal and does nothing at all.
    public var isSuspended: Bool { child.isSuspended }

    /// The last lines that it has printed, shortened, the oldest first.
    public var lastLines: [String] { log.lastLines }

    /// Writes a line to its standard input; what does not fit now is written later.
    ///
    /// - Throws: `DeviceError` if it does not read, or has ended.
    public func write(line: String) throws(DeviceError) { try channel.send(line: line) }

    // MARK: - Driving

    /// The descriptors to poll for input: outputs, process, and commands that carry out controls.
    public var pollDescriptors: [Int32] {
        readers.compactMap { $0.descriptor?.number }
            + (exit == nil ? [child.descriptor.number] : [])
            + runner.pollDescriptors
    }

    /// Time until `advance` has something to do, never negative; `nil` if only a descriptor can.
    public var nextDeadline: Duration? {
        var deadlines: [Duration] = []
        if case .stopping(let killAt) = phase { deadlines.append(killAt - .now) }
        if let readyDeadline { deadlines.append(readyDeadline - .now) }
        if channel.hasUnwritten || looksForPort { deadlines.append(Self.retryInterval) }
        if let next = runner.nextDeadline { deadlines.append(next) }
        return deadlines.min().map { max($0, .zero) }
    }

    /// Handles one descriptor that is ready.
    public func handle(_ descriptor: Int32) -> [DeviceNotice] {
        if descriptor == child.descriptor.number { return recordExit() }
        if let reader = readers.first(where: { $0.descriptor?.number == descriptor }) {
            let notices = consume(reader.read(), from: reader.stream)
            readers.removeAll { $0.descriptor == nil }
            return notices
        }
        return runner.handle(descriptor)
    }

    /// Does what is due by now: readiness, pending writes, the kill after a grace period.
    @discardableResult
    public func advance() -> [DeviceNotice] {
        channel.writeMore()
        var notices = runner.advance()
        if looksForPort, case .portOpen(let port) = profile.readiness,
            ListeningPorts.contains(port)
        {
            notices += becomeReady()
        }
        if let deadline = readyDeadline, deadline <= .now {
            readyDeadline = nil
            notices.append(.notReady(readinessFailure))
        }
        if case .stopping(let killAt) = phase, killAt <= .now {
            log.record("killed \(profile.stop.grace) after the stop signal")
            child.signalGroup(SIGKILL)
            phase = .killed
        }
        return notices
    }

    // MARK: - Readiness

    /// Records that a packet of the device is in the capture.
    public func recordPacket() -> [DeviceNotice] {
        profile.readiness == .firstPacket ? becomeReady() : []
    }

    private var looksForPort: Bool {
        if case .portOpen = profile.readiness { readyDeadline != nil } else { false }
    }

    private func becomeReady() -> [DeviceNotice] {
        guard !isReady else { return [] }
        isReady = true
        readyDeadline = nil
        log.record("ready")
        return [.ready]
    }

    private var readinessFailure: DeviceError {
        let sign =
            switch profile.readiness {
            case .none: "nothing"
            case .stdoutLine(let text): "a line with \"\(text)\" on its standard output"
            case .portOpen(let port): "TCP port \(port) to be open"
            case .firstPacket: "its first packet"
            }
        return DeviceError(
            .notReady,
            "\(profile.name) is not ready after \(profile.readyTimeout): no sign of \(sign)",
            advice: "look into its log, or correct \"ready\" in the device profile")
    }

    // MARK: - Output and end

    private func consume(_ lines: [String], from stream: DeviceStream) -> [DeviceNotice] {
        log.output(lines, stream: stream)
        var notices: [DeviceNotice] = []
        for line in lines {
            notices.append(.output(stream, line))
            guard stream == .stdout else { continue }
            if case .stdoutLine(let text) = profile.readiness, line.contains(text) {
                notices += becomeReady()
            }
            if let answer = channel.answer(in: line) { notices.append(answer) }
        }
        return notices
    }

    private func recordExit() -> [DeviceNotice] {
        guard exit == nil, let exit = child.exit else { return [] }
        self.exit = exit
        readyDeadline = nil
        channel.close()
        runner.close()
        let isStopping = if case .running = phase { false } else { true }
        if isStopping { child.killRemains() }
        let notices = drain() + [.exited(exit)]
        log.record("device ended: \(exit)")
        if isStopping { _ = finish() }
        return notices
    }

    private func drain() -> [DeviceNotice] {
        readers.flatMap { consume($0.drain(), from: $0.stream) }
    }

    /// Begins to end the device: stop signal to its process group, SIGKILL after the grace period.
    ///
    /// When its process has ended, the rest of its session is killed, and `isStopped` is true.
    public func stop() {
        guard beginsToEnd() else { return }
        log.record("stopping: \(SignalName.name(of: profile.stop.signal) ?? "signal")")
        child.signalGroup(profile.stop.signal)
        phase = .stopping(killAt: .now + profile.stop.grace)
    }

    /// Begins to end the device like `stop`, but by a control of its profile.
    func stop(control: String) throws(DeviceError) {
        guard beginsToEnd() else { return }
        try perform(control: control)
        phase = .stopping(killAt: .now + profile.stop.grace)
    }

    /// Kills the device and everything that it has started.
    func kill() {
        guard beginsToEnd() else { return }
        log.record("killing")
        child.signalGroup(SIGKILL)
        phase = .killed
    }

    /// Returns whether the device runs; cleans up if it has ended by itself.
    private func beginsToEnd() -> Bool {
        guard case .running = phase else { return false }
        guard child.exit != nil else { return true }
        _ = finish()
        return false
    }

    /// Kills the remaining processes and closes the log.
    private func finish() -> [DeviceNotice] {
        guard !isStopped else { return [] }
        phase = .stopped
        if exit == nil, let exit = child.exit { log.record("device ended: \(exit)") }
        child.killRemains()
        let notices = drain()
        readers = []
        channel.close()
        runner.close()
        log.finish()
        return notices
    }
}
