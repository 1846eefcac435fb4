import Glibc
import SuiteLanguage
import Wire

/// A device under test: how it is run, controlled and stopped, and what it declares to implement.
public struct DeviceProfile: Sendable, Hashable {
    /// How the device is started or reached.
    public enum Access: Sendable, Hashable {
        /// `conform` starts it: program and arguments, with placeholders.
        case launch([String])
        /// It already runs, on another machine.
        case attach(Attachment)
    }

    /// When a launched device is considered ready.
    public enum Readiness: Sendable, Hashable {
        /// At once.
        case none
        /// When a line of its standard output contains the text.
        case stdoutLine(String)
        /// When something listens on the TCP port.
        case portOpen(UInt16)
        /// When its first packet is in the capture.
        case firstPacket
    }

    /// How the device is asked to end.
    public struct Stop: Sendable, Hashable {
        /// The signal that its process group gets.
        public var signal: Int32
        /// How long after it the remaining processes are killed.
        public var grace: Duration

        /// Creates a way to stop; the default is that of service managers.
        public init(signal: Int32 = SIGTERM, grace: Duration = .seconds(2)) {
            self.signal = signal
            self.grace = grace
        }
    }

    /// The files that a device needs in addition to those that every device gets, as paths.
    public struct Files: Sendable, Hashable {
        /// What it may read.
        public var read: [String] = []
        /// What it may read and write.
        public var write: [String] = []
    }

    /// The resources that a device may use; `nil` is unlimited.
    public struct Limits: Sendable, Hashable {
        /// CPU time of one process in seconds.
        ///
        /// Longer than any case; it stops a device that still spins after its worker was stopped in
        /// a debugger.
        public var cpuSeconds: Int? = 600
        /// Address space of one process in bytes.
        ///
        /// Unlimited by default, because virtual machines and sanitizers reserve hundreds of
        /// gigabytes that they never touch.
        public var memory: Int?
        /// Processes and threads in addition to those that the user already has.
        ///
        /// The kernel exempts real root, but not a user who is root only in a user namespace.
        public var processes: Int? = 512
        /// Bytes of output that go to the log; the rest is only counted.
        public var output = 16 << 20
        /// Size of one file in bytes.
        public var fileSize: Int? = 1 << 30
        /// Open descriptors of one process.
        public var openFiles: Int? = 4096
        /// Size of the capture of a case in bytes; a case that reaches it is inconclusive.
        public var capture = 256 << 20

        /// Creates limits that stop only a device that is out of control.
        public init() {}
    }

    /// How the end of the device during a case is judged.
    public enum ExitMeaning: String, Sendable, Hashable, CaseIterable {
        /// A fault of the device.
        case error
        /// It has no consequences: the device may end and start.
        case expected
    }

    /// How to check at the end of a case whether the device still answers.
    public enum Liveness: String, Sendable, Hashable, CaseIterable {
        /// Its process exists and is not stopped.
        case process
        /// It answers a request `ping` on its control channel, even with an error.
        case control
        /// It answers a liveness probe of its protocol, such as SDL's Heartbeat.
        case heartbeat
    }

    /// The name in reports.
    public var name: String
    /// The version in reports; empty if unknown.
    public var version: String
    /// Which kind of device it is, such as `sdl.app`.
    public var role: String
    /// How the device is started or reached.
    public var access: Access
    /// Environment variables in addition to those that every device gets, with placeholders.
    public var environment: [String: String]
    /// The working directory, with placeholders; `nil` for the current one.
    public var workingDirectory: String?
    /// The sign that it is ready.
    public var readiness: Readiness
    /// How long it may take to be ready.
    public var readyTimeout: Duration
    /// Its controls by name.
    public var controls: [String: Control]
    /// Further programs that belong to it, in the order in which they are launched.
    public var companions: [Companion] = []
    /// Where its packets are captured if it is attached; `nil` for its interface.
    public var capture: [CaptureSource]?
    /// The features that it declares to implement (PICS).
    public var features: Set<String>
    /// Values needed to test it (PIXIT), an object.
    public var parameters: Value
    /// How it is asked to end.
    public var stop: Stop
    /// The resources that it may use.
    public var limits: Limits
    /// The files that it needs.
    public var files = Files()
    /// What separates it from everything else; `nil` for nothing.
    ///
    /// It is set by a worker, not by a profile.
    public var confinement: DeviceConfinement?
    /// The person who carries out what no program can; `nil` for nobody.
    ///
    /// It is set by a worker, not by a profile.
    public var person: Operator?
    /// How its end during a case is judged.
    public var exit: ExitMeaning
    /// How to check whether it still answers.
    public var liveness: Liveness
    /// Whether it takes the configuration that a case gives under `given.device`.
    public var takesConfiguration = true
    /// Whether it writes the keys of its TLS connections into the file that it is given.
    public var hasKeyLog = false
    /// How it can be made to run faster.
    public var timeScaling = TimeScaling.none

    /// Creates a profile.
    public init(
        name: String, version: String = "", role: String, access: Access,
        environment: [String: String] = [:], workingDirectory: String? = nil,
        readiness: Readiness = .none, readyTimeout: Duration = .seconds(10),
        controls: [String: Control] = [:], features: Set<String> = [],
        parameters: Value = .object([]), stop: Stop = Stop(), limits: Limits = Limits(),
        exit: ExitMeaning = .error, liveness: Liveness = .process
    ) {
        self.liveness = liveness
        self.name = name
        self.version = version
        self.role = role
        self.access = access
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.readiness = readiness
        self.readyTimeout = readyTimeout
        self.controls = controls
        self.features = features
        self.parameters = parameters
        self.stop = stop
        self.limits = limits
        self.exit = exit
    }

    /// Returns whether a step can use an action: a control, or any action on a launched device.
    public func offers(_ action: String) -> Bool {
        controls[action] != nil || (attachment == nil && DeviceAction.named(action) != nil)
    }
}
