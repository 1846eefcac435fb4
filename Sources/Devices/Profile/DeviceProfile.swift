import Glibc
import Suites
import Wire

/// What there is to know about a device under test: how it is run, controlled and stopped, and
/// what it says that it implements.
public struct DeviceProfile: Sendable, Hashable {
    /// How the device comes to be there.
    public enum Access: Sendable, Hashable {
        /// `conform` starts it: program and arguments, with placeholders.
        case launch([String])
        /// It runs already, somewhere else.
        case attach(Attachment)
    }

    /// When a launched device counts as ready.
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
        /// How long after it the rest is killed.
        public var grace: Duration

        /// Makes a way to stop; the default is what service managers do.
        public init(signal: Int32 = SIGTERM, grace: Duration = .seconds(2)) {
            self.signal = signal
            self.grace = grace
        }
    }

    /// What a device needs of the files beside what every device gets, as paths.
    public struct Files: Sendable, Hashable {
        /// What it may read.
        public var read: [String] = []
        /// What it may read and write.
        public var write: [String] = []
    }

    /// What a device may use up; `nil` is unlimited.
    public struct Limits: Sendable, Hashable {
        /// CPU time of one process in seconds.
        ///
        /// Longer than any case, against a device that spins
        /// on after its worker was stopped in a debugger.
        public var cpuSeconds: Int?
        /// Address space of one process in bytes.
        ///
        /// Unlimited unless asked for: virtual machines and
        /// sanitizers reserve hundreds of gigabytes that they never touch.
        public var memory: Int?
        /// Processes and threads beside those that the user already has.
        ///
        /// Real root is exempt in
        /// the kernel, unless it is root of its own namespace only.
        public var processes: Int?
        /// Output in bytes that goes to the log; the rest is counted.
        public var output: Int
        /// Size of one file in bytes.
        public var fileSize: Int?
        /// Open descriptors of one process.
        public var openFiles: Int?
        /// Size of the capture of a case in bytes; one that reaches it is inconclusive.
        public var capture = 256 << 20

        /// Makes limits; the defaults stop only a device that runs wild.
        public init(
            cpuSeconds: Int? = 600, memory: Int? = nil, processes: Int? = 512,
            output: Int = 16 << 20, fileSize: Int? = 1 << 30, openFiles: Int? = 4096
        ) {
            self.cpuSeconds = cpuSeconds
            self.memory = memory
            self.processes = processes
            self.output = output
            self.fileSize = fileSize
            self.openFiles = openFiles
        }
    }

    /// What it means that the device ends during a case.
    public enum ExitMeaning: String, Sendable, Hashable, CaseIterable {
        /// A fault of the device.
        case error
        /// Nothing: the device may come and go.
        case expected
    }

    /// How it is found out at the end of a case whether the device still answers.
    public enum Liveness: String, Sendable, Hashable, CaseIterable {
        /// Its process is there and not stopped.
        case process
        /// It answers a request `ping` on its control channel, be it with an error.
        case control
        /// It answers a sign of life that its protocol has, such as SDL's Heartbeat.
        case heartbeat
    }

    /// The name in reports.
    public var name: String
    /// The version in reports; empty if unknown.
    public var version: String
    /// Which kind of device it is, such as `sdl.app`.
    public var role: String
    /// How the device comes to be there.
    public var access: Access
    /// Environment variables beside those that every device gets, with placeholders.
    public var environment: [String: String]
    /// The working directory, with placeholders; `nil` for the present one.
    public var workingDirectory: String?
    /// When it is ready.
    public var readiness: Readiness
    /// How long it may take to be ready.
    public var readyTimeout: Duration
    /// What can be done to it, by name.
    public var controls: [String: Control]
    /// Further programs that belong to it, in the order in which they are launched.
    public var companions: [Companion] = []
    /// Where its packets are captured if it is attached; `nil` for its interface.
    public var capture: [CaptureSource]?
    /// What it says that it implements (PICS).
    public var features: Set<String>
    /// Values needed to test it (PIXIT), an object.
    public var parameters: Value
    /// How it is asked to end.
    public var stop: Stop
    /// What it may use up.
    public var limits: Limits
    /// What it needs of the files.
    public var files = Files()
    /// What keeps it from everything else; `nil` for nothing.
    ///
    /// No profile says it: a worker does.
    public var confinement: DeviceConfinement?
    /// Who does what no program can; `nil` for nobody.
    ///
    /// No profile says it: a worker does.
    public var person: Operator?
    /// What it means that it ends during a case.
    public var exit: ExitMeaning
    /// How it is found out whether it still answers.
    public var liveness: Liveness
    /// Whether it is set up as a case says under `given.device`.
    public var takesConfiguration = true
    /// How it can be made to run faster.
    public var timeScaling = TimeScaling.none

    /// Makes a profile.
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

    /// Whether a step can do that to the device: by a control, or because `conform` launches it.
    public func offers(_ action: String) -> Bool {
        controls[action] != nil || (attachment == nil && DeviceAction.named(action) != nil)
    }
}
