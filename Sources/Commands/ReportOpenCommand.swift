import Glibc
import Reports
import Runner

extension Command {
    /// `conform report open`: the report in the user's browser.
    static let reportOpen = Command(
        name: "report open", operands: "[REPORTS]",
        summary: "Opens a report in the browser: the newest in Reports/ unless one is named.",
        options: []
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform report open takes one report folder")
        }
        let folder = try arguments.operands.first ?? newestFolder(in: "Reports")
        let page = try page(of: folder)
        guard let path = ReportOptions.realPath(page) else {
            throw UsageError("\(page) is not there; conform report tells what can be drawn")
        }
        let address = "file://" + escaped(path)
        for opener in openers where started([opener, address]) {
            StandardOutput.print("opened \(page) with \(opener)")
            return 0
        }
        throw UsageError(
            "no program that opens pages was found "
                + "(\(openers.joined(separator: ", "))); open it yourself: \(address)")
    }

    /// The programs that may open a page, the user's own choice first.
    private static var openers: [String] {
        let own = Terminal.variable("BROWSER").map { $0.split(separator: ":").map(String.init) }
        return (own ?? []) + ["xdg-open", "sensible-browser"]
    }

    /// The page of a report folder: what can be looked at, best first.
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

    /// The report folder whose results were written last.
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

    /// A path as it stands in an address.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || "0123456789/-._~".utf8.contains(byte))
            text += isPlain ? String(scalar) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
    }

    /// Starts a program of the search path and lets it be; `false` if it cannot be started, or ends
    /// with an error at once.
    private static func started(_ words: [String]) -> Bool {
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, words[0], nil, nil, &argv, environ) == 0 else { return false }
        return outlasts(process, seconds: 1)
    }

    /// Whether a child goes on for so long, or ends without an error before.
    private static func outlasts(_ process: pid_t, seconds: Int) -> Bool {
        var ended = sigset_t()
        var before = sigset_t()
        sigemptyset(&ended)
        sigaddset(&ended, SIGCHLD)
        // A child that ends from here on is waited for; one that has ended is seen at once.
        pthread_sigmask(SIG_BLOCK, &ended, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process { return status == 0 }
        var limit = timespec(tv_sec: seconds, tv_nsec: 0)
        sigtimedwait(&ended, nil, &limit)
        return waitpid(process, &status, WNOHANG) != process || status == 0
    }
}
