import CSandbox
import Glibc

/// A file that exists in memory alone, gone when the value is.
struct ScratchFile: ~Copyable {
    private let descriptor: Int32

    /// Its path while the value lives.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Makes a file of some bytes.
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

/// The file could not be made or written.
struct ScratchError: Error {}
