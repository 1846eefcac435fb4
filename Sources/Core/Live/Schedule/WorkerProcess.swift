import CSandbox
import Devices
import Glibc
import System

/// A running worker, from the scheduler's point of view.
final class WorkerProcess {
    /// Becomes readable when the worker has ended.
    let descriptor: Int32
    /// When the worker is ended if it still runs.
    let deadline: ContinuousClock.Instant
    /// Its process id.
    let process: pid_t
    private var lifeline: Int32
    private let mailbox: MemoryFile
    private let log: MemoryFile

    /// Starts a worker whose standard input is the lifeline.
    ///
    /// The worker finds its task in the mailbox, descriptor 3, the report folder as descriptor 4,
    /// and the input and output of a person as descriptors 5 and 6. Without a person these are the
    /// log.
    init(
        task: [UInt8], reports: HeldFolder, person: Operator?,
        deadline: ContinuousClock.Instant, by launcher: any WorkerLauncher
    ) throws {
        self.deadline = deadline
        mailbox = try MemoryFile()
        log = try MemoryFile()
        try mailbox.write(task)
        var ends: [Int32] = [-1, -1]
        guard conform_pipe(&ends) == 0 else {
            throw WorkerError(detail: "no pipe for a worker: \(errnoText())")
        }
        defer { close(ends[0]) }
        do {
            process = try launcher.launch(
                conform_worker_files(
                    stdin_fd: ends[0], stdout_fd: log.descriptor, stderr_fd: log.descriptor,
                    extra_fds: (
                        mailbox.descriptor, reports.descriptor,
                        person?.input ?? log.descriptor, person?.output ?? log.descriptor
                    )))
        } catch {
            close(ends[1])
            throw error
        }
        lifeline = ends[1]
        descriptor = conform_process_descriptor(process)
        guard descriptor >= 0 else {
            throw WorkerError(detail: "a worker cannot be watched: \(errnoText())")
        }
    }

    /// The worker's answer in the mailbox.
    var answer: [UInt8] { mailbox.read() }

    /// The last line that the worker has printed.
    var lastLine: String? {
        String(decoding: log.read().suffix(2000), as: UTF8.self).split(separator: "\n").last
            .map(String.init)
    }

    /// Returns how the worker ended; `nil` while it runs.
    func endedStatus() -> WorkerStatus? {
        var end = conform_exit()
        guard conform_ended(process, 1, &end) == 1 else { return nil }
        return end.signalled == 0 ? .exited(end.status) : .killed(end.status)
    }

    /// Whether the worker was asked to end.
    var isOverdue: Bool { lifeline < 0 }

    /// Closes the lifeline: the worker's guard kills everything below it, then ends.
    func end() {
        if lifeline >= 0 { close(lifeline) }
        lifeline = -1
    }

    /// Kills the guard itself, if `end` had no effect; everything below it dies with it.
    func kill() {
        Glibc.kill(process, SIGKILL)
    }

    deinit {
        end()
        close(descriptor)
    }
}

/// How a worker process ended.
enum WorkerStatus: Hashable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)

    var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}

extension WorkerStatus {
    /// A clause about the signal that ended a worker, if it was not an error of the worker itself.
    var foreignSignal: String? {
        let number: Int32
        switch self {
        case .killed(let signal): number = signal
        case .exited(let code) where code > 128: number = code - 128
        case .exited: return nil
        }
        guard ![SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS].contains(number) else {
            return nil
        }
        let name = SignalName.name(of: number) ?? "signal \(number)"
        return ": \(name) comes from the device, from another program of the same user, or from "
            + "the system (out of memory)"
    }
}

/// Signals that are read from a descriptor instead of interrupting the process.
final class SignalDescriptor {
    /// Becomes readable when one of the signals has arrived.
    let descriptor: Int32

    /// Blocks the signals for this process and opens the descriptor.
    init(_ signals: [Int32]) throws(WorkerError) {
        descriptor = conform_signal_descriptor(signals, Int32(signals.count))
        guard descriptor >= 0 else {
            throw WorkerError(detail: "signals cannot be watched: \(errnoText())")
        }
    }

    /// Returns the number of the next signal; `nil` if none has arrived.
    func next() -> Int32? {
        let number = conform_signal_next(descriptor)
        return number > 0 ? number : nil
    }

    deinit {
        close(descriptor)
    }
}
