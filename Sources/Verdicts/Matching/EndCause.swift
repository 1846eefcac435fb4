/// Why nothing more will come.
public enum EndCause: Sendable, Hashable, Codable {
    /// The matcher said that it is finished.
    case completed
    /// The capture ends, and does not say whether it was still running then.
    case captureEnded
    /// The capture ends, and says that it saw everything until then.
    case endKnown
    /// The device's process has ended.
    case deviceExited(Exit)
    /// The case took longer than it may.
    case timeout
    /// The run was interrupted.
    case interrupted

    /// How a process ended.
    public enum Exit: Sendable, Hashable, Codable {
        /// It ended by itself with that status.
        case code(Int)
        /// That signal killed it.
        case signal(Int)
    }
}
