/// The folder that contains several files, so that their names can be shown without it.
package enum CommonFolder {
    /// Returns the folder with a trailing slash; empty for a single file, or if there is none.
    package static func of(_ paths: Set<String>) -> String {
        guard paths.count > 1, let first = paths.first else { return "" }
        var folder = first[...]
        repeat {
            guard let slash = folder.dropLast().lastIndex(of: "/") else { return "" }
            folder = folder[...slash]
        } while !paths.allSatisfy { $0.hasPrefix(folder) }
        return String(folder)
    }

    /// Returns the path of a file relative to the folder.
    package static func name(_ path: String, below folder: String) -> String {
        path.hasPrefix(folder)
            ? String(path[path.index(path.startIndex, offsetBy: folder.count)...]) : path
    }
}
