import Glibc

/// A file that a user has named as an input, opened so that a special file cannot block.
///
/// Regular files and pipes are read. Folders, sockets and devices are refused, because the data of
/// a device may have no end. Inherited descriptors are read whatever they are, as `/dev/stdin` or
/// `/dev/fd/N`, which is what a shell passes for `<(command)`.
public final class NamedInput: Sendable {
    /// How long to wait for a named pipe that nobody has opened for writing.
    public static let writerWait = Duration.seconds(10)

    /// The path, for messages.
    public let path: String
    /// Whether it can be read only once, from start to end.
    public let isStream: Bool
    private let descriptor: Int32
    private let patience: Duration

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - patience: How long to wait for a pipe without a writer.
    public convenience init(
        _ path: String, patience: Duration = NamedInput.writerWait
    ) throws(FileError) {
        var status = stat()
        if let number = Self.inherited(path), fstat(number, &status) == 0,
            ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        {
            try self.init(copying: number, path: path)
            return
        }
        // Opening a device may already have an effect.
        if stat(path, &status) == 0, let name = Self.refused(status) {
            throw Self.error(path, refused: name)
        }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw Self.error(path, errno) }
        guard fstat(file, &status) == 0, Self.refused(status) == nil else {
            close(file)
            throw Self.error(path, refused: Self.refused(status) ?? "it is a special file")
        }
        self.init(file, path, isStream: status.st_mode & S_IFMT == S_IFIFO, patience)
    }

    /// Reads from a copy of another descriptor, and leaves that one open.
    public convenience init(copying number: Int32, path: String) throws(FileError) {
        let file = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard file >= 0 else { throw Self.error(path, errno) }
        var status = stat()
        let isRegular = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        // Its writers existed before; a pipe without a writer is at its end.
        self.init(file, path, isStream: !isRegular, .zero)
    }

    /// Takes over a descriptor of a regular file; any other descriptor is closed.
    convenience init?(descriptor: Int32, path: String) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.init(descriptor, path, isStream: false, .zero)
    }

    private init(_ descriptor: Int32, _ path: String, isStream: Bool, _ patience: Duration) {
        self.descriptor = descriptor
        self.path = path
        self.isStream = isStream
        self.patience = patience
    }

    deinit {
        close(descriptor)
    }

    /// Returns whether a path leads to something that can be read only once; opens nothing.
    public static func isStream(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
            && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Reads at least one byte and at most as many as the buffer holds; returns 0 at the end.
    ///
    /// - Throws: `FileError` if reading fails, or if nobody has opened a pipe for writing in time.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var limit: ContinuousClock.Instant?
        while true {
            if isStream, patience == .zero { wait(milliseconds: -1) }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return count }
            if count == 0 {
                guard isStream, patience > .zero, !hasHadWriter else { return 0 }
                // Nobody has the other end open yet.
                let end = limit ?? .now + patience
                limit = end
                guard .now < end else {
                    throw Self.error(
                        path, refused: "nobody has opened this pipe for writing in \(patience)")
                }
                wait(milliseconds: 50)
            } else if errno == EAGAIN {
                wait(milliseconds: -1)
            } else if errno != EINTR {
                throw FileError("cannot be read", path, errno: errno)
            }
        }
    }

    /// Returns the whole content, at most the given number of bytes.
    ///
    /// - Throws: `EFBIG` if there are more.
    public func contents(limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let result = chunk.withUnsafeMutableBytes { buffer in
                Result { () throws(FileError) in try read(into: buffer) }
            }
            let count = try result.get()
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw Self.error(path, EFBIG) }
        }
    }

    /// Whether the end of a pipe is final, because its last writer has closed it.
    private var hasHadWriter: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    private func wait(milliseconds: Int32) {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&state, 1, milliseconds)
    }

    /// Returns the descriptor of this process that a path names.
    private static func inherited(_ path: String) -> Int32? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count))
        }
        return nil
    }

    /// Returns why a kind of file is refused; `nil` if it is read.
    private static func refused(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFIFO: nil
        case S_IFDIR: "it is a folder"
        case S_IFCHR: "it is a character device, not a file"
        case S_IFBLK: "it is a block device, not a file"
        case S_IFSOCK: "it is a socket, not a file"
        default: "it is a special file"
        }
    }

    private static func error(_ path: String, _ code: Int32) -> FileError {
        FileError("cannot be read", path, errno: code)
    }

    private static func error(_ path: String, refused cause: String) -> FileError {
        FileError("cannot be read", path, refused: cause)
    }
}
