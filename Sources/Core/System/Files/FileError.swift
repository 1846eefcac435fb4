import Glibc

/// An operation on a file or a folder that failed.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation, as a phrase such as `cannot create the file`.
    public let attempt: String
    /// The path as it was given.
    public let path: String
    /// The `errno` value; `EINVAL` if `conform` itself refuses the operation.
    public let code: Int32
    /// The cause.
    public let cause: String

    /// Creates an error from an `errno` value.
    public init(_ attempt: String, _ path: String, errno code: Int32) {
        self.attempt = attempt
        self.path = path
        self.code = code
        cause =
            code == ELOOP
            ? "a symbolic link is in its place, which is not followed"
            : strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Creates an error for an operation that the system would allow.
    init(_ attempt: String, _ path: String, refused cause: String) {
        self.attempt = attempt
        self.path = path
        code = EINVAL
        self.cause = cause
    }

    /// `path: attempt: cause`.
    public var description: String { "\(path): \(attempt): \(cause)" }
}
