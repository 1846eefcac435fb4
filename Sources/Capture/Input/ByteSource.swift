import Files
import Glibc

/// Where the bytes of a capture come from, read once from front to back.
protocol ByteSource: AnyObject {
    /// Reads at least one byte into the buffer, at most as many as it holds; 0 at the end.
    ///
    /// - Throws: `.io`, or `.truncated` and `.damaged` for compressed data.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
}

extension ByteSource {
    /// Reads into the part of an array behind `start`, which must not be empty.
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
    /// The path that stands for standard input.
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

    /// Reads an input.
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
            guard let following, following.goesOn(after: idle) else { return 0 }
            poll(nil, 0, Following.pauseMilliseconds)
            idle += .milliseconds(Int(Following.pauseMilliseconds))
        }
    }
}

/// How to read a capture that is still being written.
public struct Following: Sendable {
    /// How long the file may stay as it is before it counts as finished; `nil` for ever.
    public var idleLimit: Duration?
    /// Asked while nothing comes; the end of the file is its end when it says so.
    public var isCancelled: @Sendable () -> Bool

    /// A file has no descriptor that becomes readable, so it is looked at so often.
    static let pauseMilliseconds: Int32 = 20

    /// Makes a description.
    public init(
        idleLimit: Duration? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.idleLimit = idleLimit
        self.isCancelled = isCancelled
    }

    func goesOn(after idle: Duration) -> Bool {
        if let idleLimit, idle >= idleLimit { return false }
        return !isCancelled()
    }
}

/// Bytes that have been read already, then those of another source.
final class CompressedInput {
    let path: String
    private let source: any ByteSource
    private(set) var block: [UInt8]
    /// How many bytes of all have been handed on, for complaints.
    private(set) var position = 0

    /// Such blocks as the file itself is read in.
    private static let blockBytes = 64 << 10

    init(path: String, beginning: [UInt8], then source: any ByteSource) {
        self.path = path
        block = beginning
        self.source = source
    }

    /// The next bytes; none at the end.
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
