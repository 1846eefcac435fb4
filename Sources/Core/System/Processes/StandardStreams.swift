import Glibc
import Synchronization

/// The standard error stream, written line by line without a buffer.
public enum StandardError {
    /// Writes a line; a failure is ignored, because it cannot be reported.
    public static func print(_ line: String) {
        _ = writeBytes(Array((CommandGuard.harmless(line) + "\n").utf8), to: STDERR_FILENO)
    }
}

/// The standard output, written without a buffer.
///
/// So nothing is lost when the program is killed, and a CI log shows each line at once. No text in
/// it can be mistaken for a command by the CI engine whose log it is.
public enum StandardOutput {
    private static let failureNumber = Atomic<Int32>(0)

    /// Why some output could not be written; `nil` if there was no error.
    ///
    /// It is not an error if the reader has closed the pipe.
    public static var failure: String? {
        let number = failureNumber.load(ordering: .relaxed)
        return number == 0 ? nil : errnoText(number)
    }

    /// Writes a line.
    public static func print(_ line: String) { write(line + "\n") }

    /// Writes text unchanged, without adding a line end.
    public static func write(_ text: String) { write(Array(CommandGuard.harmless(text).utf8)) }

    /// Writes a command for the CI engine whose log this is.
    public static func command(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes a document whose format allows no change.
    public static func document(_ text: String) { write(Array(text.utf8)) }

    /// Writes text as UTF-8 bytes that a caller has collected.
    public static func write(_ utf8: [UInt8]) {
        let number = writeBytes(utf8, to: STDOUT_FILENO)
        if number != 0, number != EPIPE { failureNumber.store(number, ordering: .relaxed) }
    }
}

/// Prevents a CI engine from mistaking text for a command.
///
/// GitHub's commands begin a line with `::`. Those of Azure and of older GitHub runners, `##vso[`
/// and `##[`, may be anywhere.
public enum CommandGuard {
    /// Returns the text with the first character of each command written as `\xNN`.
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

    /// Returns lines with the first character of each command escaped.
    ///
    /// - Parameters:
    ///   - lines: Whole lines of UTF-8.
    ///   - isJSON: Whether they are JSON, in which such characters stand only in texts.
    public static func harmless(_ lines: [UInt8], isJSON: Bool) -> [UInt8] {
        let isPlain = lines.withUnsafeBufferPointer { bytes in
            bytes.indices.allSatisfy { index in
                let byte = bytes[index]
                guard byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":"),
                    index + 1 < bytes.count
                else { return true }
                return bytes[index + 1] != byte
            }
        }
        if isPlain { return lines }
        let text = String(decoding: lines, as: UTF8.self)
        guard isJSON else { return Array(harmless(text).utf8) }
        return Array(
            text.replacing("##[", with: "\\u0023#[").replacing("##vso[", with: "\\u0023#vso[").utf8)
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

/// Writes all bytes; returns 0, or the error number of the failure.
private func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var bytes = bytes[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return errno }
        bytes = bytes.dropFirst(max(0, count))
    }
    return 0
}
