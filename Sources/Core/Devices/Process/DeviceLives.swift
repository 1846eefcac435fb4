import SuiteLanguage
import System
import Wire

/// A device with all of its lives in one case: one process after the other in the same home.
///
/// It is driven like `DeviceProcess`, and launches the device when it is created.
public final class DeviceLives: CaseDevice {
    private let profile: DeviceProfile
    private let variables: [String: String]
    private let folder: String
    private let logPlace: HeldFile?
    private let birth = ContinuousClock.now
    /// The configuration of its present life.
    public private(set) var configuration: Value
    private var present: DeviceProcess
    /// Whether the end of the current life was requested and has not been reported.
    private var awaitsPlannedEnd = false
    private var isToBeLaunched = false
    /// Whether a packet of the device was seen in any life.
    private var hasSent = false

    /// Launches the device; see `DeviceProcess`.
    public init(
        profile: DeviceProfile, variables: [String: String], configuration: Value, home: String,
        log place: HeldFile? = nil
    ) throws(DeviceError) {
        self.profile = profile
        self.variables = variables
        self.configuration = configuration
        folder = home
        logPlace = place
        present = try DeviceProcess(
            profile: profile, variables: variables, configuration: configuration, home: home,
            log: place)
    }

    /// Why the current life sees all files of its user although it should not, if that is so.
    public var remarks: [String] {
        present.viewRefusal.map { ["it sees and may change all files of its user: \($0)"] } ?? []
    }

    /// The keys that it writes.
    public var keyLog: DeviceKeyLog? { present.keyLog }

    /// Whether its process runs; asks the kernel.
    public var isAlive: Bool { present.isAlive }

    /// Whether its process has ended, and other processes that it started still run.
    public var hasRemains: Bool { present.hasRemains }

    /// How the process of its current life crashed; asks the kernel.
    public var crash: DeviceExit? { present.crash }

    /// The process of its current life.
    public var processIdentifier: Int32? { present.processIdentifier }
    /// Whether it is ready in its current life, as its profile defines.
    public var isReady: Bool { present.isReady }

    /// Whether its process is stopped by a signal and does nothing at all.
    public var isSuspended: Bool { present.isSuspended }

    /// The last lines printed in its current life, shortened, the oldest first.
    public var lastLines: [String] { present.lastLines }

    /// Sends a liveness probe on the control channel; see `DeviceProcess.ping`.
    public func ping() throws(DeviceError) -> Int64 { try present.ping() }

    /// Whether `stop` is done, so that no process of the device is left.
    public var isStopped: Bool { present.isStopped }

    /// The descriptors to poll for input.
    public var pollDescriptors: [Int32] { present.pollDescriptors }

    /// Time until `advance` has something to do, never negative; `nil` if only a descriptor can.
    public var nextDeadline: Duration? {
        isToBeLaunched && !present.isAlive ? .zero : present.nextDeadline
    }

    /// Handles one descriptor that is ready.
    public func handle(_ descriptor: Int32) throws(DeviceError) -> [DeviceNotice] {
        reported(present.handle(descriptor)) + (try proceed())
    }

    /// Does what is due by now.
    public func advance() throws(DeviceError) -> [DeviceNotice] {
        reported(present.advance()) + (try proceed())
    }

    /// Records that a packet of the device is in the capture.
    public func recordPacket() -> [DeviceNotice] {
        hasSent = true
        return present.recordPacket()
    }

    /// Begins to end the device permanently.
    public func stop() {
        isToBeLaunched = false
        present.stop()
    }

    /// Carries out an action of a step: one of `DeviceAction`, or a control of the profile.
    ///
    /// - Throws: `DeviceError` with code `running` if the device must have ended for the action,
    ///   and the errors of controls and stored files.
    public func perform(_ action: String, arguments: Value) throws(DeviceError) {
        switch action {
        case DeviceAction.stop:
            try end()
        case DeviceAction.kill:
            expectEnd()
            present.kill()
        case DeviceAction.restart:
            try launchLater(with: arguments)
            try end()
        case DeviceAction.start:
            guard awaitsPlannedEnd || !present.isAlive else {
                throw DeviceError(
                    .running, "\(profile.name) runs; it cannot be started",
                    advice: "stop or kill it before, or write device.restart")
            }
            try launchLater(with: arguments)
        case DeviceAction.damage:
            guard !present.isAlive else {
                throw DeviceError(
                    .running, "\(profile.name) runs; its files are not damaged while it does",
                    advice: "stop or kill it, and wait for device.exited, before")
            }
            let damaged = try StoredFiles(in: DeviceHome.home(in: folder)).damage(arguments)
            present.log.record("damaged: \(damaged.isEmpty ? "no file" : damaged.text)")
        default:
            try present.perform(control: action, arguments: arguments)
        }
    }

    private func end() throws(DeviceError) {
        expectEnd()
        if profile.controls[DeviceAction.stop] != nil {
            try present.stop(control: DeviceAction.stop)
        } else {
            present.stop()
        }
    }

    /// Expects an end; one that has been reported already was not requested.
    private func expectEnd() { awaitsPlannedEnd = present.exit == nil }

    private func launchLater(with changes: Value) throws(DeviceError) {
        guard changes == .null || changes.objectValue != nil else {
            throw DeviceError(
                .controlFailed, "the new configuration is a \(changes.typeName)",
                advice: "give an object that is put over given.device")
        }
        if changes != .null { configuration = configuration.merging(changes) }
        isToBeLaunched = true
    }

    private func reported(_ notices: [DeviceNotice]) -> [DeviceNotice] {
        notices.map { notice in
            guard case .exited(let exit) = notice else { return notice }
            if let failure = failedLaunch(exit) { return .notReady(failure) }
            guard awaitsPlannedEnd else { return notice }
            awaitsPlannedEnd = false
            return .endedAsPlanned(exit)
        }
    }

    /// Returns the error of a device that was never executed.
    ///
    /// No packet came, and its exit code shows that a shell or a wrapper could not execute it
    /// (POSIX.1-2017, Shell Command Language 2.8.2).
    private func failedLaunch(_ exit: DeviceExit) -> DeviceError? {
        guard !hasSent, exit == .code(126) || exit == .code(127) else { return nil }
        let words = lastLines.last.map { ", and printed \"\($0)\"" } ?? ""
        return DeviceError(
            .cannotLaunch,
            "\(profile.name) was not executed: it ended with \(exit) before it sent anything"
                + words,
            advice: "install what it needs; what is in a folder that devices do not see, such as "
                + "the home, is shown by files: {read: [FOLDER]} in the device profile")
    }

    /// Launches the next life once the one before has ended completely.
    private func proceed() throws(DeviceError) -> [DeviceNotice] {
        guard isToBeLaunched else { return [] }
        // A device that ended by itself may have left processes in its session, which must be
        // ended.
        if !present.isAlive, present.exit != nil { present.stop() }
        guard present.isStopped else { return [] }
        isToBeLaunched = false
        present = try DeviceProcess(
            profile: profile, variables: variables, configuration: configuration, home: folder,
            log: logPlace, since: birth)
        return [.launchedAgain]
    }
}

extension [String] {
    fileprivate var text: String { joined(separator: ", ") }
}
