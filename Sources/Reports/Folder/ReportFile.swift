import Files

/// A single report that goes where the user says.
public enum ReportFile {
    /// Writes a file whole, and makes its folder if it is not there; into what is no regular file, such
    /// as `/dev/stdout`, it writes.
    public static func write(_ text: String, to path: String) throws(ReportError) {
        try ReportError.converting { () throws(FileError) in
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
                _ = try HeldFolder(making: String(path[..<slash]))
            }
            try NamedOutput(path).write(Array(text.utf8), durably: false)
        }
    }

    /// Draws the page of a stored run and those of its cases anew, where its other files are.
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
