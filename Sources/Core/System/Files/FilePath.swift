import Glibc

/// Operations on the text of paths, and queries about their targets.
package enum FilePath {
    /// The working directory.
    package static var current: String {
        guard let present = getcwd(nil, 0) else { return "/" }
        defer { free(present) }
        return String(cString: present)
    }

    /// Returns an absolute path, without `.` and `..`.
    package static func absolute(_ path: String, from folder: String = current) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Returns the path without links; `nil` if nothing exists there.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns whether a path leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether a path leads to a regular file.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the last part of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns the folder of an absolute path.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }
}
