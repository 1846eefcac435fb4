import Glibc
import Reporting
import System

extension Command {
    /// `conform report open`: opens the report in the user's browser.
    static let reportOpen = Command(
        name: "report open", operands: "[REPORTS]",
        summary: "Opens a report in the browser: the newest in Reports/ unless one is named.",
        example: "report open", options: []
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform report open takes one report folder")
        }
        let folder = try arguments.operands.first ?? newestFolder(in: "Reports")
        let page = try page(of: folder)
        guard let path = FilePath.resolved(page) else {
            throw UsageError("\(page) is not there; conform report shows what can be drawn")
        }
        StandardOutput.print("opened \(page) with \(try Browser.open(path))")
        return 0
    }

    /// Returns the best page of a report folder that can be opened.
    private static func page(of folder: String) throws(UsageError) -> String {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw UsageError("\(folder) is not there; give a report folder")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return folder }
        let pages = ["index.html", "summary.md"].map { "\(folder)/\($0)" }
        guard let page = pages.first(where: { access($0, R_OK) == 0 }) else {
            throw UsageError("\(folder) has no report that can be opened; give a report folder")
        }
        return page
    }

    /// Returns the report folder whose results were written last.
    private static func newestFolder(in parent: String) throws(UsageError) -> String {
        guard let folder = opendir(parent) else {
            throw UsageError("there is no \(parent)/ here; name the report folder")
        }
        defer { closedir(folder) }
        var newest: (path: String, time: Int)?
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard stat("\(parent)/\(name)/results.json", &status) == 0 else { continue }
            if status.st_mtim.tv_sec >= newest?.time ?? .min {
                newest = ("\(parent)/\(name)", status.st_mtim.tv_sec)
            }
        }
        guard let newest else {
            throw UsageError("no run in \(parent)/ has results; name the report folder")
        }
        return newest.path
    }
}
