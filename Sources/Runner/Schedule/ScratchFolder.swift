import FoundationEssentials
import Glibc

/// Where the devices of a run work: away from all that the harness keeps.
///
/// All runs of one process share a folder among the temporary files, which is locked as long as the
/// process lives; what a killed process has left is removed by the next one, or by `conform clean`.
struct ScratchFolder: Sendable {
    /// What the names of the folders of processes begin with.
    private static let prefix = "conform-run-\(geteuid())-"
    /// A process has locked its folder long before this, in seconds.
    private static let lockTime = 60

    /// The run's own folder.
    let path: String

    /// Makes the folder of a run.
    init() throws(WorkerError) {
        switch Self.made {
        case .success(let root): path = try Self.makeFolder("\(root)/")
        case .failure(let error): throw error
        }
    }

    /// Removes it with all that is in it.
    func remove() { FileSystem.removeTree(path) }

    /// The folder of this process; empty if there is none.
    static var root: String { (try? made.get()) ?? "" }

    private static let made: Result<String, WorkerError> = Result {
        () throws(WorkerError) -> String in
        removeAbandoned()
        let path = try makeFolder("\(place)/\(prefix)")
        // The lock lasts until the process ends, however it does.
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        if folder >= 0 { flock(folder, LOCK_EX | LOCK_NB) }
        atexit { FileSystem.removeTree(ScratchFolder.root) }
        return path
    }

    /// Removes the folders of processes that have ended.
    ///
    /// - Returns: Their paths.
    @discardableResult
    static func removeAbandoned() -> [String] {
        FileSystem.names(in: place).filter { $0.hasPrefix(prefix) }.map { "\(place)/\($0)" }.filter
        {
            path in
            var status = stat()
            let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard folder >= 0 else { return false }
            defer { close(folder) }
            guard fstat(folder, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > lockTime,
                flock(folder, LOCK_EX | LOCK_NB) == 0
            else { return false }
            FileSystem.removeTree(path)
            return true
        }
    }

    private static var place: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.hasPrefix("/") ? named : "/tmp"
    }

    private static func makeFolder(_ start: String) throws(WorkerError) -> String {
        var template = Array((start + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw WorkerError(
                detail: "no folder for devices can be made as \(start)XXXXXX: \(errnoText())")
        }
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Root's devices run as another user, who must get through.
        if geteuid() == 0 { chmod(path, 0o711) }
        return path
    }
}
