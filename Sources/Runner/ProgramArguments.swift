import CSandbox

/// How this program was started, known also where there is no `/proc`.
public enum ProgramArguments {
    /// The words after the program's name.
    public static let words: [String] = {
        var words: [String] = []
        guard let given = conform_arguments() else { return words }
        while let word = given[words.count + 1] { words.append(String(cString: word)) }
        return words
    }()

    /// The path by which the program was found.
    public static var programPath: String {
        conform_program_path().map { String(cString: $0) } ?? ""
    }
}
