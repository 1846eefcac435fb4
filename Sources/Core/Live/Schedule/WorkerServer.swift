import CSandbox
import Glibc
import System

/// Starts workers.
protocol WorkerLauncher: AnyObject {
    /// Starts a worker with copies of these descriptors, and returns its process id.
    ///
    /// The worker is a child of this process.
    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t
    /// The child of this process that is not a worker; `nil` if there is none.
    var process: pid_t? { get }
}

/// The process that starts the workers of a run: it loads each suite once, and forks for each case.
///
/// Loading a suite in each worker would take half of the processor time of a case.
final class WorkerServer: WorkerLauncher {
    private struct Connection {
        let socket: Int32
        let child: conform_child
    }

    private let arguments: [String]
    private var connection: Connection?

    /// Prepares the server of a run; it is started with its first worker.
    init(_ options: RunSession.Options) {
        arguments = [options.executable, Worker.subcommand, options.network.rawValue]
    }

    var process: pid_t? { connection?.child.pid }

    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
        var answer = try query(files)
        if answer == -EPIPE {
            // The server was killed; the processes that it had started continue without it.
            end()
            answer = try query(files)
        }
        guard answer > 0 else {
            throw WorkerError(detail: "no process for it: \(errnoText(-answer))")
        }
        return answer
    }

    private func query(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
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
        do throws(ProcessError) {
            let child = try conform_child(starting: arguments, stdin: ends[1], stdout: -1)
            return Connection(socket: ends[0], child: child)
        } catch {
            close(ends[0])
            throw WorkerError(detail: error.description)
        }
    }

    /// Ends the server; its workers continue.
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
