/// A problem that prevents a device from being run or controlled: what, why, and what to do.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem.
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
        /// The device did not become ready in time.
        case notReady = "not-ready"
        /// The profile has no control with this name.
        case noSuchControl = "no-such-control"
        /// A control could not be carried out, or the device refused it.
        case controlFailed = "control-failed"
        /// The device runs although it must not.
        case running = "device-running"
        /// The device has ended.
        case ended = "device-ended"
        /// Its clock cannot be made to run faster.
        case timeScale = "time-scale"
        /// No worker process can be made.
        case cannotIsolate = "cannot-isolate"
    }

    /// The kind of problem.
    public let code: Code
    /// What is wrong, as a phrase.
    public let detail: String
    /// What to do about it, as a phrase; empty if there is no advice.
    public let advice: String

    /// Creates an error.
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
