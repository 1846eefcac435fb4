import Files
import Suites
import Wire

/// A device over the lives that it has in one case: one process after the other in the same home.
///
/// It is driven as `DeviceProcess` is, and launches the device when it is made.
public final class DeviceLives: CaseDevice {
    private let profile: DeviceProfile
    private let variables: [String: String]
    private let folder: String
    private let logPlace: HeldFile?
    private let birth = ContinuousClock.now
    private var configuration: Value
    private var present: DeviceProcess
    /// Whether the end of the present life was asked for and has not been told.
    private var awaitsPlannedEnd = false
    private var isToBeLaunched = false
    /// Whether a packet of it was seen in any life.
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

    /// What of the files the present life was not kept from although it was to be.
    public var remarks: [String] {
        present.viewRefusal.map { ["it sees and may change all files of its user: \($0)"] } ?? []
    }

    /// Whether its process runs, asked of the kernel now.
    public var isAlive: Bool { present.isAlive }

    /// The process of its present life.
    public var processIdentifier: Int32? { present.processIdentifier }
    /// Whether it is ready in its present life, as its profile tells.
    public var isReady: Bool { present.isReady }

    /// Whether its process is stopped by a signal, so that it does nothing at all.
    public var isSuspended: Bool { present.isSuspended }

    /// The last lines that it has printed in its present life, shortened, the oldest first.
    public var lastLines: [String] { present.lastLines }

    /// Asks on the control channel for a sign of life; see `DeviceProcess.ping`.
    public func ping() throws(DeviceError) -> Int64 { try present.ping() }

    /// Whether `stop` has come to its end, so that nothing of the device is left.
    public var isStopped: Bool { present.isStopped }

    /// What to poll for input.
    public var pollDescriptors: [Int32] { present.pollDescriptors }

    /// Time until `advance` has something to do, never negative; `nil` if only a descriptor can.
    public var nextDeadline: Duration? {
        isToBeLaunched && !present.isAlive ? .zero : present.nextDeadline
    }

    /// Serves one descriptor that is ready.
    public func handle(_ descriptor: Int32) throws(DeviceError) -> [DeviceNotice] {
        told(present.handle(descriptor)) + (try goOn())
    }

    /// Does what is due by now.
    public func advance() throws(DeviceError) -> [DeviceNotice] {
        told(present.advance()) + (try goOn())
    }

    /// Tells that a packet of the device is in the capture.
    public func notePacket() -> [DeviceNotice] {
        hasSent = true
        return present.notePacket()
    }

    /// Begins to end the device for good.
    public func stop() {
        isToBeLaunched = false
        present.stop()
    }

    /// Does what a step says: an action of `DeviceAction`, or a control of the profile.
    ///
    /// - Throws: `DeviceError` with code `running` if the device must have ended for it, and those
    ///   of controls and stored files.
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
                    .running, "\(profile.name) runs; its files are not damaged under its hands",
                    advice: "stop or kill it, and wait for device.exited, before")
            }
            let damaged = try StoredFiles(in: DeviceHome.home(in: folder)).damage(arguments)
            present.log.note("damaged: \(damaged.isEmpty ? "no file" : damaged.text)")
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

    /// An end that has been told already was not planned.
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

    private func told(_ notices: [DeviceNotice]) -> [DeviceNotice] {
        notices.map { notice in
            guard case .exited(let exit) = notice else { return notice }
            if let failure = failedLaunch(exit) { return .notReady(failure) }
            guard awaitsPlannedEnd else { return notice }
            awaitsPlannedEnd = false
            return .endedAsPlanned(exit)
        }
    }

    /// The error of a device that never ran: no packet came, and its end says that a shell or a
    /// wrapper could not execute it (POSIX.1-2017, Shell Command Language 2.8.2).
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

    /// Launches the next life once the one before has ended wholly.
    private func goOn() throws(DeviceError) -> [DeviceNotice] {
        guard isToBeLaunched else { return [] }
        // One that ended by itself has left its session to be cleared away.
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
