import SuiteLanguage
import System
import Wire

/// The companions of one device in a case.
///
/// Each is launched when those before it are ready, and continues while the device is stopped and
/// started. They share the home and the configuration of the device, and are driven like
/// `DeviceProcess`. All are killed with the last reference to this object.
public final class CompanionProcesses {
    /// An unrequested end of a companion.
    public struct Ending: Sendable, Hashable {
        /// The companion.
        public let name: String
        /// How it ended.
        public let exit: DeviceExit
        /// Whether the end has no consequences (`exit: expected`).
        public let isExpected: Bool
        /// The last line that it printed, if it printed any.
        public let lastLine: String?
    }

    private final class Member {
        let companion: DeviceProfile.Companion
        /// When it was first launched; `nil` before.
        var birth: ContinuousClock.Instant?
        var process: DeviceProcess?
        var hasEnded = false

        init(_ companion: DeviceProfile.Companion) { self.companion = companion }
    }

    private let profile: DeviceProfile
    private let variables: [String: String]
    private let configuration: Value
    private let folder: String
    private let log: HeldFile
    private let members: [Member]
    /// The companions still to be launched, in order.
    private var waiting: [Member] = []
    private var isStopping = false
    /// The unrequested ends, in order.
    public private(set) var endings: [Ending] = []

    /// Prepares the companions of a device; see `DeviceProcess`.
    ///
    /// - Parameter log: The log of the device; those of the companions are next to it.
    public init(
        of profile: DeviceProfile, variables: [String: String], configuration: Value,
        home folder: String, log: HeldFile
    ) {
        self.profile = profile
        self.variables = variables
        self.configuration = configuration
        self.folder = folder
        self.log = log
        members = profile.companions.map(Member.init)
    }

    /// Returns the log of a companion: `case.companion.hmi.log` next to `case.log`.
    public static func log(of companion: String, beside log: HeldFile) -> HeldFile {
        log.appending(".companion.\(companion).log", dropping: ".log")
    }

    /// Launches the companions that start before or after the device; `advance` does the work.
    ///
    /// Companions that have ended are launched again.
    public func begin(_ begin: DeviceProfile.Companion.Begin) {
        waiting += members.filter { member in
            member.companion.begin == begin && (member.process == nil || member.hasEnded)
                && !waiting.contains { $0 === member }
        }
    }

    /// Whether all requested companions have been launched and are ready, or have ended since.
    public var areReady: Bool {
        waiting.isEmpty && members.allSatisfy { $0.process?.isReady ?? true }
    }

    /// Whether none of their processes is left.
    public var areStopped: Bool { members.allSatisfy { $0.process?.isStopped ?? true } }

    /// When each companion was first launched.
    public var births: [(name: String, time: ContinuousClock.Instant)] {
        members.compactMap { member in member.birth.map { (member.companion.name, $0) } }
    }

    /// The processes of the companions that run.
    public var processes: [Int32] {
        members.filter { !$0.hasEnded }.compactMap { $0.process?.processIdentifier }
    }

    /// The descriptors to poll for input.
    public var pollDescriptors: [Int32] { members.flatMap { $0.process?.pollDescriptors ?? [] } }

    /// Time until `advance` has something to do; `nil` if only a descriptor can.
    public var nextDeadline: Duration? {
        let own: Duration? = nextToLaunch == nil ? nil : .zero
        return (members.map { $0.process?.nextDeadline } + [own]).compactMap(\.self).min()
    }

    private var nextToLaunch: Member? {
        members.allSatisfy { $0.process?.isReady ?? true } ? waiting.first : nil
    }

    /// Handles one descriptor that is ready; a descriptor of another owner is ignored.
    ///
    /// - Throws: An error if a companion is not ready in time, or could not be executed.
    public func handle(_ descriptor: Int32) throws(DeviceError) {
        for member in members {
            guard let process = member.process, process.pollDescriptors.contains(descriptor) else {
                continue
            }
            try consume(process.handle(descriptor), of: member)
        }
    }

    /// Does what is due by now.
    ///
    /// - Throws: The errors of `handle` and of a launch.
    public func advance() throws(DeviceError) {
        for member in members {
            if let process = member.process { try consume(process.advance(), of: member) }
        }
        while !isStopping, let next = nextToLaunch {
            waiting.removeFirst()
            try launch(next)
        }
    }

    /// Begins to end the companions, the last one first.
    public func stop() {
        isStopping = true
        for member in members.reversed() { member.process?.stop() }
    }

    private func launch(_ member: Member) throws(DeviceError) {
        let isAgain = member.birth != nil
        let now = ContinuousClock.now
        let birth = member.birth ?? now
        member.birth = birth
        member.hasEnded = false
        do throws(DeviceError) {
            member.process = try DeviceProcess(
                profile: profile.profile(of: member.companion), variables: variables,
                configuration: configuration, home: folder,
                log: Self.log(of: member.companion.name, beside: log),
                since: isAgain ? birth : nil)
        } catch {
            throw DeviceError(
                error.code, "companion \(member.companion.name): \(error.detail)",
                advice: error.advice)
        }
    }

    private func consume(_ notices: [DeviceNotice], of member: Member) throws(DeviceError) {
        for notice in notices {
            switch notice {
            case .notReady(let error): throw error
            case .exited(let exit) where !isStopping: try recordEnd(exit, of: member)
            default: break
            }
        }
    }

    private func recordEnd(_ exit: DeviceExit, of member: Member) throws(DeviceError) {
        member.hasEnded = true
        let lastLine = member.process?.lastLines.last
        let name = member.companion.name
        let words = lastLine.map { ", and printed \"\($0)\"" } ?? ""
        // With these codes a shell or a wrapper reports that it could not execute the program
        // (POSIX.1-2017, Shell Command Language 2.8.2).
        if exit == .code(126) || exit == .code(127) {
            throw DeviceError(
                .cannotLaunch, "companion \(name) was not executed: it ended with \(exit)\(words)",
                advice: "install what it needs, or correct \"companions\" in the device profile")
        }
        guard member.process?.isReady == true else {
            throw DeviceError(
                .notReady, "companion \(name) ended with \(exit) before it was ready\(words)",
                advice: "look into its log, or correct \"ready\" in the device profile")
        }
        endings.append(
            Ending(
                name: name, exit: exit, isExpected: member.companion.exit == .expected,
                lastLine: lastLine))
    }
}
