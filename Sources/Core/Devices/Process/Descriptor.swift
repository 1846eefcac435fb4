import CSandbox
import Glibc
import System

/// An open descriptor, closed by its last owner.
final class Descriptor {
    /// Its number.
    let number: Int32

    /// Takes over an open descriptor.
    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Creates a pipe whose ends are both closed on exec.
    static func pipe() throws(DeviceError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard conform_pipe(&ends) == 0 else {
            throw DeviceError(.cannotLaunch, "no pipe: \(errnoText())")
        }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }

    /// Makes reading and writing return at once.
    func setNonblocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// The result of a read.
    enum Chunk {
        case bytes([UInt8])
        /// No bytes at the moment.
        case none
        case end
    }

    /// Reads the available bytes, up to `count`.
    func read(upTo count: Int) -> Chunk {
        var buffer = [UInt8](repeating: 0, count: count)
        var length: Int
        repeat { length = Glibc.read(number, &buffer, count) } while length < 0 && errno == EINTR
        if length < 0 { return errno == EAGAIN ? .none : .end }
        return length == 0 ? .end : .bytes(Array(buffer[..<length]))
    }

    /// Writes as much as fits now.
    ///
    /// - Throws: `DeviceError` if the other end is closed, or if the write fails otherwise.
    func write(_ bytes: ArraySlice<UInt8>) throws(DeviceError) -> Int {
        let written = bytes.withUnsafeBytes { conform_write(number, $0.baseAddress, $0.count) }
        if written >= 0 { return written }
        let code = Int32(-written)
        if code == EAGAIN || code == EINTR { return 0 }
        throw DeviceError(
            code == EPIPE ? .ended : .controlFailed,
            "the device's standard input cannot be written: \(errnoText(code))")
    }
}
