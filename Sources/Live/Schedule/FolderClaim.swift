import Files
import Glibc
import Suites

/// The claim of one run on its report folder: two runs in one folder would take each other's files
/// for their own.
///
/// It is a lock on the folder itself, so that it leaves nothing behind and ends with the process.
public final class FolderClaim {
    /// Opened afresh: a lock belongs to what one call has opened.
    private let folder: HeldFolder?

    /// Claims an existing folder.
    ///
    /// - Throws: `InvalidInput` if another run holds it. A file system without locks grants all.
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
