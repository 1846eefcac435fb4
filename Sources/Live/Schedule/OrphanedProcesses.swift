import CSandbox
import Synchronization

/// Processes of devices that have lost all who looked after them, because a device killed these.
///
/// They become children of `conform`, which ends them.
public enum OrphanedProcesses {
    private static let isAdopting = Atomic(false)

    /// Lets orphans become children of this process, and keeps devices from reading its memory.
    ///
    /// It is for a program that has no other children than workers.
    public static func adopt() {
        conform_protect_memory()
        conform_adopt_orphans()
        isAdopting.store(true, ordering: .relaxed)
    }

    /// Ends all children but these.
    static func end(except kept: [pid_t]) {
        guard isAdopting.load(ordering: .relaxed) else { return }
        conform_end_orphans(kept, kept.count)
    }
}
