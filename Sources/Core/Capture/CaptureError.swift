import System

#if canImport(Glibc)
    import Glibc
#endif

/// The reason why packets cannot be captured, read or written.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Sendable, Hashable {
        /// The system does not allow this user to capture.
        case permission
        /// There is no such file.
        case noFile
        /// The system does not allow this user to open the file.
        case noAccess
        /// The capturing library is not installed, or too old.
        case noLibrary
        /// There is no such interface, or it is down.
        case noInterface
        /// The capture filter does not compile.
        case badFilter
        /// The file is not a packet capture.
        case notACapture
        /// The file ends within a packet or block.
        case truncated
        /// The file's lengths or references contradict each other.
        case damaged
        /// The file is a capture in a form that is not supported.
        case unsupported
        /// The file exceeds a `CaptureLimit`.
        case limit
        /// The system reported an error while reading, writing or capturing.
        case io
    }

    /// The kind of fault.
    public let code: Code
    /// What was needed and what was available, as a phrase.
    public let detail: String
    /// The file, or the interface for a live capture.
    public let path: String
    /// The byte offset in the file of the unreadable packet or block; `nil` if it is not about one.
    public let offset: Int?
    /// The number of the packet that could not be read, from 1.
    ///
    /// All packets before it were delivered.
    public let packetIndex: Int?

    /// Creates an error.
    public init(
        _ code: Code, _ path: String, _ detail: String, offset: Int? = nil,
        packetIndex: Int? = nil
    ) {
        self.code = code
        self.path = path
        self.detail = detail
        self.offset = offset
        self.packetIndex = packetIndex
    }

    /// What the user can do about it, as a sentence.
    public var advice: String {
        switch code {
        case .permission:
            "Run it in a network namespace of its own, or grant CAP_NET_RAW to the program."
        case .noFile:
            "Check the path; a relative one begins in the working directory."
        case .noAccess:
            "Allow this user to read it and to enter its folder."
        case .noLibrary:
            "Install it, on Debian with `apt-get install libpcap0.8`."
        case .noInterface:
            "Name an interface that `ip link` shows as UP."
        case .badFilter:
            "See pcap-filter(7) for the filter language."
        case .notACapture:
            "Give a pcap, pcapng, btsnoop or PacketLogger file, as it is or compressed with gzip or zstd."
        case .truncated:
            "The capture was cut off; judge what precedes the cut, or record it again."
        case .damaged:
            "Record it again, or repair it with a tool such as editcap."
        case .unsupported:
            "Convert it to pcapng, for example with `editcap -F pcapng`."
        case .limit:
            "What precedes the limit was read; `conform` does not trust the rest."
        case .io:
            "Check the file, the disk and the interface."
        }
    }

    /// `path: byte N: packet N: detail`, without the byte and the packet if they are not known.
    public var description: String {
        var text = path
        if let offset { text += ": byte \(offset)" }
        if let packetIndex { text += ": packet \(packetIndex)" }
        return text + ": " + detail
    }

    /// Returns the same error with a position, if it had none.
    func located(offset: Int, packetIndex: Int) -> CaptureError {
        CaptureError(
            code, path, detail, offset: self.offset ?? offset,
            packetIndex: self.packetIndex ?? packetIndex)
    }

    /// Runs `body` and converts an error of the file system to a `CaptureError`.
    static func converting<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(CaptureError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw CaptureError(Code(error.code), error.path, "\(error.attempt): \(error.cause)")
        }
    }

    /// Returns the error for `errno` after a failed system call.
    static func system(_ call: String, _ path: String, errno number: Int32) -> CaptureError {
        let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return CaptureError(Code(number), path, "\(call): \(text)")
    }
}

extension CaptureError.Code {
    /// The code for an `errno` value of a file.
    fileprivate init(_ number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .noFile
            case EACCES, EPERM: .noAccess
            default: .io
            }
    }
}
