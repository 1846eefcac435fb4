import CSandbox
import Devices
import FoundationEssentials
import Glibc
import Judge
import Offline
import Results
import SuiteLanguage
import System
import Trace

/// Runs cases in parallel, each in a worker process of its own.
///
/// Workers hold the read end of a pipe whose write end only this process has. When this process
/// dies, even by `kill -9`, each worker sees the end of the pipe and ends with everything that it
/// started.
public struct Scheduler: ~Copyable {
    /// One case to run.
    public struct Job: Sendable {
        /// The task of the worker.
        public let task: WorkerTask
        /// The folder that the capture and the log of the task go to.
        let reports: HeldFolder
        /// The place of the task's scratch folder.
        let scratch: HeldFile
        /// The suite.
        public let suite: Suite
        /// The case.
        public let testCase: TestCase
        /// How long its device may take to stop.
        public let stopGrace: Duration
    }

    /// What the scheduler reports while it runs; the number is the job's index.
    public enum Event: Sendable {
        case started(Int)
        case finished(Int, CaseResult)
        /// Workers are running, and at most a second has passed since the last event.
        case waiting
    }

    /// How a schedule ended.
    public enum Outcome: Sendable, Hashable {
        case completed
        /// The listener asked to stop.
        case stopped
        /// A signal arrived; its number.
        case interrupted(Int32)
    }

    /// How long a worker may take beyond its case's own limit before it is killed.
    private static let workerGrace: Duration = .seconds(15)
    /// How long a worker that was asked to end may take before it is killed.
    private static let endGrace: Duration = .seconds(5)

    private let launcher: any WorkerLauncher
    private let pace: JobPace
    private let person: Operator?
    private let signals: SignalDescriptor

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - launcher: What starts workers.
    ///   - pace: How many workers run at the same time.
    ///   - person: The person who carries out what no program can; `nil` for nobody.
    init(launcher: any WorkerLauncher, pace: JobPace, person: Operator? = nil) throws {
        self.launcher = launcher
        self.person = person
        self.pace = pace
        signals = try SignalDescriptor(Interruption.signals)
    }

    /// Runs all jobs; `listener` gets each start and end, and returns whether to continue.
    ///
    /// When it returns or throws, every worker has ended, with everything that it started.
    ///
    /// - Parameter selects: Whether a job is still wanted when its turn has come.
    public func run(
        _ jobs: [Job], selects: (Int) -> Bool = { _ in true }, listener: (Event) throws -> Bool
    ) throws -> Outcome {
        var running: [Int: WorkerProcess] = [:]
        var pace = pace
        // The files of ended workers are removed while others run.
        var leftovers: [HeldFile] = []
        defer {
            end(running, of: jobs)
            leftovers.forEach { $0.remove() }
        }
        var waiting = jobs.indices.makeIterator()
        var hasMore = true
        while true {
            while hasMore, running.count < pace.limit {
                guard let index = waiting.next() else {
                    hasMore = false
                    break
                }
                guard selects(index) else { continue }
                if try !listener(.started(index)) { return .stopped }
                do {
                    running[index] = try launch(jobs[index])
                } catch {
                    let result = failure(of: jobs[index], "its worker cannot be started: \(error)")
                    if try !listener(.finished(index, result)) { return .stopped }
                }
            }
            if running.isEmpty { return .completed }
            leftovers.forEach { $0.remove() }
            leftovers = []
            let mayStartMore = hasMore && pace.isAdaptive
            let pause: Duration = mayStartMore ? JobPace.interval : .seconds(1)
            if let signal = wait(for: running, atMost: pause) {
                return .interrupted(signal)
            }
            pace.update()
            if try !listener(.waiting) { return .stopped }
            for (index, worker) in running.sorted(by: { $0.key < $1.key }) {
                guard let status = worker.endedStatus() else { continue }
                running[index] = nil
                leftovers.append(jobs[index].scratch)
                if case .killed = status { endOrphans(except: running) }
                let result = result(of: jobs[index], status: status, worker: worker)
                pace.consume(result)
                if try !listener(.finished(index, result)) { return .stopped }
            }
        }
    }

    private func endOrphans(except running: [Int: WorkerProcess]) {
        OrphanedProcesses.end(
            except: running.values.map(\.process) + (launcher.process.map { [$0] } ?? []))
    }

    /// Ends workers whose results are no longer needed.
    private func end(_ running: [Int: WorkerProcess], of jobs: [Job]) {
        running.values.forEach { $0.end() }
        let limit = ContinuousClock.now + Self.endGrace
        for (index, worker) in running {
            while worker.endedStatus() == nil {
                if ContinuousClock.now > limit { worker.kill() }
                var ended = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&ended, 1, 100)
            }
            keepPartialCapture(of: jobs[index])
            jobs[index].scratch.remove()
        }
    }

    private func launch(_ job: Job) throws -> WorkerProcess {
        // Files that an earlier run left under these names must not be taken for files of this run.
        for file in [job.task.capture, job.task.log] {
            try job.reports.place(file, making: true).remove()
        }
        job.scratch.remove()
        // Devices that root starts run as another user, who must be able to enter the folder.
        _ = try job.scratch.makeFolder(mode: geteuid() == 0 ? 0o711 : 0o700)
        return try WorkerProcess(
            task: Array(JSONEncoder().encode(job.task)), reports: job.reports, person: person,
            deadline: .now + job.testCase.timeout + job.stopGrace + Self.workerGrace, by: launcher)
    }

    /// Waits until a worker ends or is overdue; returns the number of a signal that has arrived.
    private func wait(
        for running: [Int: WorkerProcess], atMost longest: Duration
    ) -> Int32? {
        var descriptors = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += running.values.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        let limits = running.values.map {
            $0.isOverdue ? $0.deadline + Self.endGrace : $0.deadline
        }
        let next = limits.filter { $0 > .now }.min().map { $0 - .now } ?? longest
        let pause = min(next, longest) / .milliseconds(1) + 1
        poll(&descriptors, nfds_t(descriptors.count), Int32(pause))
        for worker in running.values where worker.deadline < .now {
            worker.end()
            if worker.deadline + Self.endGrace < .now { worker.kill() }
        }
        return descriptors[0].revents != 0 ? signals.next() : nil
    }

    private func result(of job: Job, status: WorkerStatus, worker: WorkerProcess) -> CaseResult {
        if status == .exited(0),
            let result = try? JSONDecoder().decode(CaseResult.self, from: Data(worker.answer)),
            result.suite == job.suite.id, result.id == job.testCase.id
        {
            return result
        }
        keepPartialCapture(of: job)
        if worker.isOverdue {
            return failure(of: job, "the worker of this case did not end in time, and was ended")
        }
        if case .exited(let code) = status,
            let tampering = ResourceLimits.tampering(exitCode: code)
        {
            return failure(of: job, tampering)
        }
        let detail = worker.lastLine.map { ": \($0)" } ?? status.foreignSignal ?? ""
        return failure(
            of: job, "the worker of this case ended without a result (\(status))\(detail)")
    }

    /// Keeps the capture of a case without a result, as it is.
    private func keepPartialCapture(of job: Job) {
        if let place = try? job.reports.place(job.task.capture) { PartialCapture.keep(as: place) }
    }

    private func failure(of job: Job, _ text: String) -> CaseResult {
        CaseResult(
            suite: job.suite, testCase: job.testCase, verdict: .error,
            reason: Reason(.setup, text))
    }
}
