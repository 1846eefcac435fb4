import Glibc
import System

/// A report that could not be written.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failed operation, as a phrase such as `cannot create the folder`.
    public var attempt: String
    /// The path.
    public var path: String
    /// What is wrong, in the system's words.
    public var cause: String
    /// What to do about it.
    public var advice: String
}

extension ReportError {
    /// Creates an error from one of the file system.
    init(_ error: FileError) {
        self.init(
            attempt: error.attempt, path: error.path, cause: error.cause,
            advice: Self.advice(for: error.code))
    }

    /// Returns the result of `body`; converts an error of the file system.
    static func converting<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(ReportError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw ReportError(error)
        }
    }

    /// Creates an error for a file whose content cannot be encoded as JSON.
    init(unencodable path: String, _ error: UnreadableReport) {
        self.init(
            attempt: "cannot encode the run as JSON", path: path, cause: error.why,
            advice: "this is a bug in conform; please report it with this line")
    }

    /// `path: attempt: cause; advice`.
    public var description: String { "\(path): \(attempt): \(cause); \(advice)" }

    private static func advice(for code: Int32) -> String {
        switch code {
        case EACCES, EPERM, EROFS: "choose a folder that you may write to with --reports DIR"
        case ENOSPC, EDQUOT: "free some space, or choose another disk with --reports DIR"
        case EISDIR: "a folder is in the way: name another file, or choose --reports DIR"
        case ENOTDIR, EEXIST: "a file is in the way: move it, or choose --reports DIR"
        case ELOOP: "remove the link, or choose --reports DIR"
        case ENAMETOOLONG: "choose a shorter path with --reports DIR"
        case EMFILE, ENFILE: "run fewer cases at once with --jobs N"
        default: "choose another place for it, with the option that names it or --reports DIR"
        }
    }
}
