import Glibc

/// Finds the captures at a path.
public enum CaptureFolder {
    /// Returns the captures among the files of a folder, by name.
    ///
    /// For any other path the result is the path itself.
    ///
    /// Files that are not captures are skipped, and so are folders inside the folder.
    ///
    /// - Throws: `.noFile`, `.noAccess` or `.io` if a folder cannot be read, `.notACapture` if it contains
    ///   no capture.
    public static func captures(at path: String) throws(CaptureError) -> [String] {
        var status = stat()
        guard path != FileSource.standardInput, stat(path, &status) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else { return [path] }
        let names = try names(in: path)
        let folder = path.hasSuffix("/") ? path : path + "/"
        let captures = names.map { folder + $0 }.filter {
            !CaptureFile.isStream($0) && isCapture($0)
        }
        guard !captures.isEmpty else {
            throw CaptureError(.notACapture, path, "no capture among the \(names.count) file(s)")
        }
        return captures
    }

    /// Returns the names of the plain files in a folder, sorted.
    private static func names(in path: String) throws(CaptureError) -> [String] {
        guard let folder = opendir(path) else { throw .system("opendir", path, errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let kind = Int(entry.pointee.d_type)
            guard kind == Int(DT_REG) || kind == Int(DT_UNKNOWN) || kind == Int(DT_LNK) else {
                continue
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names.sorted()
    }

    private static func isCapture(_ path: String) -> Bool {
        do throws(CaptureError) {
            _ = try CaptureFile(path: path)
            return true
        } catch {
            // A capture that cannot be read must be reported, not skipped.
            return error.code != .notACapture
        }
    }
}
