import Glibc
import System

/// The folder in which the devices of a run work, apart from all files that the harness keeps.
///
/// All runs of one process share a folder among the temporary files. It is locked as long as the
/// process lives. What a killed process has left is removed by the next one, or by `conform clean`.
struct ScratchFolder: Sendable {
    /// The folder of a process and its place.
    private struct Root {
        let place: HeldFile
        let folder: HeldFolder
    }

    /// The beginning of the names of the folders of processes.
    private static let prefix = "conform-run-\(geteuid())-"
    /// Seconds after which a live process has surely locked its folder.
    private static let lockTime = 60

    private let place: HeldFile
    private let folder: HeldFolder

    /// The run's own folder.
    var path: String { folder.path }

    /// Makes the folder of a run.
    init() throws(FileError) {
        (place, folder) = try Self.makeFolder(in: Self.made.get().folder, "")
    }

    /// Returns the place of a folder in it.
    func place(_ name: String) throws(FileError) -> HeldFile { try folder.place(name) }

    /// Removes the folder with its contents.
    func remove() { place.remove() }

    /// The path of this process's folder; empty if there is none.
    static var root: String { (try? made.get().folder.path) ?? "" }

    private static let made: Result<Root, FileError> = Result { () throws(FileError) -> Root in
        removeAbandoned()
        let (place, folder) = try Self.explained { () throws(FileError) in
            try makeFolder(in: HeldFolder(parent), prefix)
        }
        // The lock lasts until the process ends, in whatever way.
        flock(folder.descriptor, LOCK_EX | LOCK_NB)
        atexit { try? ScratchFolder.made.get().place.remove() }
        return Root(place: place, folder: folder)
    }

    /// Removes the folders of processes that have ended.
    ///
    /// - Returns: Their paths.
    @discardableResult
    static func removeAbandoned() -> [String] {
        guard let parent = try? HeldFolder(parent) else { return [] }
        return parent.names.filter { $0.hasPrefix(prefix) }.compactMap { name in
            var status = stat()
            guard let place = try? parent.place(name), let folder = try? place.heldFolder(),
                fstat(folder.descriptor, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > lockTime,
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { return nil }
            place.remove()
            return place.path
        }
    }

    /// Returns the result of `body`; an error says what the folder is for.
    private static func explained<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(FileError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw FileError(
                "\(error.attempt) for temporary files, which TMPDIR names", error.path,
                errno: error.code)
        }
    }

    /// The folder for temporary files.
    private static var parent: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.hasPrefix("/") ? named : "/tmp"
    }

    /// Makes a folder that nobody else uses, with a name that begins with `start`.
    private static func makeFolder(
        in parent: HeldFolder, _ start: String
    ) throws(FileError) -> (HeldFile, HeldFolder) {
        // Devices that root starts run as another user, who must be able to enter the folder.
        let mode: mode_t = geteuid() == 0 ? 0o711 : 0o700
        while true {
            let number = UInt64.random(in: .min ... .max)
            let place = try parent.place(start + String(number, radix: 36))
            do throws(FileError) {
                let folder = try place.makeFolder(mode: mode)
                fchmod(folder.descriptor, mode)
                return (place, folder)
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }
}
