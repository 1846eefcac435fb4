/// Paths of files that refer to each other.
package enum SourcePath {
    /// Returns a path in the form in which a file in the folder of another file refers to it.
    ///
    /// - Parameter present: The folder to which relative paths refer.
    package static func relative(_ path: String, to file: String, in present: String) -> String {
        func parts(_ path: String) -> [Substring] {
            simplified(path.hasPrefix("/") ? path : present + "/" + path).split(separator: "/")
        }
        let (own, target) = (parts(file).dropLast(), parts(path))
        let shared = zip(own, target).prefix { $0 == $1 }.count
        let up = Array(repeating: Substring(".."), count: own.count - shared)
        return (up + target.dropFirst(shared)).joined(separator: "/")
    }

    /// Returns a path without `.` and without `name/..`, so that the same file has the same name.
    package static func simplified(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
