import System

/// The files that stored results name.
enum StoredFile {
    /// Returns the path of a file in the folder of stored results, relative to the working
    /// directory.
    ///
    /// `nil` if it is not in that folder. Results may come from anybody, so they must not name
    /// other files of the reader: a path with `..`, an absolute path, a link. Nor may a pipe be in
    /// the place of a file, for which a reader would wait.
    static func path(of name: String, in folder: String) -> String? {
        guard !name.hasPrefix("/"), let held = try? HeldFolder(folder),
            let place = try? held.place(name), !place.isLink, !place.isSpecial
        else { return nil }
        return "\(folder)/\(name)"
    }
}
