import CSandbox
import Glibc
import System

/// A program to start, with its arguments, environment, descriptors and limits.
struct Launch {
    /// Program and arguments.
    var arguments: [String]
    /// `NAME=value` strings.
    var environment: [String]
    var workingDirectory: String?
    var input: Descriptor?
    var output: Descriptor?
    var error: Descriptor?
    var limits: DeviceProfile.Limits
    /// The user that it runs as; `nil` for the current one.
    var user: UInt32?
    /// The view of the files that it has; `nil` for all files.
    var view: FileView?
    /// Whether it loses the privileges of the user.
    var isConfined = true
    /// The one of `environment` by which processes are found that it started and that have left
    /// its session; `nil` to leave them alone.
    var mark: String?
}

/// A child process in a session of its own, without privileges; it is killed with its last owner.
///
/// An ended process is not reaped before `deinit`. So its id, which is also the id of its process
/// group and session, cannot be given to another process as long as it can be signalled.
final class ChildProcess {
    /// Its id, also that of its process group and session.
    let process: pid_t
    /// Readable once it has ended.
    let descriptor: Descriptor

    /// Why it sees all files although a view was requested; `nil` if it does not.
    let viewRefusal: String?

    /// The variable that processes of it have in their environment.
    private let mark: String?

    /// Starts the program.
    init(_ launch: Launch) throws(DeviceError) {
        var launch = launch
        var (child, code) = Self.start(launch)
        let isWithoutView = code != 0 && launch.hasNoView(child)
        viewRefusal = isWithoutView ? errnoText(code) : nil
        if isWithoutView {
            launch.view = nil
            (child, code) = Self.start(launch)
        }
        guard code == 0 else { throw Self.failure(code, at: child, of: launch) }
        process = child.pid
        mark = launch.mark
        descriptor = Descriptor(child.pidfd)
    }

    private static func start(_ launch: Launch) -> (child: conform_child, code: Int32) {
        var options = conform_spawn_options()
        options.stdin_fd = launch.input?.number ?? -1
        options.stdout_fd = launch.output?.number ?? -1
        options.stderr_fd = launch.error?.number ?? -1
        options.confined = launch.isConfined ? 1 : 0
        options.dies_with_parent = 1
        options.cpu_seconds = UInt64(launch.limits.cpuSeconds ?? 0)
        options.address_space = UInt64(launch.limits.memory ?? 0)
        options.processes = UInt64(launch.limits.processes.map { $0 + conform_user_threads() } ?? 0)
        options.file_size = UInt64(launch.limits.fileSize ?? 0)
        options.open_files = UInt64(launch.limits.openFiles ?? 0)
        if let user = launch.user {
            options.user = user
            // Its own /dev/stdout must be openable by it.
            for pipe in [launch.input, launch.output, launch.error] {
                if let pipe { fchown(pipe.number, user, user) }
            }
        }
        var child = conform_child()
        let code = CStrings.withArray(launch.arguments) { arguments in
            CStrings.withArray(launch.environment) { environment in
                options.argv = arguments
                options.envp = environment
                return withString(launch.workingDirectory) { directory in
                    options.cwd = directory
                    guard let view = launch.view else { return conform_spawn(&options, &child) }
                    return view.withEntries { entries, count in
                        options.view = entries
                        options.view_count = count
                        return conform_spawn(&options, &child)
                    }
                }
            }
        }
        return (child, code)
    }

    /// How the process ended; `nil` while it runs.
    var exit: DeviceExit? {
        var exit = conform_exit()
        guard conform_ended(process, 0, &exit) == 1 else { return nil }
        return exit.signalled != 0 ? .signal(exit.status) : .code(exit.status)
    }

    /// Whether it is stopped by a signal.
    var isSuspended: Bool {
        var state = siginfo_t()
        let code = waitid(P_PID, id_t(process), &state, WSTOPPED | WNOHANG | WNOWAIT)
        return code == 0 && state.si_signo == SIGCHLD
    }

    /// Sends a signal to the process.
    func signal(_ number: Int32) { kill(process, number) }

    /// Sends a signal to its process group.
    func signalGroup(_ number: Int32) { kill(-process, number) }

    /// Whether other processes that it started still run.
    var hasRemains: Bool { exit != nil && conform_has_members(process, mark) }

    /// Kills all remaining processes of its process group and session, and those with its mark.
    func killRemains() {
        signalGroup(SIGKILL)
        conform_kill_members(process, mark)
    }

