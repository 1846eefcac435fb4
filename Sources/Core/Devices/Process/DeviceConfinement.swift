import CSandbox
import Glibc

/// What separates a device from the files and processes of the user that runs it.
public struct DeviceConfinement: Sendable, Hashable {
    /// The user that the device runs as; `nil` for the harness's own.
    public var user: UInt32?
    /// Whether it sees only its `FileView`; this needs a mount namespace.
    public var hasFileView: Bool
    /// Whether the case has a network of its own, in which no name server can be reached.
    public var hasOwnNetwork: Bool
    /// Folders that it must not see: the reports of this run, and the folders of other cases.
    public var hidden: [String]
    /// Folders that it may read although they are inside hidden ones.
    public var shown: [String]

    /// Decides what is possible in the namespaces of a worker.
    public init(behind isolation: WorkerIsolation, hidden: [String], shown: [String]) {
        let sharesUser =
            isolation.outcomes[.process] == .obtained && isolation.outcomes[.mount] == .obtained
        let user = conform_device_user(sharesUser ? 1 : 0)
        self.user = user == 0 ? nil : user
        hasFileView = isolation.outcomes[.mount] == .obtained
        hasOwnNetwork = isolation.outcomes[.network] == .obtained
        self.hidden = hidden
        self.shown = shown
    }

    /// What the device has access to although it should not, a phrase each.
    public var remarks: [String] {
        (geteuid() == 0 && user == nil
            ? ["the device runs as root: no other user can be had"] : [])
            + (hasFileView ? [] : ["the device sees and may change all files of its user"])
    }
}
