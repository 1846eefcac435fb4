import Glibc

/// Files of the repository, for tests that read its sources.
enum SourceTree {
    /// Returns the files below a folder whose names have this suffix, sorted.
    static func files(below folder: String, suffix: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            if name.hasSuffix(suffix) {
                found.append(path)
            } else {
                found += files(below: path, suffix: suffix)
            }
        }
        return found.sorted()
    }
}
