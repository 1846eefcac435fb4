import CSandbox
import Glibc

/// A file in memory that exists as long as the value.
struct ScratchFile: ~Copyable {
    private let descriptor: Int32

    /// The path, as long as the value exists.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Creates a file with the given bytes.
    init(_ bytes: [UInt8]) throws(ScratchError) {
        descriptor = conform_memory_file("conform-fuzz")
        guard descriptor >= 0 else { throw ScratchError() }
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            close(descriptor)
            throw ScratchError()
        }
    }

    deinit { close(descriptor) }
}

/// The error of a file that could not be created or written.
struct ScratchError: Error {}
