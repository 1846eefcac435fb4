import CSandbox
import Glibc

/// What starts workers.
protocol WorkerLauncher: AnyObject {
    /// Starts a worker with copies of these descriptors, and returns its process id; it is a child of
    /// this process.
    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t
    /// A child of this process that is no worker; `nil` if there is none.
    var process: pid_t? { get }
}

/// The process that starts the workers of a run: it loads each suite once, and forks for each case.
///
/// To load a suite in each worker takes half of the processor time of a case.
final class WorkerServer: WorkerLauncher {
    private struct Connection {
        let socket: Int32
        let child: conform_child
    }

    private let arguments: [String]
    private var connection: Connection?

    /// Prepares the server of a run, which is started with its first worker.
    init(_ options: RunSession.Options) {
        arguments = [options.executable, Worker.subcommand, options.network.rawValue]
    }

    var process: pid_t? { connection?.child.pid }

    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
        var answer = try ask(files)
        if answer == -EPIPE {
            // The server was killed; what it had started goes on without it.
            end()
            answer = try ask(files)
        }
        guard answer > 0 else {
            throw WorkerError(detail: "no process for it: \(errnoText(-answer))")
        }
        return answer
    }

    private func ask(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
        let connection =
            if let connection { connection } else { try start() }
        self.connection = connection
        return withUnsafePointer(to: files) { conform_ask_for_worker(connection.socket, $0) }
    }

    private func start() throws(WorkerError) -> Connection {
        var ends: [Int32] = [-1, -1]
        guard conform_connection(&ends) == 0 else {
            throw WorkerError(detail: "no connection to a server: \(errnoText())")
        }
        defer { close(ends[1]) }
        var child = conform_child()
        let failure = CStrings.withArray(arguments) { argv in
            var options = conform_spawn_options()
            options.argv = argv
            options.stdin_fd = ends[1]
            options.stdout_fd = -1
            options.stderr_fd = STDERR_FILENO
            return conform_spawn(&options, &child)
        }
        guard failure == 0 else {
            close(ends[0])
            throw WorkerError(detail: "\(arguments[0]) cannot be started: \(errnoText(failure))")
        }
        return Connection(socket: ends[0], child: child)
    }

    /// Ends the server; its workers go on.
    private func end() {
        guard let ended = connection else { return }
        connection = nil
        close(ended.socket)
        close(ended.child.pidfd)
        kill(ended.child.pid, SIGKILL)
        waitpid(ended.child.pid, nil, 0)
    }

    deinit {
        end()
    }
}
