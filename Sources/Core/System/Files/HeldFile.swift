import Glibc

/// A name in a held folder, with operations on the file of that name.
///
/// No operation follows a link: a link in the place of a file is replaced, or is an error.
public struct HeldFile: Sendable {
    /// The folder.
    public let folder: HeldFolder
    /// The name, of one part.
    public let name: String

    init(folder: HeldFolder, name: String) {
        self.folder = folder
        self.name = name
    }

    /// Creates the place of a file that a user has named; links to its folder are followed.
    public init(_ path: String) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        let last = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard !["", ".", ".."].contains(last) else {
            throw FileError("cannot be a file", path, errno: EISDIR)
        }
        folder = try HeldFolder(slash.map { String(path[...$0]) } ?? ".")
        name = String(last)
    }

    /// The path, for messages.
    public var path: String {
        folder.path.isEmpty || folder.path == "."
            ? name : folder.path + (folder.path.hasSuffix("/") ? "" : "/") + name
    }

    /// Returns the place whose name has another end, which replaces `old` if the name ends in that.
    public func appending(_ end: String, dropping old: String = "") -> HeldFile {
        let start = name.hasSuffix(old) ? String(name.dropLast(old.count)) : name
        return HeldFile(folder: folder, name: start + end)
    }

    /// Whether anything exists at the place.
    public var isThere: Bool { status != nil }

    /// Whether it is a symbolic link.
    public var isLink: Bool { status.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    /// Whether it is a pipe, a socket or a device.
    public var isSpecial: Bool {
        status.map { ![S_IFREG, S_IFDIR, S_IFLNK].contains($0.st_mode & S_IFMT) } ?? false
    }

    /// The size of the regular file in bytes; `nil` if there is none.
    public var size: Int? {
        status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
    }

    private var status: stat? {
        var status = stat()
        let found = fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        return found ? status : nil
    }

    /// Opens the file; does not follow links, and does not wait for the other end of a pipe.
    ///
    /// - Returns: A descriptor, which the caller closes.
    public func open(_ flags: Int32, mode: mode_t = 0o666) throws(FileError) -> Int32 {
        guard let file = opened(flags, mode: mode) else {
            throw FileError("cannot open the file", path, errno: errno)
        }
        return file
    }

    /// Returns the descriptor of the file; `nil` with `errno` if it cannot be opened.
    private func opened(_ flags: Int32, mode: mode_t) -> Int32? {
        let file = openat(
            folder.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
        return file >= 0 ? file : nil
    }

    /// Creates a new file; an existing one is removed and not written to.
    ///
    /// - Returns: A descriptor, which the caller closes.
    public func create(mode: mode_t = 0o666) throws(FileError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        // Nearly always no file exists.
        if let file = opened(flags, mode: mode) { return file }
        remove()
        return try open(flags, mode: mode)
    }

    /// Replaces the file atomically: a reader sees the old content or the new one, never a part.
    ///
    /// - Parameter durably: Whether the content is first forced to the disk, so that it survives a
    ///   failure of the machine; a killed process does not need that.
    public func replace(with bytes: [UInt8], durably: Bool = false) throws(FileError) {
        let draft = appending(".new")
        let file = try draft.create()
        do throws(FileError) {
            let written = Result { () throws(FileError) in
                try Self.put(bytes, into: file, named: draft.path)
                if durably, fsync(file) != 0, errno != EINVAL, errno != EROFS {
                    throw FileError("cannot write to the disk", draft.path, errno: errno)
                }
            }
            let isClosed = close(file) == 0
            try written.get()
            guard isClosed else { throw FileError("cannot write", draft.path, errno: errno) }
            try draft.rename(to: self)
        } catch {
            draft.remove()
            throw error
        }
    }

    /// Appends to the file, which is created if it does not exist.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        let file = try open(O_WRONLY | O_APPEND | O_CREAT)
        defer { close(file) }
        try Self.put(bytes, into: file, named: path)
    }

    /// Moves the file to another place and replaces what is there.
    public func rename(to other: HeldFile) throws(FileError) {
        guard renameat(folder.descriptor, name, other.folder.descriptor, other.name) == 0 else {
            throw FileError("cannot replace the file", other.path, errno: errno)
        }
    }

    /// Links the file of another path to this name; returns whether the file system could.
    ///
    /// An existing file of this name is removed.
    public func link(from path: String) -> Bool {
        remove()
        return linkat(AT_FDCWD, path, folder.descriptor, name, 0) == 0
    }

    /// The regular file as an input; `nil` if it cannot be opened.
    public var input: NamedInput? {
        (try? open(O_RDONLY)).flatMap { NamedInput(descriptor: $0, path: path) }
    }

    /// The content of the regular file; `nil` if it cannot be read.
    public var contents: [UInt8]? { input.flatMap { try? $0.contents(limit: .max) } }

    /// Removes what is there, a folder with its contents; a link is removed itself.
    public func remove() {
        if unlinkat(folder.descriptor, name, 0) == 0 || errno == ENOENT { return }
        guard let inner = try? heldFolder() else { return }
        inner.empty()
        unlinkat(folder.descriptor, name, AT_REMOVEDIR)
    }

    /// Creates a folder that must not exist yet, and holds it.
    public func makeFolder(mode: mode_t = 0o777) throws(FileError) -> HeldFolder {
        guard mkdirat(folder.descriptor, name, mode) == 0 else {
            throw FileError("cannot create the folder", path, errno: errno)
        }
        return try heldFolder()
    }

    /// Holds the folder, which is created if it does not exist.
    public func madeFolder(mode: mode_t = 0o777) throws(FileError) -> HeldFolder {
        if mkdirat(folder.descriptor, name, mode) != 0, errno != EEXIST {
            throw FileError("cannot create the folder", path, errno: errno)
        }
        return try heldFolder()
    }

    /// Holds the existing folder.
    public func heldFolder() throws(FileError) -> HeldFolder { try folder.opened(name) }

    /// Writes all bytes into an open file.
    public static func put(
        _ bytes: [UInt8], into file: Int32, named path: String
    ) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw FileError("cannot write", path, errno: errno)
            }
            rest = rest.dropFirst(written)
        }
    }
}
