/// The folder that several files are in, so that their names can be told without it.
package enum CommonFolder {
    /// The folder with the slash at its end; empty for a single file, or where there is none.
    package static func of(_ paths: Set<String>) -> String {
        guard paths.count > 1, let first = paths.first else { return "" }
        var folder = first[...]
        repeat {
            guard let slash = folder.dropLast().lastIndex(of: "/") else { return "" }
            folder = folder[...slash]
        } while !paths.allSatisfy { $0.hasPrefix(folder) }
        return String(folder)
    }

    /// A file of the folder by its path from there.
    package static func name(_ path: String, below folder: String) -> String {
        path.hasPrefix(folder)
            ? String(path[path.index(path.startIndex, offsetBy: folder.count)...]) : path
    }
}
