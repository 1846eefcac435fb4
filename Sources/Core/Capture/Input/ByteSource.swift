import Glibc
import System

/// A source of the bytes of a capture, read once from front to back.
protocol ByteSource: AnyObject {
    /// Reads at least one byte into the buffer, at most its capacity; returns 0 at the end.
    ///
    /// - Throws: `.io`, or `.truncated` and `.damaged` for compressed data.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
}

extension ByteSource {
    /// Reads into the part of an array from `start` on, which must not be empty.
    func read(into storage: inout [UInt8], from start: Int) throws(CaptureError) -> Int {
        let result = storage.withUnsafeMutableBytes { buffer in
            Result { () throws(CaptureError) in
                try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            }
        }
        return try result.get()
    }
}

/// A file, a pipe or standard input.
final class FileSource: ByteSource {
    /// The path that means standard input.
    static let standardInput = "-"

    let path: String
    private let input: NamedInput
    private let following: Following?

    /// Opens a file; `-` is standard input.
    convenience init(path: String, following: Following?) throws(CaptureError) {
        let input = try CaptureError.converting { () throws(FileError) in
            path == Self.standardInput
                ? try NamedInput(copying: STDIN_FILENO, path: "standard input")
                : try NamedInput(path)
        }
        self.init(input, following: following)
    }

    /// Creates a source for an open input.
    init(_ input: NamedInput, following: Following? = nil) {
        self.input = input
        path = input.path
        self.following = following
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        var idle = Duration.zero
        while true {
            let count = try CaptureError.converting { () throws(FileError) in
                try input.read(into: buffer)
            }
            if count > 0 { return count }
            guard let following, following.continues(after: idle) else { return 0 }
            poll(nil, 0, Following.pauseMilliseconds)
            idle += .milliseconds(Int(Following.pauseMilliseconds))
        }
    }
}

/// The way in which a capture is read that is still being written.
public struct Following: Sendable {
    /// The time without growth after which the file counts as finished; `nil` for ever.
    public var idleLimit: Duration?
    /// Queried while nothing arrives; if it returns `true`, the current end of the file is final.
    public var isCancelled: @Sendable () -> Bool

    /// The polling interval, because a file has no descriptor that becomes readable.
    static let pauseMilliseconds: Int32 = 20

    /// Creates a description.
    public init(
        idleLimit: Duration? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.idleLimit = idleLimit
        self.isCancelled = isCancelled
    }

    func continues(after idle: Duration) -> Bool {
        if let idleLimit, idle >= idleLimit { return false }
        return !isCancelled()
    }
}

/// Bytes that have been read already, followed by those of another source.
final class CompressedInput {
    let path: String
    private let source: any ByteSource
    private(set) var block: [UInt8]
    /// The total number of bytes that have been passed on, for error messages.
    private(set) var position = 0

    /// The block size, the same as for the file itself.
    private static let blockBytes = 64 << 10

    init(path: String, beginning: [UInt8], then source: any ByteSource) {
        self.path = path
        block = beginning
        self.source = source
    }

    /// Returns the next bytes; empty at the end.
    func nextBlock() throws(CaptureError) -> [UInt8] {
        if block.isEmpty {
            var fresh = [UInt8](repeating: 0, count: Self.blockBytes)
            let count = try source.read(into: &fresh, from: 0)
            fresh.removeLast(fresh.count - count)
            block = fresh
        }
        defer { block = [] }
        position += block.count
        return block
    }

    func fault(_ code: CaptureError.Code, _ detail: String) -> CaptureError {
        CaptureError(code, path, detail)
    }
}
