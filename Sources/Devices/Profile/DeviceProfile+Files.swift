import Files
import Glibc

extension DeviceProfile {
    /// The files that its command and those of its companions are made of: the program, and each
    /// argument that names a regular file, such as a script; none for a device that is attached.
    public var launchedFiles: [String] {
        let own = companions.flatMap { profile(of: $0).launchedFiles }
        guard case .launch(let words) = access, let program = words.first else { return own }
        let folder = workingDirectory.flatMap { $0.contains("${") ? nil : $0 } ?? "."
        let arguments = words.dropFirst().map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        return ([found(program, from: folder)] + arguments).filter(FilePath.isRegularFile)
            .map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 } + own
    }

    /// Why its program cannot be started, as far as that shows before a run: by its path or by PATH,
    /// where no placeholder is in them; `nil` where nothing shows it.
    public var launchFault: String? {
        guard case .launch(let words) = access, let program = words.first,
            !(program + (workingDirectory ?? "") + (environment["PATH"] ?? "")).contains("${")
        else { return nil }
        let path = found(program, from: workingDirectory ?? ".")
        guard path.contains("/") else {
            return "the program \(program) is in no folder of PATH; install it, or write its path"
        }
        guard FilePath.isRegularFile(path) else {
            let shown = path.hasPrefix("././") ? path.dropFirst(2) : path[...]
            return "there is no program \(shown)"
        }
        return Glibc.access(path, X_OK) == 0
            ? nil : "\(path) is not executable; make it so: chmod +x \(path)"
    }

    /// Where a program is found, by its path or by PATH.
    private func found(_ program: String, from folder: String) -> String {
        guard !program.contains("/") else {
            return program.hasPrefix("/") ? program : "\(folder)/\(program)"
        }
        let path = environment["PATH"] ?? DeviceHome.searchPath
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { Glibc.access($0, X_OK) == 0 } ?? program
    }
}
