import SuiteLanguage
import System

/// Files and folders that killed runs have left.
public enum KilledRuns {
    /// Removes what a killed run has left in its report folder.
    ///
    /// These are half-written files and, from older versions, the folder of its devices. Reports,
    /// logs and captures stay.
    ///
    /// - Returns: The paths of what was removed.
    /// - Throws: `InvalidInput` if a run is using the folder.
    public static func remove(in folder: String) throws(InvalidInput) -> [String] {
        let claim = try FolderClaim(folder)
        defer { withExtendedLifetime(claim) {} }
        guard let reports = try? HeldFolder(folder) else { return [] }
        var found: [String] = []
        if let scratch = try? reports.place(".work"), scratch.isThere {
            scratch.remove()
            found.append(scratch.path)
        }
        for ending in [".partial", ".new"] { found += remove(reports, endingWith: ending) }
        for captures in ["captures", "captures/attempts"] {
            found += remove(in: captures, of: reports, endingWith: ".partial")
        }
        return found
    }

    /// Removes the files in a subfolder whose names have a given ending.
    ///
    /// - Returns: Their paths.
    @discardableResult
    static func remove(
        in inside: String, of folder: HeldFolder, endingWith ending: String
    ) -> [String] {
        let inner = try? folder.place(inside).heldFolder()
        return inner.map { remove($0, endingWith: ending) } ?? []
    }

    private static func remove(_ folder: HeldFolder, endingWith ending: String) -> [String] {
        folder.names.filter { $0.hasSuffix(ending) }.compactMap { name in
            let place = try? folder.place(name)
            place?.remove()
            return place?.path
        }
    }

    /// Removes the folders of devices whose run was killed.
    ///
    /// - Returns: Their paths.
    public static func removeScratchFolders() -> [String] { ScratchFolder.removeAbandoned() }
}
