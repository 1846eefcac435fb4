/// A single report that goes where the user says.
public enum ReportFile {
    /// Writes a file whole, and makes its folder if it is not there.
    public static func write(_ text: String, to path: String) throws(ReportError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try FileOutput.makeFolder(String(path[..<slash]))
        }
        try FileOutput.replace(path, with: Array(text.utf8), durably: false)
    }
}
