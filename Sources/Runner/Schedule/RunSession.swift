import Glibc
import Suites
import Trace
import Verdicts

/// A run from plan to result: schedules the cases and keeps the result up to date.
public struct RunSession {
    /// What a run may be told beside its plan.
    public struct Options: Sendable {
        /// The program whose `worker` subcommand runs a case.
        public var executable: String
        /// The report folder.
        public var folder: String
        /// The command line, word by word.
        public var command: [String]
        /// How many cases run side by side; `nil` for a number that fits the machine.
        public var jobs: Int?
        /// What the cases' network is to be.
        public var network: IsolationRequest
        /// The fewest cases that must be judged.
        public var minimum: Int
        /// Whether a flaky case fails the run.
        public var strict: Bool
        /// Whether the first failure ends the run.
        public var failFast: Bool
        /// Folders in which includes are looked up.
        public var searchPath: [String]

        /// Makes options.
        public init(
            executable: String, folder: String, command: [String], jobs: Int? = nil,
            network: IsolationRequest = .isolated, minimum: Int = 1, strict: Bool = false,
            failFast: Bool = false, searchPath: [String] = []
        ) {
            self.executable = executable
            self.folder = folder
            self.command = command
            self.jobs = jobs
            self.network = network
            self.minimum = minimum
            self.strict = strict
            self.failFast = failFast
            self.searchPath = searchPath
        }
    }

    /// What happens in a run, told with the result as it then stands.
    public enum Update: Sendable {
        /// A case goes to a worker.
        case started(CaseReference)
        /// A case has ended or was skipped.
        case ended(CaseResult)
    }

    /// Cases side by side for each processor: they mostly wait, for a device or a quiet window.
    private static let casesPerCore = 4

    private let plan: RunPlan
    private let options: Options
    private let claim: FolderClaim
    /// The run as it stands before the first case.
    public let header: RunHeader

    /// Prepares a run.
    ///
    /// - Throws: `InvalidInput` if another run uses the report folder; or that it cannot be made.
    public init(plan: RunPlan, options: Options) throws {
        self.plan = plan
        self.options = options
        header = RunHeader(plan: plan, options: options)
        try FileSystem.makeFolder(options.folder + "/captures")
        try FileSystem.makeFolder(options.folder + "/logs")
        claim = try FolderClaim(options.folder)
    }

    /// Runs the plan; `listener` is told everything as it happens.
    ///
    /// - Returns: The result; it has not been ended yet, and says how it was interrupted if it was.
    public func execute(
        listener: (Update, RunResult) throws -> Void
    ) throws -> (result: RunResult, interruption: Interruption?) {
        var result = RunResult(header: header)
        for entry in plan.entries {
            guard let reason = entry.skipReason else { continue }
            let skipped = CaseResult(
                suite: entry.suite, testCase: entry.testCase, verdict: .skipped, reason: reason)
            result.cases.append(skipped)
            try listener(.ended(skipped), result)
        }
        let jobs = jobs
        let scheduler = try Scheduler(
            executable: options.executable, network: options.network,
            limit: options.jobs ?? Self.defaultJobs)
        let outcome = try scheduler.run(jobs) { event in
            switch event {
            case .started(let index):
                try listener(
                    .started(
                        CaseReference(suite: jobs[index].suite.id, id: jobs[index].testCase.id)),
                    result)
            case .finished(_, let ended):
                let named = named(ended)
                result.cases.append(named)
                try listener(.ended(named), result)
                return !(options.failFast && named.verdict == .fail)
            }
            return true
        }
        removeScratch()
        return (conclude(result, after: outcome), outcome.interruption)
    }

    /// After `--fail-fast` each case that was not begun is put down as not run.
    private func conclude(_ result: RunResult, after outcome: Scheduler.Outcome) -> RunResult {
        guard outcome == .stopped else { return result }
        var result = result
        let known = Set(result.cases.map(CaseReference.init))
        result.cases += header.planned.filter { !known.contains($0.reference) }
            .map { $0.notRun(because: "an earlier case failed (--fail-fast)") }
        return result
    }

    /// Removes what the workers left behind.
    func removeScratch() {
        FileSystem.removeTree(options.folder + "/.work")
        let captures = options.folder + "/captures"
        for name in FileSystem.names(in: captures) where name.hasSuffix(".partial") {
            FileSystem.removeTree("\(captures)/\(name)")
        }
    }

    /// The cases to run as the scheduler takes them.
    var jobs: [Scheduler.Job] {
        plan.entries.filter { $0.skipReason == nil }.enumerated().map(job)
    }

    private func job(_ index: Int, _ entry: RunPlan.Entry) -> Scheduler.Job {
        let scratch = "\(options.folder)/.work/\(index)"
        let reference = CaseReference(suite: entry.suite.id, id: entry.testCase.id)
        return Scheduler.Job(
            order: WorkerOrder(
                suite: entry.path, searchPath: options.searchPath, testCase: entry.testCase.id,
                fingerprint: WorkerOrder.fingerprint(of: entry.testCase, in: entry.suite),
                device: plan.device, scratch: scratch,
                capture: "\(options.folder)/\(reference.capturePath)",
                log: "\(options.folder)/\(reference.logPath)", result: scratch + "/result.json"),
            suite: entry.suite, testCase: entry.testCase,
            stopGrace: plan.profiles[entry.suite.deviceRole]?.stop.grace ?? .zero)
    }

    /// Adds the names of the files that belong to a case, and the command that runs it again.
    func named(_ result: CaseResult) -> CaseResult {
        var result = result
        let reference = CaseReference(result)
        let (capture, log) = (reference.capturePath, reference.logPath)
        if access("\(options.folder)/\(capture)", F_OK) == 0 { result.capture = capture }
        if access("\(options.folder)/\(log)", F_OK) == 0 { result.log = log }
        result.reproduce = reproduceCommand(suite: result.suite, id: result.id)
        return result
    }

    private func reproduceCommand(suite: String, id: String) -> String? {
        guard let path = plan.entries.first(where: { $0.suite.id == suite })?.path else {
            return nil
        }
        var words = ["conform", "run", path, "--case", id] + plan.device.arguments
        if options.network == .host { words += ["--network", "host"] }
        return words.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_./=:,+@".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }

    /// Makes a report folder that nobody else has, named after the present in UTC.
    ///
    /// Where nothing can be made it only names one; the run then says why.
    public static func freshFolder(in parent: String) -> String {
        let stamp = Moment(WallClock.now).utc.filter { $0 != ":" }
        let paths = ([stamp] + (2...99).map { "\(stamp)-\($0)" }).map { "\(parent)/\($0)" }
        try? FileSystem.makeFolder(parent)
        return paths.first(where: FileSystem.makeFreshFolder) ?? paths[0]
    }

    /// How many cases run side by side unless it is said.
    static var defaultJobs: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) * casesPerCore
    }
}

extension Scheduler.Outcome {
    /// The interruption that ended a schedule, if one did.
    var interruption: Interruption? {
        switch self {
        case .interrupted(SIGTERM): .terminate
        case .interrupted: .interrupt
        case .completed, .stopped: nil
        }
    }
}

extension DeviceSelection {
    /// The options that choose this device on a command line.
    var arguments: [String] {
        switch self {
        case .reference(_, nil): []
        case .reference(_, let mutant?): ["--mutant", mutant]
        case .profile(let path): ["--device", path]
        case .command(let words): ["--device-command", words.joined(separator: " ")]
        }
    }
}
