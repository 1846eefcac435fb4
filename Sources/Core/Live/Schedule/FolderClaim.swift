import Glibc
import SuiteLanguage
import System

/// The claim of one run on its report folder.
///
/// Two runs in one folder would take each other's files for their own. The claim is a lock on the
/// folder itself, so it leaves no file and ends with the process.
public final class FolderClaim {
    /// A descriptor of its own, because a lock belongs to the open file description.
    private let folder: HeldFolder?

    /// Claims an existing folder.
    ///
    /// - Throws: `InvalidInput` if another run has claimed it. A file system without locks grants
    ///   every claim.
    public init(_ path: String) throws(InvalidInput) {
        folder = try? HeldFolder(path)
        guard let folder, flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK
        else { return }
        throw InvalidInput([
            Diagnostic(
                "report-folder-busy", "another run writes its reports into \(path)", at: nil,
                advice: "give this one a folder of its own with --reports")
        ])
    }
}
