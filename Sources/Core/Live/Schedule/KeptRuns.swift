import Glibc
import System

/// The runs in a folder in which each run makes its own.
public enum KeptRuns {
    /// Removes the oldest runs until so many are left, and returns the paths of what is removed.
    ///
    /// A run is a folder with the name of a time, as `RunSession.freshFolder` gives it, that has
    /// results. One that a run writes into counts, and is not removed. Everything else stays.
    public static func prune(_ parent: String, to count: Int) -> [String] {
        guard let folder = try? HeldFolder(parent) else { return [] }
        let runs = folder.names.filter { name in
            isTime(name) && hasResults(try? folder.place(name).heldFolder())
        }.sorted()
        return runs.dropLast(count).compactMap { name in
            let path = "\(parent)/\(name)"
            guard let claim = try? FolderClaim(path), let place = try? folder.place(name) else {
                return nil
            }
            withExtendedLifetime(claim) { place.remove() }
            return path
        }
    }

    /// Whether a name is that of a time, such as `2026-03-01T120000Z` or `2026-03-01T120000Z-2`.
    private static func isTime(_ name: String) -> Bool {
        let pattern = Array("0000-00-00T000000Z".utf8)
        let bytes = Array(name.utf8)
        func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard bytes.count >= pattern.count,
            zip(bytes, pattern).allSatisfy({ isDigit($1) ? isDigit($0) : $0 == $1 })
        else { return false }
        let rest = bytes[pattern.count...]
        return rest.isEmpty
            || rest.first == UInt8(ascii: "-") && rest.count > 1
                && rest.dropFirst().allSatisfy(isDigit)
    }

    private static func hasResults(_ folder: HeldFolder?) -> Bool {
        folder?.names.contains { ["results.json", "journal.jsonl", "matrix.json"].contains($0) }
            ?? false
    }
}
