import Files
import Glibc

/// A file of rows that no other process writes.
final class RowOutput {
    /// Where the file is now.
    private let path: String
    /// How messages call it.
    private let name: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []

    /// How many bytes wait to be written at most.
    private static let waitingMax = 1 << 16

    /// Opens a file to write after its end.
    ///
    /// - Throws: `ReportError` if it cannot be written, or another process writes it.
    init(_ path: String, named name: String? = nil) throws(ReportError) {
        (self.path, self.name) = (path, name ?? path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
        guard descriptor >= 0 else { throw error }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw ReportError(
                attempt: "cannot be written", path: self.name,
                cause: "another process writes it",
                advice: "give each process a file of its own, and a part of the captures by --shard"
            )
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// How many bytes it has; `nil` if it is no regular file.
    var byteCount: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }

    /// Throws its content away; what is no regular file has none.
    func empty() throws(ReportError) {
        guard byteCount == nil || ftruncate(descriptor, 0) == 0 else { throw error }
    }

    /// Writes bytes, or keeps them until there are more.
    func write(_ bytes: some Sequence<UInt8>) throws(ReportError) {
        waiting += bytes
        if waiting.count >= Self.waitingMax { try flush() }
    }

    /// Writes what was kept, by one call as far as the kernel takes it.
    func flush() throws(ReportError) {
        var bytes = waiting[...]
        waiting = []
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw error }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Puts the file in place of another.
    func rename(to path: String) throws(ReportError) {
        guard Glibc.rename(self.path, path) == 0 else { throw error }
    }

    private var error: ReportError {
        ReportError(FileError("cannot be written", name, errno: errno))
    }
}
