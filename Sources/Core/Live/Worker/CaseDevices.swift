import Devices
import Glibc
import SuiteLanguage
import System
import Trace
import Wire

/// The devices of one case: the first device, which every case has, and further ones.
///
/// All are launched from the same profile, each with its own home, log and controls.
final class CaseDevices {
    /// A notice with the name of the device that it comes from.
    typealias Report = (device: String, notice: DeviceNotice)

    private struct Member {
        let name: String
        let device: any CaseDevice
    }

    /// The companions of a device.
    private struct CompanionSet {
        let device: String
        let companions: CompanionProcesses
    }

    private let profile: DeviceProfile
    private var members: [Member] = []
    private var companionSets: [CompanionSet] = []
    /// The device, if it is attached.
    private(set) var attached: AttachedDevice?

    /// Creates a cast without devices.
    init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// Begins to launch the companions that must run before a device; see `launch`.
    func beginCompanions(
        of name: String, variables: [String: String], configuration: Value, task: WorkerTask,
        log: HeldFile
    ) {
        guard !profile.companions.isEmpty else { return }
        let companions = CompanionProcesses(
            of: profile, variables: variables, configuration: configuration,
            home: Self.home(of: name, task), log: Self.ownLog(of: name, log))
        companions.begin(.before)
        companionSets.append(CompanionSet(device: name, companions: companions))
    }

    /// Whether all companions that were started are ready.
    var areCompanionsReady: Bool { companionSets.allSatisfy(\.companions.areReady) }

    /// The unrequested ends of companions.
    var companionEndings: [(device: String, ending: CompanionProcesses.Ending)] {
        companionSets.flatMap { companionSet in
            companionSet.companions.endings.map { (companionSet.device, $0) }
        }
    }

    /// The companions of the first device, and when each was launched.
    var companionBirths: [(name: String, time: ContinuousClock.Instant)] {
        companionSets.first { $0.device == Step.device }?.companions.births ?? []
    }

    private static func home(of name: String, _ task: WorkerTask) -> String {
        task.scratch + (name == Step.device ? "/home" : "/home-\(name)")
    }

    private static func ownLog(of name: String, _ log: HeldFile) -> HeldFile {
        name == Step.device ? log : Self.log(of: name, beside: log)
    }

    /// Launches a device, or prepares the controls of an attached one.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - variables: Values of the profile's placeholders, including its own `${host}`.
    ///   - configuration: The configuration that the case gives it.
    ///   - task: The task, which says where its home is.
    ///   - log: The log of the first device.
    func launch(
        _ name: String, variables: [String: String], configuration: Value, task: WorkerTask,
        log: HeldFile
    ) throws(DeviceError) {
        let home = Self.home(of: name, task)
        let place = Self.ownLog(of: name, log)
        defer { companionSets.first { $0.device == name }?.companions.begin(.after) }
        guard profile.attachment == nil else {
            let device = try AttachedDevice(
                profile: profile, variables: variables, configuration: configuration, home: home,
                log: place)
            attached = device
            return members.append(Member(name: name, device: device))
        }
        members.append(
            Member(
                name: name,
                device: try DeviceLives(
                    profile: profile, variables: variables, configuration: configuration,
                    home: home, log: place)))
    }

    /// Returns the log of a further device: `case.second.log` next to `case.log`.
    static func log(of name: String, beside log: HeldFile) -> HeldFile {
        log.appending(".\(name).log", dropping: ".log")
    }

    /// Returns the device with the given name.
    func device(_ name: String) -> (any CaseDevice)? { members.first { $0.name == name }?.device }

    /// The names of the devices whose processes run.
    var living: [String] { members.filter(\.device.isAlive).map(\.name) }

    /// What a reader of the report should know about the devices, a phrase each.
    var remarks: [String] {
        members.flatMap { member in
            member.device.remarks.map { "\(member.name): \($0)" }
        } + crashRemarks
    }

    /// What is known of devices that ran when the case was judged, and crashed when it was ended.
    private var crashRemarks: [String] = []

    /// The devices with the processes of their current lives, and those of their companions.
    var processes: [(name: String, process: Int32)] {
        members.compactMap { member in
            member.device.processIdentifier.map { (member.name, $0) }
        }
            + companionSets.flatMap { companionSet in
                companionSet.companions.processes.map { (companionSet.device, $0) }
            }
    }

    /// Returns the lines that devices have added to their key logs since the last call.
    func takeKeys() -> [UInt8] { members.flatMap { $0.device.keyLog?.takeLines() ?? [] } }

    /// The descriptors to poll for input.
    var pollDescriptors: [Int32] {
        members.flatMap(\.device.pollDescriptors)
            + companionSets.flatMap(\.companions.pollDescriptors)
    }

    /// Time until `advance` has something to do; `nil` if only a descriptor can.
    var nextDeadline: Duration? {
        (members.map(\.device.nextDeadline) + companionSets.map(\.companions.nextDeadline))
            .compactMap(\.self).min()
    }

    /// Handles one descriptor that is ready.
    func handle(_ descriptor: Int32) throws(DeviceError) -> [Report] {
        var stated: [Report] = []
        for member in members where member.device.pollDescriptors.contains(descriptor) {
            stated += try member.device.handle(descriptor).map { (member.name, $0) }
        }
        for companionSet in companionSets { try companionSet.companions.handle(descriptor) }
        followLives(stated)
        return stated
    }

    /// Does what is due by now.
    func advance() throws(DeviceError) -> [Report] {
        var stated: [Report] = []
        for member in members {
            stated += try member.device.advance().map { (member.name, $0) }
        }
        for companionSet in companionSets { try companionSet.companions.advance() }
        followLives(stated)
        return stated
    }

    /// Launches the companions that follow a device, if the device was launched again.
    private func followLives(_ stated: [Report]) {
        for (name, notice) in stated where notice == .launchedAgain {
            companionSets.first { $0.device == name }?.companions.begin(.after)
        }
    }

    /// Records that a packet of a device is in the capture.
    func recordPacket(of name: String) -> [Report] {
        device(name)?.recordPacket().map { (name, $0) } ?? []
    }

    /// Ends all devices, then their companions, and waits until all their processes have ended.
    ///
    /// - Parameters:
    ///   - judged: The devices that ran when the case was judged.
    ///   - listener: Gets the notices in the meantime.
    func stop(judged: [String], _ listener: (Report) -> Void) throws(DeviceError) {
        for member in members { member.device.stop() }
        try serve(listener) { members.allSatisfy(\.device.isStopped) }
        for member in members where judged.contains(member.name) {
            guard let crash = member.device.crash else { continue }
            crashRemarks.append(
                "\(member.name): it crashed with \(crash) after the case had been judged, when it "
                    + "was to end")
        }
        for companionSet in companionSets { companionSet.companions.stop() }
        try serve(listener) { companionSets.allSatisfy(\.companions.areStopped) }
    }

    private func serve(
        _ listener: (Report) -> Void, until isDone: () -> Bool
    ) throws(DeviceError) {
        while !isDone() {
            let pause = nextDeadline.map { $0 / .milliseconds(1) + 1 } ?? 100
            var descriptors = pollDescriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&descriptors, nfds_t(descriptors.count), Int32(max(0, min(pause, 1000))))
            for ready in descriptors where ready.revents != 0 {
                try handle(ready.fd).forEach(listener)
            }
            try advance().forEach(listener)
        }
    }
}
