import FoundationEssentials
import Glibc

/// The few file operations that runs need, with errors that say what and why.
enum FileSystem {
    /// Makes a folder and those above it; one that exists is fine.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    /// Makes a folder that must not exist yet, at once; `false` if it cannot be made.
    static func makeFreshFolder(_ path: String) -> Bool { mkdir(path, 0o777) == 0 }

    /// Writes a file whole, by way of a temporary one in the same folder.
    static func write(_ bytes: [UInt8], to path: String) throws(WorkerError) {
        let draft = path + ".new"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        var isFine = file >= 0
        var rest = bytes[...]
        while isFine, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            isFine = count > 0 || errno == EINTR
            rest = rest.dropFirst(max(0, count))
        }
        guard isFine, close(file) == 0, rename(draft, path) == 0 else {
            throw WorkerError(detail: "\(path) cannot be written: \(errnoText())")
        }
    }

    /// The content of a regular file, no link; `nil` if it cannot be read.
    ///
    /// Where a device could put something else in its place, that is neither followed nor waited for.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// A path from the root, made from one that may start at the working directory.
    static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The folder in which a file is.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The names of what is in a folder; none if it cannot be read.
    static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Removes a folder and all in it; one that is not there is fine.
    static func removeTree(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
