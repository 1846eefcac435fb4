import Glibc

/// A folder that is held by its descriptor, so that files written into it cannot go elsewhere.
///
/// The path of the folder itself may contain links, as the user named it. Below it no link is
/// followed: a path is resolved with `openat` and `O_NOFOLLOW`, name by name, and a link in it is
/// an error. So nobody can redirect files by replacing a folder on the way.
public final class HeldFolder: Sendable {
    /// The open folder, closed on exec.
    public let descriptor: Int32
    /// The path by which it was reached, for messages.
    public let path: String

    private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Holds a folder that exists; links on the way to it are followed.
    public convenience init(_ path: String) throws(FileError) {
        let descriptor = open(path.isEmpty ? "." : path, Self.flags)
        guard descriptor >= 0 else { throw FileError("cannot open the folder", path, errno: errno) }
        self.init(descriptor: descriptor, path: path)
    }

    /// Creates a folder and its parents, and holds it; it may exist already.
    public convenience init(making path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
            guard mkdir(made, 0o777) != 0 else { continue }
            let code = errno
            var status = stat()
            guard stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw FileError("cannot create the folder", made, errno: code)
            }
        }
        try self.init(path)
    }

    /// Takes over an inherited descriptor, and hides it from programs that are started.
    public convenience init(inherited descriptor: Int32, path: String) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(descriptor: descriptor, path: path)
    }

    /// Returns the place of a file inside, by its path relative to the folder.
    ///
    /// - Parameters:
    ///   - inside: The path; each folder in it is held while the next one is opened.
    ///   - making: Whether missing folders are created.
    public func place(_ inside: String, making: Bool = false) throws(FileError) -> HeldFile {
        let parts = inside.split(separator: "/").map(String.init)
        guard let name = parts.last, parts.allSatisfy({ $0 != "." && $0 != ".." }) else {
            throw FileError("cannot be in the folder", "\(path)/\(inside)", errno: EINVAL)
        }
        var folder = self
        for part in parts.dropLast() {
            let step = HeldFile(folder: folder, name: part)
            folder = try making ? step.madeFolder() : step.heldFolder()
        }
        return HeldFile(folder: folder, name: name)
    }

    /// The names of its entries; empty if it cannot be read.
    public var names: [String] {
        // A new descriptor has its own offset.
        let copy = openat(descriptor, ".", Self.flags)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes all entries.
    func empty() {
        // Folders nested deeper than there are descriptors are moved up, and removed in the next
        // round.
        var rounds = 0
        var moved = 0
        repeat {
            moved = 0
            empty(depth: 0, top: self, round: rounds, &moved)
            rounds += 1
        } while moved > 0 && rounds < Self.roundsMax
    }

    private static let depthMax = 64
    private static let roundsMax = 4_096

    private func empty(depth: Int, top: HeldFolder, round: Int, _ moved: inout Int) {
        for name in names {
            if unlinkat(descriptor, name, 0) == 0 { continue }
            if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { continue }
            if depth == Self.depthMax {
                let free = ".conform-\(round)-\(moved)"
                if renameat(descriptor, name, top.descriptor, free) == 0 { moved += 1 }
                continue
            }
            guard let inner = try? HeldFile(folder: self, name: name).heldFolder() else { continue }
            inner.empty(depth: depth + 1, top: top, round: round, &moved)
            unlinkat(descriptor, name, AT_REMOVEDIR)
        }
    }

    /// Opens a folder inside; links are not followed.
    func opened(_ name: String) throws(FileError) -> HeldFolder {
        let place = "\(path)/\(name)"
        let next = openat(descriptor, name, Self.flags | O_NOFOLLOW)
        guard next >= 0 else {
            let code = errno
            throw FileError(
                "cannot open the folder", place,
                errno: HeldFile(folder: self, name: name).isLink ? ELOOP : code)
        }
        return HeldFolder(descriptor: next, path: place)
    }
}
