import System

/// A single report at a path that the user names.
public enum ReportFile {
    /// Replaces a file atomically, and creates its folder if there is none.
    ///
    /// A file that is not regular, such as `/dev/stdout`, is written into.
    public static func write(_ text: String, to path: String) throws(ReportError) {
        try ReportError.converting { () throws(FileError) in
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
                _ = try HeldFolder(making: String(path[..<slash]))
            }
            try NamedOutput(path).write(Array(text.utf8), durably: false)
        }
    }

    /// Creates the page of a stored run and the pages of its cases again, in the folder of the run.
    ///
    /// - Returns: The path of the page.
    public static func redrawPages(of stored: StoredRun) throws(ReportError) -> String {
        let folder = try ReportError.converting { () throws(FileError) in
            try HeldFolder(making: stored.folder)
        }
        var files = try CaseFiles(making: folder)
        try files.complete(stored.run)
        let path = "\(stored.folder)/index.html"
        let page = HTMLReport(
            stored.run, pages: files.pages(of: stored.run), evidence: stored.evidence)
        try write(page.text, to: path)
        for further in page.furtherCases {
            try write(further.text, to: "\(stored.folder)/\(further.name)")
        }
        return path
    }
}
