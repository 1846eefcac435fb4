import Glibc

/// A file or a folder with which something could not be done.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, as a phrase such as `cannot create the file`.
    public let attempt: String
    /// The path, as it was named.
    public let path: String
    /// The number of `errno`; `EINVAL` for what `conform` itself refuses.
    public let code: Int32
    /// What is wrong.
    public let cause: String

    /// Makes an error from a number of `errno`.
    public init(_ attempt: String, _ path: String, errno code: Int32) {
        self.attempt = attempt
        self.path = path
        self.code = code
        cause =
            code == ELOOP
            ? "a symbolic link is in its place, which is not followed"
            : strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Makes an error of what the system would allow.
    init(_ attempt: String, _ path: String, refused cause: String) {
        self.attempt = attempt
        self.path = path
        code = EINVAL
        self.cause = cause
    }

    /// `path: attempt: cause`.
    public var description: String { "\(path): \(attempt): \(cause)" }
}
