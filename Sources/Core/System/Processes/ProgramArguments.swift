import CSandbox
import Glibc

/// How this program was started, available even without `/proc`.
public enum ProgramArguments {
    /// The words after the program's name.
    public static let words: [String] = {
        var words: [String] = []
        guard let given = conform_arguments() else { return words }
        while let word = given[words.count + 1] { words.append(String(cString: word)) }
        return words
    }()

    /// The path with which the program was started.
    public static var programPath: String {
        conform_program_path().map { String(cString: $0) } ?? ""
    }

    /// The path of the running program; without `/proc` the path with which it was started.
    public static var executablePath: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return programPath }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
