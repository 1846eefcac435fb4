/// Something that keeps a device from being run or controlled: what, why, and what to do.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The program to launch does not exist.
        case commandNotFound = "command-not-found"
        /// The program exists but cannot be started.
        case cannotLaunch = "cannot-launch"
        /// The device is attached, so that there is nothing to launch.
        case notLaunched = "not-launched"
        /// A `${}` in the profile has no value in this case.
        case unknownPlaceholder = "unknown-placeholder"
        /// The device's folders or files cannot be made.
        case cannotPrepare = "cannot-prepare"
        /// The device did not say in time that it is ready.
        case notReady = "not-ready"
        /// The profile offers no such control.
        case noSuchControl = "no-such-control"
        /// A control could not be carried out, or the device refused it.
        case controlFailed = "control-failed"
        /// The device runs, where it must not.
        case running = "device-running"
        /// The device has ended.
        case ended = "device-ended"
        /// Its clock cannot be made to run faster.
        case timeScale = "time-scale"
        /// No worker process can be made.
        case cannotIsolate = "cannot-isolate"
    }

    /// What kind of fault it is.
    public let code: Code
    /// What is wrong, as a phrase.
    public let detail: String
    /// What to do about it, as a phrase; empty if there is nothing to say.
    public let advice: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String, advice: String = "") {
        self.code = code
        self.detail = detail
        self.advice = advice
    }

    /// `detail; advice [code]`.
    public var description: String {
        "\(detail)\(advice.isEmpty ? "" : "; \(advice)") [\(code.rawValue)]"
    }
}
