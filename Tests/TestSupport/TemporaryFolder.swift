import FoundationEssentials
import Glibc

/// A new folder for the files of a test, gone when the value is.
///
/// It stands in the folder of the test run, which goes at the run's end with all that is left in
/// it. `CONFORM_KEEP` in the environment keeps everything.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes the folder.
    package init() {
        path = Self.lasting()
    }

    deinit {
        remove()
    }

    /// Removes it now; a test of which only the path is left does so at its end.
    package func remove() {
        if !Self.keepsAll { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A new folder that is there until the end of the test run.
    package static func lasting() -> String {
        let path = "\(ofRun)/\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The folder of the test run; the first use removes what runs that were killed have left.
    package static let ofRun: String = {
        let place = FileManager.default.temporaryDirectory.path
        let prefix = keepsAll ? "conform-kept-" : namePrefix
        let path = "\(place)/\(prefix)\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard !keepsAll else { return path }
        _ = claim(path)
        // What is forked from now on is another process.
        _ = owner
        atexit { TemporaryFolder.endRun() }
        removeAbandoned(in: place)
        return path
    }()

    /// Removes the folder of the test run; for a process that leaves without `exit`.
    package static func endRun() {
        let path = ofRun
        guard !keepsAll, getpid() == owner else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let owner = getpid()
    private static let keepsAll = getenv("CONFORM_KEEP") != nil
    /// What the names of the folders of runs begin with.
    package static let namePrefix = "conform-tests-"
    /// A run has claimed its folder long before this, in seconds.
    private static let claimTime = 60

    /// Takes the lock of a folder, which is given back when the process ends, however it does.
    ///
    /// - Returns: The descriptor that holds it; `nil` if another one does.
    package static func claim(_ path: String) -> Int32? {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
        close(folder)
        return nil
    }

    /// Removes the folders of runs whose process has ended.
    package static func removeAbandoned(in place: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where name.hasPrefix(namePrefix) {
            let path = "\(place)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > claimTime,
                let lock = claim(path)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
    }
}
