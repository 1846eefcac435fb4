import Glibc

/// Paths by their text, and what they lead to.
package enum FilePath {
    /// The working directory.
    package static var current: String {
        guard let present = getcwd(nil, 0) else { return "/" }
        defer { free(present) }
        return String(cString: present)
    }

    /// A path from the root, without `.` and `..`.
    package static func absolute(_ path: String, from folder: String = current) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The path without links; `nil` if nothing is there.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Whether a path leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path leads to a regular file.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The folder that a path from the root is in.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }
}
