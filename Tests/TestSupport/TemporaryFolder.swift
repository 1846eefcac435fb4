import FoundationEssentials
import Glibc

/// A new folder for the files of a test, removed together with the value.
///
/// It is in the folder of the test run, which is removed at the run's end with everything that is
/// left in it. `CONFORM_KEEP` in the environment keeps everything.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Creates the folder.
    package init() {
        path = Self.lasting()
    }

    deinit {
        remove()
    }

    /// Removes the folder now; a test that only keeps the path calls this at its end.
    package func remove() {
        if !Self.keepsAll { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Creates a new folder that exists until the end of the test run, and returns its path.
    package static func lasting() -> String {
        let path = "\(ofRun)/\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The folder of the test run; its first use removes the folders of runs that were killed.
    package static let ofRun: String = {
        let place = FileManager.default.temporaryDirectory.path
        let prefix = keepsAll ? "conform-kept-" : namePrefix
        let path = "\(place)/\(prefix)\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard !keepsAll else { return path }
        _ = claim(path)
        // A process that is forked from now on has a different identifier.
        _ = owner
        atexit { TemporaryFolder.endRun() }
        removeAbandoned(in: place)
        return path
    }()

    /// Removes the folder of the test run, for a process that ends without `exit`.
    package static func endRun() {
        let path = ofRun
        guard !keepsAll, getpid() == owner else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let owner = getpid()
    private static let keepsAll = getenv("CONFORM_KEEP") != nil
    /// The prefix of the names of the folders of runs.
    package static let namePrefix = "conform-tests-"
    /// The age in seconds by which a run has certainly claimed its folder.
    private static let claimTime = 60

    /// Takes the lock of a folder, which is released when the process ends in any way.
    ///
    /// - Returns: The descriptor that holds the lock; `nil` if another process holds it.
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
