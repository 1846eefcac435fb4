import Glibc
import Suites

/// What runs have left that were killed.
public enum Leftovers {
    /// Removes what a killed run has left in its report folder.
    ///
    /// That is half-written files and, of older versions, the folder of its devices. Reports, logs and
    /// captures stay.
    ///
    /// - Returns: The paths of what was removed.
    /// - Throws: `InvalidInput` if a run is at work in the folder.
    public static func remove(in folder: String) throws(InvalidInput) -> [String] {
        let claim = try FolderClaim(folder)
        defer { withExtendedLifetime(claim) {} }
        let oldScratch = "\(folder)/.work"
        var found: [String] = access(oldScratch, F_OK) == 0 ? [oldScratch] : []
        for place in [folder, "\(folder)/captures", "\(folder)/captures/attempts"] {
            found += FileSystem.names(in: place)
                .filter { $0.hasSuffix(".partial") || (place == folder && $0.hasSuffix(".new")) }
                .map { "\(place)/\($0)" }
        }
        found.forEach(FileSystem.removeTree)
        return found
    }

    /// Removes the folders of devices whose run was killed.
    ///
    /// - Returns: Their paths.
    public static func removeScratchFolders() -> [String] { ScratchFolder.removeAbandoned() }
}
