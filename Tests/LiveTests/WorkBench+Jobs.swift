import CSandbox
import FoundationEssentials
import Glibc
import Judge
import Offline
import Results
import SuiteLanguage
import System
import TestBench

@testable import Live

/// Jobs, worker programs and results for the scheduler.
extension WorkBench {
    /// Where a program finds its task and leaves its result.
    static let mailbox = "/proc/self/fd/3"

    /// Writes a program that stands in for a worker, and returns its path.
    ///
    /// `script` runs with the mailbox as descriptor 3.
    func program(_ script: String) throws -> String {
        let path = folder + "/program"
        // Written by a separate process: a file that is open for writing in a process which forks
        // cannot be executed.
        let text = "#!/bin/sh\n\(script)\n"
        let command = "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\""
        _ = try CommandOutput.of(["/bin/sh", "-c", command, "sh", text, path])
        return path
    }

    /// The path of the job's capture.
    var capture: String { folder + "/captures/opens.pcapng" }

    /// Creates a job with its task.
    func job(named name: String = "opens", stopGrace: Duration = .zero) throws -> Scheduler.Job {
        let reports = try HeldFolder(folder)
        let scratch = try reports.place(".work/\(name)", making: true)
        return Scheduler.Job(
            task: WorkerTask(
                suite: suitePath, searchPath: [], testCase: testCase.id,
                fingerprint: suite.fingerprint,
                device: .command(["none"]), scratch: scratch.path,
                reports: folder, capture: "captures/\(name).pcapng", log: "logs/\(name).log"),
            reports: reports, scratch: scratch, suite: suite, testCase: testCase,
            stopGrace: stopGrace)
    }

    /// The result of a pass as a worker writes it.
    func pass(id: String = "opens") throws -> [UInt8] {
        var result = CaseResult(
            suite: suite, testCase: testCase, verdict: .pass, reason: Reason(.setup, ""))
        result.id = id
        return Array(try JSONEncoder().encode(result))
    }

    /// Runs the job alone.
    func results(of program: String) throws -> [CaseResult] {
        var results: [CaseResult] = []
        let scheduler = try Scheduler(launcher: ScriptLauncher(program), pace: JobPace(fixed: 1))
        _ = try scheduler.run([job()]) { event in
            if case .finished(_, let result) = event { results.append(result) }
            return true
        }
        return results
    }
}

/// Starts a program that stands in for a worker.
final class ScriptLauncher: WorkerLauncher {
    private let program: String

    init(_ program: String) { self.program = program }

    var process: pid_t? { nil }

    func launch(_ files: conform_worker_files) throws(WorkerError) -> pid_t {
        var child = conform_child()
        let failure = CStrings.withArray([program]) { argv in
            var options = conform_spawn_options()
            options.argv = argv
            options.stdin_fd = files.stdin_fd
            options.stdout_fd = files.stdout_fd
            options.stderr_fd = files.stderr_fd
            options.extra_fds = files.extra_fds
            return conform_spawn(&options, &child)
        }
        guard failure == 0 else { throw WorkerError(detail: errnoText(failure)) }
        close(child.pidfd)
        return child.pid
    }
}
