import Glibc
import SuiteLanguage
import System

/// A path in `conform.yaml`.
struct ProjectPath: Sendable {
    /// The key that names it.
    let key: String
    /// The path as written.
    let text: String
    /// The path from the working directory.
    let path: String
    /// Where it is written.
    let position: SourcePosition

    /// What is wrong with it; `nil` if it can be used.
    var fault: Diagnostic? {
        let isFolder = ["include", "reports", "folder"].contains(key)
        var status = stat()
        if stat(path, &status) == 0 {
            guard isFolder, status.st_mode & S_IFMT != S_IFDIR else { return nil }
            return Diagnostic(
                "not-a-folder", "\"\(key)\" names \"\(text)\", which is not a folder",
                at: position, advice: "name a folder")
        }
        // The folder of the reports is made by a run.
        guard errno == ENOENT, !["reports", "folder"].contains(key) else { return nil }
        return Diagnostic(
            "missing-path", "\"\(key)\" names \"\(text)\", which does not exist",
            at: position, advice: advice)
    }

    private var advice: String {
        guard let near = Suggestion.neighbour(of: path) else {
            return "paths are relative to the folder of \(ProjectFile.name)"
        }
        return "did you mean \"\(near)\"?"
    }
}
