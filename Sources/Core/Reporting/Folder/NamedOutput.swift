import Glibc
import System

/// The destination of a report that a user has named.
///
/// A regular file is replaced atomically; any other file is written into. The kind of file at the
/// path, and the target of a link, are determined when this is created. For a run this is before
/// its first device, which could create a link.
struct NamedOutput: Sendable {
    private enum Way {
        /// A regular file, or no file yet.
        case file(HeldFile)
        /// The standard output or error.
        ///
        /// It is not opened again, because a file would then be written from its beginning.
        case standard(Int32)
        /// A pipe or a device, which is opened for each write.
        case special(HeldFile)
    }

    private let path: String
    private let way: Way

    /// Determines the kind of file at a path, whose folder exists.
    init(_ path: String) throws(FileError) {
        self.path = path
        if let stream = Self.standardStream(at: path) {
            way = .standard(stream)
            return
        }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            way = .file(try HeldFile(path))
            return
        }
        let place = try Self.place(behind: path)
        guard stat(path, &status) == 0 else {
            throw FileError("cannot open the file", path, errno: errno)
        }
        way = status.st_mode & S_IFMT == S_IFREG ? .file(place) : .special(place)
    }

    /// Whether it is a stream, whose content cannot be replaced.
    var isStream: Bool { if case .file = way { false } else { true } }

    /// Throws if the report cannot be written there; a stream is not opened for that.
    func check() throws(FileError) {
        switch way {
        case .file(let place):
            let draft = place.appending(".new")
            close(try draft.create())
            draft.remove()
        case .standard: break
        case .special(let place):
            guard (try? place.heldFolder()) == nil else {
                throw FileError("cannot be a report", path, errno: EISDIR)
            }
        }
    }

    /// Writes the report.
    func write(_ bytes: [UInt8], durably: Bool) throws(FileError) {
        switch way {
        case .file(let place): try place.replace(with: bytes, durably: durably)
        case .standard(let stream): try HeldFile.put(bytes, into: stream, named: path)
        case .special(let place):
            let file = openat(
                place.folder.descriptor, place.name,
                O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
            guard file >= 0 else { throw FileError("cannot open", path, errno: errno) }
            defer { close(file) }
            try HeldFile.put(bytes, into: file, named: path)
        }
    }

    /// Returns the file that a path leads to, with all links resolved.
    private static func place(behind path: String) throws(FileError) -> HeldFile {
        guard let real = realpath(path, nil) else {
            throw FileError("cannot open the file", path, errno: errno)
        }
        defer { free(real) }
        return try HeldFile(String(cString: real))
    }

    private static func standardStream(at path: String) -> Int32? {
        var named = stat()
        guard stat(path, &named) == 0 else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
            var own = stat()
            return fstat(descriptor, &own) == 0 && own.st_dev == named.st_dev
                && own.st_ino == named.st_ino
        }
    }
}
