import CSandbox
import Glibc
import System

/// A file without a name, which only processes that have inherited it can open.
///
/// The task of a worker and its answer go through such files. Without namespaces a device has the
/// rights of the worker's user, and could change any file that has a name.
final class MemoryFile: Sendable {
    /// The descriptor, closed on exec.
    let descriptor: Int32
    private let isOwned: Bool

    /// Creates an empty file.
    init() throws(WorkerError) {
        descriptor = conform_memory_file("conform")
        isOwned = true
        guard descriptor >= 0 else {
            throw WorkerError(detail: "no file in memory can be made: \(errnoText())")
        }
    }

    /// Uses an inherited file, and hides it from programs that are started.
    init(inherited descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Replaces the content.
    func write(_ bytes: [UInt8]) throws(WorkerError) {
        var offset = 0
        var isFine = ftruncate(descriptor, 0) == 0
        while isFine, offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset,
                    off_t(offset))
            }
            isFine = count > 0 || errno == EINTR
            offset += max(0, count)
        }
        guard isFine else {
            throw WorkerError(detail: "memory for a case cannot be written: \(errnoText())")
        }
    }

    /// Returns the content; empty if it cannot be read.
    func read() -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), size - filled,
                    off_t(filled))
                guard count > 0 || (count < 0 && errno == EINTR) else { return }
                filled += max(0, count)
            }
        }
    }
}
