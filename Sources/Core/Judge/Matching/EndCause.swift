/// The reason why nothing more will come.
public enum EndCause: Sendable, Hashable, Codable {
    /// The matcher has finished.
    case completed
    /// The capture ends, and does not show whether it was still running then.
    case captureEnded
    /// The capture ends, and shows that it was complete until then.
    case endKnown
    /// The device's process has ended.
    case deviceExited(Exit)
    /// The case took longer than allowed.
    case timeout
    /// The run was interrupted.
    case interrupted

    /// The end of a process.
    public enum Exit: Sendable, Hashable, Codable {
        /// It ended by itself with this status.
        case code(Int)
        /// This signal killed it.
        case signal(Int)
    }
}
