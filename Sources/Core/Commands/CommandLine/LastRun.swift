import Files
import Glibc
import Reporting

/// The last run before this one: the newest in a folder of reports.
enum LastRun {
    static let option = Option(
        "--failed", nil, "only what did not pass in the last run, by its reports")

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
        guard let last = runs.max(by: { Self.isEarlier($0.time, $1.time) }) else {
            throw UsageError(
                "\(option.name): there is no run in \(parent); name one with "
                    + RunOptions.reports.name)
        }
        return try StoredRun(last.folder)
    }

    private static func isEarlier(_ left: timespec, _ right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
    }
}
