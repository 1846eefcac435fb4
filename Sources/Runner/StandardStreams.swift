import Glibc

/// The standard error stream, written line by line without a buffer.
public enum StandardError {
    /// Writes a line; nothing can be done about a failure to do so.
    public static func print(_ line: String) { writeText(line + "\n", to: STDERR_FILENO) }
}

/// The standard output, written without a buffer, so that nothing is lost when the program is killed
/// and a CI log shows each line when it is due.
public enum StandardOutput {
    /// Writes a line; nothing can be done about a failure to do so.
    public static func print(_ line: String) { writeText(line + "\n", to: STDOUT_FILENO) }

    /// Writes text as it is, without a line end of its own.
    public static func write(_ text: String) { writeText(text, to: STDOUT_FILENO) }

    /// Writes text that a caller has collected.
    public static func write(_ utf8: [UInt8]) { writeBytes(utf8, to: STDOUT_FILENO) }
}

private func writeText(_ text: String, to descriptor: Int32) {
    writeBytes(Array(text.utf8), to: descriptor)
}

private func writeBytes(_ bytes: [UInt8], to descriptor: Int32) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        bytes = bytes.dropFirst(max(0, count))
    }
}
