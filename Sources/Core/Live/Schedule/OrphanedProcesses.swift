import CSandbox
import Synchronization

/// Processes of devices whose supervising processes were killed by a device.
///
/// They become children of `conform`, which ends them.
public enum OrphanedProcesses {
    private static let isAdopting = Atomic(false)

    /// Lets orphans become children of this process, and prevents devices from reading its memory.
    ///
    /// For a program that has no children other than workers.
    public static func adopt() {
        conform_protect_memory()
        conform_adopt_orphans()
        isAdopting.store(true, ordering: .relaxed)
    }

    /// Ends all children except the given ones.
    static func end(except kept: [pid_t]) {
        guard isAdopting.load(ordering: .relaxed) else { return }
        conform_end_orphans(kept, kept.count)
    }
}
