import Glibc
import SuiteLanguage
import System
import Wire

/// The files that a device has stored in its home, while the device does not run.
struct StoredFiles {
    /// The maximum depth of folders that are searched.
    private static let depthMax = 16

    private let home: String

    init(in home: String) {
        self.home = home
    }

    /// Damages the files that `order`, the argument of `device.damage`, selects.
    ///
    /// Links are not followed, so nothing outside the home is changed.
    ///
    /// - Returns: The paths of the files, relative to the home.
    func damage(_ order: Value) throws(DeviceError) -> [String] {
        let kinds = DeviceAction.damageKinds.filter { order[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let reported = order[kind] else {
            throw DeviceError(
                .controlFailed, "damage does one thing, not \(kinds.count)",
                advice: "write one of \(DeviceAction.damageKinds.joined(separator: ", "))")
        }
        let pattern = order["files"]?.stringValue ?? "*"
        let paths = files(below: "", depth: 0).filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return fnmatch(pattern, name, 0) == 0
        }
        for path in paths { try apply(kind, reported, to: path) }
        return paths
    }

    private func apply(_ kind: String, _ reported: Value, to path: String) throws(DeviceError) {
        let isDone: Bool
        switch kind {
        case "truncate":
            isDone = with(path, O_WRONLY) { file in
                var status = stat()
                guard fstat(file.number, &status) == 0 else { return false }
                let (wanted, size) = (reported.integerValue ?? 0, Int64(status.st_size))
                // A negative number counts from the end.
                let length = wanted < 0 ? max(0, size &+ wanted) : min(wanted, size)
                return ftruncate(file.number, Int(length)) == 0
            }
        case "overwrite":
            isDone = write(Array((reported.stringValue ?? "").utf8), to: path)
        case "remove":
            isDone = reported != true || remove(path)
        case "unreadable":
            isDone = reported != true || with(path, O_RDONLY) { fchmod($0.number, 0) == 0 }
        default:
            let text = Array((reported["text"]?.stringValue ?? "").utf8)
            let new = Array((reported["by"]?.stringValue ?? "").utf8)
            isDone = read(path).map { write($0.replacing(text, with: new), to: path) } ?? false
        }
        guard isDone else {
            throw DeviceError(
                .controlFailed, "\(path) cannot be damaged: \(errnoText())")
        }
    }

    /// Opens a file of the home without following any link in its path.
    private func with(_ path: String, _ flags: Int32, _ body: (Descriptor) -> Bool) -> Bool {
        guard let number = try? place(path).open(flags) else { return false }
        return body(Descriptor(number))
    }

    private func remove(_ path: String) -> Bool {
        guard let place = try? place(path) else { return false }
        place.remove()
        return !place.isThere
    }

    private func place(_ path: String) throws(FileError) -> HeldFile {
        try HeldFile(home).heldFolder().place(path)
    }

    private func files(below folder: String, depth: Int) -> [String] {
        guard depth < Self.depthMax, let stream = opendir(home + "/" + folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            let path = folder.isEmpty ? name : folder + "/" + name
            var status = stat()
            guard lstat(home + "/" + path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: found.append(path)
            case S_IFDIR: found += files(below: path, depth: depth + 1)
            default: break
            }
        }
        return found.sorted()
    }

    private func read(_ path: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isOpen = with(path, O_RDONLY) { file in
            while case .bytes(let chunk) = file.read(upTo: 64 << 10) { bytes += chunk }
            return true
        }
        return isOpen ? bytes : nil
    }

    private func write(_ bytes: [UInt8], to path: String) -> Bool {
        with(path, O_WRONLY | O_TRUNC) { file in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let count = try? file.write(rest), count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

extension [UInt8] {
    /// Returns these bytes with every occurrence of `old`, unless it is empty, replaced by `new`.
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) -> [UInt8] {
        guard !old.isEmpty else { return self }
        var result: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            if self[index...].starts(with: old) {
                result += new
                index += old.count
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }
}
