import Glibc

/// Files in the way stored reports are read.
enum FileInput {
    /// What is read at most of something that is no regular file, such as a pipe, in bytes.
    private static let streamLimit = 256 << 20

    /// The content of a file.
    static func bytes(of path: String) throws(UnreadableReport) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        defer { close(file) }
        var status = stat()
        let isStream = fstat(file, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                guard !isStream || bytes.count <= streamLimit else {
                    throw unreadable(path, EFBIG)
                }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw unreadable(path, errno)
            }
        }
    }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path leads to something that can be read.
    static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

    private static func unreadable(_ path: String, _ code: Int32) -> UnreadableReport {
        let cause = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return UnreadableReport(
            what: path, line: nil, why: "it cannot be read: \(cause)",
            advice: "give a report folder, its results.json or its journal.jsonl")
    }
}
