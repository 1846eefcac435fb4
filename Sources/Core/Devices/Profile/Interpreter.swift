import Glibc
import System

/// The interpreter that the first line of a script names (execve(2)).
struct Interpreter {
    /// The script.
    let script: String
    /// The path of the interpreter, as it is written.
    let path: String

    /// Reads the first line of a program; `nil` if it names no interpreter.
    init?(of program: String) {
        guard let file = fopen(program, "r") else { return nil }
        defer { fclose(file) }
        // The kernel reads as many.
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        guard bytes.starts(with: "#!".utf8) else { return nil }
        let line = bytes[2..<max(2, count)].prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self)
        guard let path = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first else {
            return nil
        }
        self.script = program
        self.path = String(path)
    }

    /// Why it cannot be started; `nil` if it is there.
    var fault: String? {
        guard path.hasPrefix("/"), !FilePath.isRegularFile(path) else { return nil }
        let named = path.last == "\r" ? String(path.dropLast()) : path
        let text = "\(script) names the interpreter \(named) in its first line"
        return path == named
            ? "\(text), which does not exist; install it, or correct the line"
            : "\(text), with a carriage return behind it; save the file with Unix line ends"
    }
}
