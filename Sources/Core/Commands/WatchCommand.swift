import Devices
import Glibc
import Live
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    /// `conform watch`: runs the suites again that a changed file affects.
    static let watch = Command(
        name: "watch", operands: SuiteFiles.operands,
        summary: "Runs suites, and again those that a changed file concerns; options as for run.",
        groups: RunOptions.groups(selection: CommonOptions.selection)
    ) { arguments in
        // Signals that the caller had blocked must still end it, because nothing else does.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        // Errors in the command line are reported before anything is watched.
        let device = try DeviceOption.selected(arguments)
        let known = PolicyOptions.knownPath(arguments)
        var watched = try WatchedFiles(arguments, device, known: known)
        var concerned = watched.suites
        while true {
            let code = try execute(concerned, arguments)
            if Interruption.allCases.contains(where: { $0.status.rawValue == code }) { return code }
            StandardOutput.print("watching \(watched.count) files; Ctrl-C ends")
            concerned = []
            while concerned.isEmpty {
                usleep(WatchedFiles.period)
                concerned = watched.changes()
            }
            // A changed suite may now include other files.
            watched = (try? WatchedFiles(arguments, device, known: known)) ?? watched
        }
    }

    /// Runs suites in a process of its own; returns its exit code.
    private static func execute(_ suites: [String], _ arguments: Arguments) throws -> Int32 {
        let words = arguments.words(of: watch.options) + ["--"] + suites
        var argv: [UnsafeMutablePointer<CChar>?] =
            ([Executable.conform, "run"] + words).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        // On Ctrl-C the run ends itself, with complete reports; a handler is not inherited.
        signal(SIGINT) { _ in }
        defer { signal(SIGINT, SIG_DFL) }
        var child: pid_t = 0
        let failure = posix_spawn(&child, Executable.conform, nil, nil, &argv, environ)
        guard failure == 0 else {
            throw UsageError("conform run cannot be started: \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}

/// The files that the verdicts of suites depend on, and their last known states.
private struct WatchedFiles {
    /// Microseconds between two checks.
    ///
    /// Files are polled, because the kernel reports no changes that other hosts make on a network
    /// file system (inotify(7)).
    static let period: UInt32 = 300_000

    /// The suites, as the user named them.
    let suites: [String]
    /// The suites that depend on each file.
    private var concerns: [String: [String]] = [:]
    private var states: [String: State] = [:]

    /// The properties that change when a file is written.
    private struct State: Equatable {
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (inode, size) = (status.st_ino, status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    var count: Int { concerns.count }

    init(_ arguments: Arguments, _ device: DeviceSelection, known: String?) throws {
        suites = try SuiteFiles.expand(arguments.operands)
        var shared = [known, arguments.project?.path].compactMap(\.self)
        if case .profile(let path) = device {
            shared += [path] + ((try? DeviceProfile.load(path: path))?.launchedFiles ?? [])
        }
        for path in suites {
            // A suite that cannot be read now is watched until it can be read.
            let suite = try? SuiteLoader(arguments.protocols).load(
                path: path, searchPath: arguments.searchPath)
            for file in [path] + (suite?.sources.map(\.path) ?? []) + shared {
                concerns[file, default: []].append(path)
            }
        }
        for file in concerns.keys { states[file] = State(file) }
    }

    /// Returns the suites that depend on files which have changed since the last call.
    mutating func changes() -> [String] {
        var changed: Set<String> = []
        for (file, concerned) in concerns {
            let now = State(file)
            // A file that is currently being replaced is checked again.
            guard let now, now != states[file] else { continue }
            states[file] = now
            changed.formUnion(concerned)
        }
        return suites.filter(changed.contains)
    }
}
