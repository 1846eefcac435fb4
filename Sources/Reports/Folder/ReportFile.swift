/// A single report that goes where the user says.
public enum ReportFile {
    /// Writes a file whole, and makes its folder if it is not there; into what is no regular file, such
    /// as `/dev/stdout`, it writes.
    public static func write(_ text: String, to path: String) throws(ReportError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try FileOutput.makeFolder(String(path[..<slash]))
        }
        try FileOutput.deliver(Array(text.utf8), to: path, durably: false)
    }

    /// Draws the page of a stored run and those of its cases anew, where its other files are.
    ///
    /// - Returns: The path of the page.
    public static func redrawPages(of stored: StoredRun) throws(ReportError) -> String {
        var files = CaseFiles(in: stored.folder)
        for folder in files.folders { try FileOutput.makeFolder(folder) }
        try files.complete(stored.run)
        let path = "\(stored.folder)/index.html"
        let page = HTMLReport(
            stored.run, pages: files.pages(of: stored.run), evidence: stored.evidence)
        try write(page.text, to: path)
        return path
    }
}
