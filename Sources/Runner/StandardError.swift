import Glibc

/// The standard error stream, written line by line without a buffer.
public enum StandardError {
    /// Writes a line; nothing can be done about a failure to do so.
    public static func print(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
