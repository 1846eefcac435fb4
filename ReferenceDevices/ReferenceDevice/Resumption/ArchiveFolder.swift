import Glibc
import System

/// The folder in which archives are stored.
public struct ArchiveFolder: Sendable, Hashable {
    /// The largest file that is read, in bytes, far above any archive.
    static let largestFile = 16 << 20

    let path: String

    /// The folder in the user's home; `nil` for a process without one.
    public static var inHome: ArchiveFolder? {
        guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
        return ArchiveFolder(path: "\(String(cString: home))/.conform-device/resumption")
    }

    /// Reads the archive of that key.
    func read(_ key: ArchiveKey) -> ArchiveReading {
        let descriptor = open(file(key), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .none : .unreadable(SystemError("open").description)
        }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return .bytes(contents) }
            if count < 0 {
                if errno == EINTR { continue }
                return .unreadable(SystemError("read").description)
            }
            contents += buffer.prefix(count)
            guard contents.count <= ArchiveFolder.largestFile else {
                return .unreadable("larger than \(ArchiveFolder.largestFile) bytes")
            }
        }
    }

    /// Writes an archive so that a crash at any moment leaves either the old or the new one.
    ///
    /// It writes a temporary file, which replaces the old one once it is on the disk.
    func store(_ bytes: [UInt8], for key: ArchiveKey) throws(SystemError) {
        try makeFolders()
        let final = file(key)
        let temporary = "\(final).\(getpid()).tmp"
        do throws(SystemError) {
            try write(bytes, to: temporary)
            guard rename(temporary, final) == 0 else { throw SystemError("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
        try flushFolder()
    }

    /// Removes the archive of that key, if there is one.
    func remove(_ key: ArchiveKey) throws(SystemError) {
        guard unlink(file(key)) == 0 || errno == ENOENT else { throw SystemError("unlink") }
    }

    private func file(_ key: ArchiveKey) -> String { "\(path)/\(key.fileName)" }

    private func makeFolders() throws(SystemError) {
        var built = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            built += "/\(part)"
            guard mkdir(built, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if errno != EINTR {
                throw SystemError("write")
            }
        }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }

    /// Flushes the folder, so that the new name is permanent.
    private func flushFolder() throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }
}
