import Glibc
import Reporting
import System

/// The last run before this one, the newest in a folder of reports, and what earlier ones left open.
enum LastRun {
    static let option = Option(
        "--failed", nil, "only what did not pass when it was last judged, by the reports")

    /// Returns the folder in which runs create their own by default.
    static func parent(_ arguments: Arguments) -> String {
        arguments.project?.reports ?? "Reports"
    }

    /// Returns the last run, if `--failed` asks for it.
    ///
    /// - Throws: `UsageError` if there is none.
    static func stored(_ arguments: Arguments) throws -> StoredRun? {
        guard arguments.has(option.name) else { return nil }
        if let folder = arguments.value(RunOptions.reports.name) { return try StoredRun(folder) }
        let parent = parent(arguments)
        let names = (try? HeldFolder(parent))?.names ?? []
        let runs = names.compactMap { name -> (folder: String, time: timespec)? in
            let folder = "\(parent)/\(name)"
            let files = ["results.json", "journal.jsonl", DeviceMatrixFolder.results]
            let times = files.compactMap { file -> timespec? in
                var status = stat()
                return stat("\(folder)/\(file)", &status) == 0 ? status.st_mtim : nil
            }
            return times.max(by: Self.isEarlier).map { (folder, $0) }
        }
        let newest = runs.sorted { Self.isEarlier($1.time, $0.time) }.prefix(Self.runsMax)
        guard let last = newest.first else {
            throw UsageError(
                "\(option.name): there is no run in \(parent); name one with "
                    + RunOptions.reports.name)
        }
        var result = try StoredRun(last.folder)
        var judged = result.judged
        for run in newest.dropFirst() {
            guard let earlier = try? StoredRun(run.folder) else { continue }
            result.remember(earlier, judged: &judged)
        }
        return result
    }

    /// The largest number of runs that are searched for cases that did not pass.
    private static let runsMax = 100

    private static func isEarlier(_ left: timespec, _ right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
    }
}
