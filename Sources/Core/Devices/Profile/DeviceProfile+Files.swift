import Glibc
import System

extension DeviceProfile {
    /// The files that its command and the commands of its companions use.
    ///
    /// These are the program, and each argument that names a regular file, such as a script. An
    /// attached device has no such files of its own.
    public var launchedFiles: [String] {
        let own = companions.flatMap { profile(of: $0).launchedFiles }
        guard case .launch(let words) = access, let program = words.first else { return own }
        let folder = workingDirectory.flatMap { $0.contains("${") ? nil : $0 } ?? "."
        let arguments = words.dropFirst().map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        return ([found(program, from: folder)] + arguments).filter(FilePath.isRegularFile)
            .map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 } + own
    }

    /// Why its program cannot be started, if that is known before a run; `nil` otherwise.
    ///
    /// The program is looked up by its path or by PATH, unless they contain placeholders.
    public var launchFault: String? {
        guard case .launch(let words) = access, let program = words.first else { return nil }
        if let whole = commandInOneText(program) { return whole }
        guard !(program + (workingDirectory ?? "") + (environment["PATH"] ?? "")).contains("${")
        else { return nil }
        if let folder = workingDirectory, !FilePath.isFolder(folder) {
            return "there is no folder \(folder), its working directory; correct \"cwd\""
        }
        let path = found(program, from: workingDirectory ?? ".")
        guard path.contains("/") else {
            return "the program \(program) is in no folder of PATH; install it, or write its path"
        }
        let shown = FilePath.absolute(path)
        guard FilePath.isRegularFile(path) else {
            if FilePath.isFolder(path) { return "\(shown) is a folder, not a program" }
            guard Glibc.access(path, F_OK) == 0 || errno != EACCES else {
                return "\(shown) cannot be reached: Permission denied; allow this user to enter "
                    + "the folders above it"
            }
            return "there is no program \(shown)"
        }
        guard Glibc.access(path, X_OK) == 0 else {
            return "\(shown) is not executable; make it so: chmod +x \(shown)"
        }
        return Interpreter(of: path)?.fault
    }

    /// Why a program with its arguments in one text cannot be started; `nil` if it is not one.
    private func commandInOneText(_ text: String) -> String? {
        guard let program = text.split(whereSeparator: \.isWhitespace).first.map(String.init),
            program != text, !program.contains("${")
        else { return nil }
        let folder = workingDirectory.flatMap { $0.contains("${") ? nil : $0 } ?? "."
        guard !FilePath.isRegularFile(found(text, from: folder)),
            FilePath.isRegularFile(found(program, from: folder))
        else { return nil }
        if text.contains(where: { "|&;<>`".contains($0) }) {
            return "there is no program \"\(text)\": a text is a program without arguments; for a "
                + "line of the shell write launch: [sh, -c, \"\(text)\"]"
        }
        let words = text.split(whereSeparator: \.isWhitespace).map {
            $0.contains { "{}[],:#&*!|>'\"%@`".contains($0) } ? "\"\($0)\"" : String($0)
        }
        return "there is no program \"\(text)\": a text is a program without arguments; write "
            + "launch: [\(words.joined(separator: ", "))]"
    }

    /// Returns the path of a program, given its path or a name in PATH.
    private func found(_ program: String, from folder: String) -> String {
        guard !program.contains("/"), ![".", ".."].contains(program) else {
            return program.hasPrefix("/") ? program : "\(folder)/\(program)"
        }
        let path = environment["PATH"] ?? DeviceHome.searchPath
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { Glibc.access($0, X_OK) == 0 } ?? program
    }
}
