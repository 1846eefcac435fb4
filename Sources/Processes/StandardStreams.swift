import Glibc
import Synchronization

/// The standard error stream, written line by line without a buffer.
public enum StandardError {
    /// Writes a line; nothing can be done about a failure to do so.
    public static func print(_ line: String) {
        _ = writeBytes(Array((CommandGuard.harmless(line) + "\n").utf8), to: STDERR_FILENO)
    }
}

/// The standard output, written without a buffer, so that nothing is lost when the program is killed
/// and a CI log shows each line when it is due.
///
/// No text in it can be taken for a command by the engine whose log it is.
public enum StandardOutput {
    private static let failureNumber = Atomic<Int32>(0)

    /// Why something could not be written; `nil` if all was, or if the reader had enough.
    public static var failure: String? {
        let number = failureNumber.load(ordering: .relaxed)
        return number == 0 ? nil : errnoText(number)
    }

    /// Writes a line.
    public static func print(_ line: String) { write(line + "\n") }

    /// Writes text as it is, without a line end of its own.
    public static func write(_ text: String) { write(Array(CommandGuard.harmless(text).utf8)) }

    /// Writes a command for the engine whose log this is.
    public static func command(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes a document whose form allows no change.
    public static func document(_ text: String) { write(Array(text.utf8)) }

    /// Writes text that a caller has collected.
    public static func write(_ utf8: [UInt8]) {
        let number = writeBytes(utf8, to: STDOUT_FILENO)
        if number != 0, number != EPIPE { failureNumber.store(number, ordering: .relaxed) }
    }
}

/// Keeps text from being taken for a command by a CI engine: GitHub's begin a line with `::`, those
/// of Azure and of older GitHub runners, `##vso[` and `##[`, may be anywhere.
public enum CommandGuard {
    /// The text with the first character of each command written as `\xNN`.
    public static func harmless(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.indices.contains(where: { begins(at: $0, in: bytes) }) else { return text }
        var safe: [UInt8] = []
        for index in bytes.indices {
            if begins(at: index, in: bytes) {
                safe += Array((bytes[index] == UInt8(ascii: ":") ? "\\x3A" : "\\x23").utf8)
            } else {
                safe.append(bytes[index])
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }

    private static func begins(at index: Int, in bytes: [UInt8]) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "#"):
            let rest = bytes[index...]
            return rest.starts(with: "##[".utf8) || rest.starts(with: "##vso[".utf8)
        case UInt8(ascii: ":"):
            guard bytes[index...].starts(with: "::".utf8) else { return false }
            let before = bytes[..<index].last {
                $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
            }
            return before == nil || before == UInt8(ascii: "\n") || before == UInt8(ascii: "\r")
        default: return false
        }
    }
}

/// Writes all bytes; 0, or the error number of what kept it from that.
private func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var bytes = bytes[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return errno }
        bytes = bytes.dropFirst(max(0, count))
    }
    return 0
}
