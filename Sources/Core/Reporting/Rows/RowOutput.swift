import Glibc
import System

/// A file of rows, locked against other processes.
final class RowOutput {
    /// The current path of the file.
    private let path: String
    /// The name of the file in messages.
    private let name: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []

    /// The maximum number of buffered bytes.
    private static let waitingMax = 1 << 16

    /// Opens a file to append to it.
    ///
    /// - Throws: `ReportError` if it cannot be written, or another process writes it.
    init(_ path: String, named name: String? = nil) throws(ReportError) {
        (self.path, self.name) = (path, name ?? path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
        guard descriptor >= 0 else { throw error }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw ReportError(
                attempt: "cannot be written", path: self.name,
                cause: "another process is writing it",
                advice: "give each process its own file, and part of the captures with --shard"
            )
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The size in bytes; `nil` if it is not a regular file.
    var byteCount: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }

    /// Discards the content of a regular file.
    func empty() throws(ReportError) {
        guard byteCount == nil || ftruncate(descriptor, 0) == 0 else { throw error }
    }

    /// Writes bytes, or buffers them until there are more.
    func write(_ bytes: some Sequence<UInt8>) throws(ReportError) {
        waiting += bytes
        if waiting.count >= Self.waitingMax { try flush() }
    }

    /// Writes the buffered bytes, by one call if the kernel accepts all of them.
    func flush() throws(ReportError) {
        var bytes = waiting[...]
        waiting = []
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw error }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Renames the file, which replaces a file of that name.
    func rename(to path: String) throws(ReportError) {
        guard Glibc.rename(self.path, path) == 0 else { throw error }
    }

    private var error: ReportError {
        ReportError(FileError("cannot be written", name, errno: errno))
    }
}
