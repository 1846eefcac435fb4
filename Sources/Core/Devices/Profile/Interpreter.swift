import Glibc
import System

/// The interpreter that the first line of a script names (execve(2)).
struct Interpreter {
    /// The script.
    let script: String
    /// The path of the interpreter.
    let path: String
    /// Whether the line ends as on Windows, so that the last word has a carriage return.
    private let endsWithCarriageReturn: Bool

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
        endsWithCarriageReturn = text.last == "\r"
        guard let path = text.split(whereSeparator: \.isWhitespace).first else { return nil }
        self.script = FilePath.absolute(program)
        self.path = String(path)
    }

    /// Why it cannot be started; `nil` if it is there.
    var fault: String? {
        if endsWithCarriageReturn {
            return "\(script) names its interpreter in a line that ends with a carriage return; "
                + "save the file with Unix line ends"
        }
        guard path.hasPrefix("/"), !FilePath.isRegularFile(path) else { return nil }
        return "\(script) names the interpreter \(path) in its first line, which does not exist; "
            + "install it, or correct the line"
    }
}
