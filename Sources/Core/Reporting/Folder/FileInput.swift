import Glibc
import System

/// Access to the files of stored reports.
enum FileInput {
    /// How many bytes are read at most from a file that is not regular, such as a pipe.
    private static let streamLimit = 256 << 20

    /// Returns the content of a file.
    static func bytes(of path: String) throws(UnreadableReport) -> [UInt8] {
        do throws(FileError) {
            let input = try NamedInput(path)
            return try input.contents(limit: input.isStream ? streamLimit : .max)
        } catch {
            throw UnreadableReport(
                what: path, line: nil, why: "it cannot be read: \(error.cause)",
                advice: "give a report folder, its results.json or its journal.jsonl")
        }
    }

    /// Returns whether a path leads to a readable file or folder.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return access(path, R_OK) == 0 && stat(path, &status) == 0
            && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}