    deinit {
        killRemains()
        var ready = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        // A second is ample for SIGKILL; a process that takes longer ends with the namespace.
        _ = poll(&ready, 1, 1000)
        var exit = conform_exit()
        conform_ended(process, 1, &exit)
    }

    // MARK: - C

    private static func failure(
        _ code: Int32, at child: conform_child, of launch: Launch
    ) -> DeviceError {
        let program = launch.arguments.first ?? ""
        let reason = errnoText(code)
        switch child.failed_step {
        case CONFORM_LAUNCH_VIEW_ENTRY:
            let path = launch.view?.entries[child.failed_entry].path ?? ""
            return DeviceError(
                .cannotPrepare, "\(path) cannot be shown to the device: \(reason)",
                advice: "correct \"files\" in the device profile")
        case CONFORM_LAUNCH_USER:
            return DeviceError(
                .cannotLaunch, "\(program) cannot be started as another user: \(reason)")
        case CONFORM_LAUNCH_DIRECTORY:
            let directory = launch.workingDirectory ?? ""
            return DeviceError(
                .cannotLaunch, "the working directory \(directory) cannot be entered: \(reason)",
                advice: launch.visibilityAdvice(of: directory)
                    ?? "correct \"cwd\" in the device profile")
        case CONFORM_LAUNCH_EXECUTE where code == ENOENT:
            return notFound(program, launch)
        case CONFORM_LAUNCH_EXECUTE where code == EACCES:
            return DeviceError(
                .cannotLaunch, "\(program) cannot be started: \(reason)",
                advice: launch.user == nil || access(program, X_OK) != 0
                    ? "make it executable: chmod +x \(program)"
                    : "root runs devices as another user, who must be allowed to reach it: "
                        + "chmod -R a+rX its folder")
        case CONFORM_LAUNCH_EXECUTE where code == ENOEXEC:
            return DeviceError(
                .cannotLaunch, "\(program) cannot be started: \(reason)",
                advice: "a script must begin with #! and its interpreter")
        default:
            return DeviceError(.cannotLaunch, "\(program) cannot be started: \(reason)")
        }
    }

    private static func notFound(_ program: String, _ launch: Launch) -> DeviceError {
        guard program.contains("/") else {
            let path = launch.environment.first { $0.hasPrefix("PATH=") } ?? "PATH="
            return DeviceError(
                .commandNotFound, "the program \"\(program)\" is not found; \(path)",
                advice: "install it, or write its path in the device profile")
        }
        let place = launch.workingDirectory.map { " (in \($0))" } ?? ""
        let interpreter = Interpreter(of: launch.place(of: program))
        if let fault = interpreter?.fault { return DeviceError(.cannotLaunch, fault) }
        return DeviceError(
            .commandNotFound,
            "there is no program \(program)\(program.hasPrefix("/") ? "" : place)",
            advice: launch.visibilityAdvice(of: program, interpreter?.path)
                ?? "build it or correct its path; a script's interpreter must exist too")
    }

    private static func withString(
        _ string: String?, _ body: (UnsafePointer<CChar>?) -> Int32
    ) -> Int32 {
        guard let string else { return body(nil) }
        return string.withCString(body)
    }
}

extension Launch {
    /// Returns whether a start failed because the system allows no view at all.
    fileprivate func hasNoView(_ child: conform_child) -> Bool {
        if child.failed_step == CONFORM_LAUNCH_VIEW { return true }
        guard child.failed_step == CONFORM_LAUNCH_VIEW_ENTRY, let view else { return false }
        return [.empty, .scratch].contains(view.entries[child.failed_entry].kind)
    }

    /// Returns the absolute path of what the device is started with.
    fileprivate func place(of path: String) -> String {
        FilePath.absolute(path, from: FilePath.absolute(workingDirectory ?? "."))
    }

    /// Returns what to do about a path that exists but is not visible to the device, or whose
    /// interpreter is not.
    fileprivate func visibilityAdvice(of path: String, _ interpreter: String? = nil) -> String? {
        let place = place(of: path)
        guard view != nil, access(place, F_OK) == 0 else { return nil }
        let folders = [place, interpreter].compactMap(\.self).map { FilePath.folder(of: $0) }
        let what = interpreter.map { "it, or its interpreter \($0)" } ?? "it, or what it needs"
        return "the device does not see \(what): name the folder in the profile, "
            + "files: {read: [\(folders.joined(separator: ", "))]}"
    }
}
