import Glibc

/// Files and folders in the way reports need them: whole or not at all.
enum FileOutput {
    /// Makes a folder and those above it; one that is there already is fine.
    static func makeFolder(_ path: String) throws(ReportError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
            guard mkdir(made, 0o777) != 0 else { continue }
            let code = errno
            guard isFolder(made) else {
                throw ReportError("cannot create the folder", made, errno: code)
            }
        }
    }

    /// Replaces a file at once: a reader sees the old content or the new one, never a part.
    ///
    /// - Parameter durably: Whether the content is forced to the disk first, so that it also
    ///   survives a failure of the machine; a killed process needs none of that.
    static func replace(
        _ path: String, with bytes: [UInt8], durably: Bool
    ) throws(ReportError) {
        let draft = path + ".new"
        // What somebody has put there is not written into.
        _ = unlink(draft)
        let file = Glibc.open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw ReportError("cannot create the file", draft, errno: errno) }
        do throws(ReportError) {
            try put(bytes, into: file, named: draft)
            if durably, fsync(file) != 0, errno != EINVAL, errno != EROFS {
                throw ReportError("cannot write to the disk", draft, errno: errno)
            }
        } catch {
            _ = Glibc.close(file)
            _ = unlink(draft)
            throw error
        }
        guard Glibc.close(file) == 0 else {
            throw ReportError("cannot write", draft, errno: errno)
        }
        guard rename(draft, path) == 0 else {
            throw ReportError("cannot replace the file", path, errno: errno)
        }
    }

    /// Whether a path that a user has named leads to something that is written into, and not
    /// replaced: a link, a pipe, a terminal or another device.
    static func isWrittenInto(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Whether what is at a path takes all that is written as it comes, and forgets nothing.
    static func isStream(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
            || standardStream(at: path) != nil
    }

    /// Writes a file that a user has named: replaces a regular one at once, and writes into
    /// everything else.
    static func deliver(
        _ bytes: [UInt8], to path: String, durably: Bool
    ) throws(ReportError) {
        guard isWrittenInto(path) else {
            return try replace(path, with: bytes, durably: durably)
        }
        if let stream = standardStream(at: path) {
            return try put(bytes, into: stream, named: path)
        }
        let file = Glibc.open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw ReportError("cannot open", path, errno: errno) }
        do throws(ReportError) {
            try put(bytes, into: file, named: path)
        } catch {
            _ = Glibc.close(file)
            throw error
        }
        guard Glibc.close(file) == 0 else { throw ReportError("cannot write", path, errno: errno) }
    }

    /// The standard output or error, if that is what is at a path; opened anew, a file would be
    /// written from its beginning.
    private static func standardStream(at path: String) -> Int32? {
        var named = stat()
        guard stat(path, &named) == 0 else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
            var own = stat()
            return fstat(descriptor, &own) == 0 && own.st_dev == named.st_dev
                && own.st_ino == named.st_ino
        }
    }

    /// Copies a file as a whole; where the file system can, both names lead to one content.
    static func copy(_ source: String, to path: String) throws(ReportError) {
        _ = unlink(path)
        if link(source, path) == 0 { return }
        let bytes: [UInt8]
        do throws(UnreadableReport) {
            bytes = try FileInput.bytes(of: source)
        } catch {
            throw ReportError(
                attempt: "cannot copy the file", path: source, cause: error.why,
                advice: "make it readable")
        }
        try replace(path, with: bytes, durably: false)
    }

    /// Adds to the end of a file.
    static func append(_ bytes: [UInt8], to path: String) throws(ReportError) {
        let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw ReportError("cannot open the file", path, errno: errno) }
        defer { _ = Glibc.close(file) }
        try put(bytes, into: file, named: path)
    }

    private static func put(
        _ bytes: [UInt8], into file: Int32, named path: String
    ) throws(ReportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw ReportError("cannot write", path, errno: errno)
            }
            rest = rest.dropFirst(written)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
