import Files
import Glibc

/// Files in the way stored reports are read.
enum FileInput {
    /// What is read at most of something that is no regular file, such as a pipe, in bytes.
    private static let streamLimit = 256 << 20

    /// The content of a file.
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

    /// Whether a path leads to something that can be read.
    static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }
}
