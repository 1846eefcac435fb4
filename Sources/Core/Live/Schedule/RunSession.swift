import Devices
import Glibc
import Judge
import Offline
import Results
import SuiteLanguage
import System
import Trace

/// A run from plan to result: schedules the cases and keeps the result up to date.
public struct RunSession {
    /// Settings of a run in addition to its plan.
    public struct Options: Sendable {
        /// The program whose `worker` subcommand runs a case.
        public var executable: String
        /// The report folder.
        public var folder: String
        /// The command line, word by word.
        public var command: [String]
        /// How many cases run in parallel; `nil` for as many as the machine can run.
        public var jobs: Int?
        /// Which network the cases use.
        public var network: IsolationRequest
        /// The fewest cases that must pass.
        public var minimum: Int
        /// Whether a flaky case fails the run.
        public var strict: Bool
        /// Whether the first failure ends the run.
        public var failFast: Bool
        /// Folders that are searched for included files.
        public var searchPath: [String]
        /// How often each case is executed.
        public var attempts = AttemptPolicy.once
        /// How many executions of a case may be replaced.
        ///
        /// They are replaced if the machine was too busy to judge them.
        public var lateRetries = 0
        /// The failures that are known; `nil` without a list.
        public var known: KnownFailurePolicy?
        /// The person who carries out what no program can; `nil` for nobody.
        public var person: Operator?
        /// Whether each case waits for a person before its device is started.
        public var isPaused = false
        /// For how long the failures of drawn runs are shrunk at most, all together.
        public var shrinkTime = Options.defaultShrinkTime
        /// For how long failures are shrunk if nothing else is wanted.
        public static let defaultShrinkTime = Duration.seconds(60)
        /// Whether the result contains the digests of the files that its verdicts depend on.
        public var recordsDigests = false

        /// Creates options.
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

    private let plan: RunPlan
    private let options: Options
    let reports: HeldFolder
    private let claim: FolderClaim
    /// The claim that keeps other runs away from an attached device; `nil` without one.
    private let bench: BenchClaim?
    private let scratch: ScratchFolder
    /// The cases that are executed.
    let entries: [RunPlan.Entry]
    /// The run before its first case.
    public let header: RunHeader

    /// Prepares a run.
    ///
    /// - Throws: `InvalidInput` if another run uses the report folder; another error if it cannot
    ///   be made.
    public init(plan: RunPlan, options: Options) throws {
        self.plan = plan
        self.options = options
        entries = plan.entries.filter { $0.skipReason == nil }
        bench = try entries.isEmpty ? nil : BenchClaim(plan.profiles.values, options.network)
        header = RunHeader(plan: plan, options: options)
        var read = plan.suites.map(\.file)
        if case .profile(let path) = plan.device { read.append(path) }
        for path in read {
            try ParameterOverrides.refuseStream(path, readAgain: "by each case")
        }
        reports = try HeldFolder(making: options.folder)
        for name in ["captures", "logs"] { _ = try reports.place(name).madeFolder() }
        claim = try FolderClaim(options.folder)
        scratch = try ScratchFolder()
    }

    /// Runs the plan; `listener` is called for each event.
    ///
    /// - Returns: The result, which has not been ended yet, and how it was interrupted, if it was.
    public func execute(
        listener: (RunUpdate, RunResult) throws -> Void
    ) throws -> (result: RunResult, interruption: Interruption?) {
        try execute(by: WorkerServer(options), listener: listener)
    }

    /// Runs the plan with workers that `launcher` starts.
    func execute(
        by launcher: any WorkerLauncher, listener: (RunUpdate, RunResult) throws -> Void
    ) throws -> (result: RunResult, interruption: Interruption?) {
        var result = RunResult(header: header)
        for skipped in skippedCases {
            result.cases.append(skipped)
            try listener(.ended(skipped), result)
        }
        let isOneByOne = isOneByOne
        // One by one, cases take equally long in any order; people expect the order of the file.
        let end = plan.exploringTime.map { ContinuousClock.now + $0 }
        var begun: Set<Int> = []
        var ledger = AttemptLedger(
            policy: options.attempts, lateRetries: options.lateRetries, cases: entries.count,
            order: order(isOneByOne: isOneByOne))
        let scheduler = try Scheduler(
            launcher: launcher,
            pace: isOneByOne ? JobPace(fixed: 1) : Self.pace(options.jobs), person: options.person)
        // A device with a given seed makes the same random draws each time.
        var pool = plan.seed == nil ? PooledSpread(takesConcurrent: true) : nil
        func settle(_ folded: CaseResult) throws -> Bool {
            let pooled = pool?.judged(folded, of: folded.id) ?? folded
            let isRefused = pooled.verdict != folded.verdict
            let judged = isRefused ? options.known?.judged(pooled) ?? pooled : pooled
            let settled = options.known?.concluded(judged) ?? judged
            result.cases.append(settled.stored)
            try listener(.ended(settled), result)
            return !(options.failFast && settled.verdict == .fail)
        }
        let outcome = try scheduler.run(
            rounds: { ledger.nextRound() },
            job: { try job($0.place, attempt: $0.number) },
            selects: { turn in
                guard let end, entries[turn.place].testCase.drawn != nil else { return true }
                return begun.contains(turn.place) || ContinuousClock.now < end
            },
            waiting: { try listener(.waiting, result) },
            listener: { turn, ended in
                guard let ended else {
                    begun.insert(turn.place)
                    guard turn.number == 1 else { return true }
                    try listener(.started(PlannedCase(entries[turn.place]).reference), result)
                    return true
                }
                let named = named(ended, attempt: turn.number)
                pool?.add(named, of: named.id)
                let attempt = options.known?.judged(named) ?? named
                return try ledger.consume(attempt, of: turn).map(settle) ?? true
            })
        for unfinished in ledger.close() { _ = try settle(unfinished) }
        if end != nil { withdraw(from: &result.header, except: begun) }
        if outcome.interruption == nil, !needsPerson {
            try shrink(
                &result, atMost: options.shrinkTime, with: scheduler, listener: listener)
        }
        removeScratch()
        return (conclude(result, after: outcome), outcome.interruption)
    }

    /// The order in which cases begin; `nil` for that of the plan.
    private func order(isOneByOne: Bool) -> [Int]? {
        let isInFileOrder = isOneByOne || options.jobs == 1
        let places =
            isInFileOrder ? Array(entries.indices) : plan.times.longestFirst(entries)
        if plan.exploringTime != nil { return RunPlan.numbered(entries, places) }
        return isInFileOrder ? nil : places
    }

    /// Takes the drawn runs for which there was no time out of the plan.
    private func withdraw(from header: inout RunHeader, except begun: Set<Int>) {
        let left = Set(
            entries.indices.filter { entries[$0].testCase.drawn != nil && !begun.contains($0) }
                .map { PlannedCase(entries[$0]).reference })
        header.planned.removeAll { left.contains($0.reference) }
    }

    /// Whether cases must run one by one, because there is only one attached device or one person.
    private var isOneByOne: Bool { bench != nil || needsPerson }

    /// Whether a person must be there while cases run.
    private var needsPerson: Bool {
        options.isPaused
            || entries.contains { entry in
                plan.profiles[entry.suite.deviceRole]?
                    .personControl(among: entry.testCase.deviceActions) != nil
            }
    }

    private var skippedCases: [CaseResult] {
        plan.entries.compactMap { entry in
            entry.skipReason.map {
                CaseResult(
                    suite: entry.suite, testCase: entry.testCase, verdict: .skipped, reason: $0)
            }
        }
    }

    /// Records each case that was not begun as not run, after `--fail-fast`.
    private func conclude(_ result: RunResult, after outcome: Scheduler.Outcome) -> RunResult {
        guard outcome == .stopped else { return result }
        var result = result
        let known = Set(result.cases.map(CaseReference.init))
        result.cases += result.header.planned.filter { !known.contains($0.reference) }
            .map { $0.notRun(because: "an earlier case failed (--fail-fast)") }
        return result
    }

    /// Removes what the workers have left.
    func removeScratch() {
        scratch.remove()
        for captures in ["captures", "captures/attempts"] {
            KilledRuns.remove(in: captures, of: reports, endingWith: ".partial")
        }
    }

    /// Returns the job of the scheduler for an execution of a case.
    func job(_ index: Int, attempt: Int) throws -> Scheduler.Job {
        let reference = PlannedCase(entries[index]).reference
        return try job(
            of: entries[index], scratch: "\(index)" + (attempt == 1 ? "" : "-\(attempt)"),
            capture: reference.capturePath(attempt: attempt),
            log: reference.logPath(attempt: attempt))
    }

    /// Returns the job of the scheduler for an execution of any case, with the names of its files.
    func job(
        of entry: RunPlan.Entry, scratch name: String, capture: String, log: String
    ) throws -> Scheduler.Job {
        let scratch = try scratch.place(name)
        return Scheduler.Job(
            task: WorkerTask(
                suite: entry.path, searchPath: options.searchPath, testCase: entry.testCase.id,
                parameters: ParameterText.json(entry.suite.parameterValues),
                timeScale: plan.timeScale, carrier: plan.carrier,
                holdsToProtocol: plan.holdsToProtocol,
                seed: plan.seed,
                fingerprint: entry.suite.fingerprint,
                device: plan.device, scratch: scratch.path,
                hidden: [options.folder, ScratchFolder.root, self.scratch.path],
                reports: options.folder, capture: capture, log: log, person: options.person?.name,
                isPaused: options.isPaused),
            reports: reports, scratch: scratch, suite: entry.suite, testCase: entry.testCase,
            stopGrace: (options.isPaused ? Self.longestPause : .zero)
                + (plan.profiles[entry.suite.deviceRole].map { profile in
                    profile.stop.grace + profile.patience(for: entry.testCase.deviceActions)
                } ?? .zero))
    }

    /// How long a person may take to start what a paused case needs.
    private static let longestPause: Duration = .seconds(3600)

    /// Adds the names of the files that belong to a case, and the command that runs it again.
    func named(_ result: CaseResult, attempt: Int = 1) -> CaseResult {
        var result = result
        let reference = CaseReference(result)
        let capture = reference.capturePath(attempt: attempt)
        let log = reference.logPath(attempt: attempt)
        if let place = try? reports.place(capture), place.isThere {
            result.capture = capture
            if options.recordsDigests { result.captureDigest = FileDigest.sha256(of: place) }
        }
        if (try? reports.place(log).isThere) == true { result.log = log }
        result.reproduce = reproduceCommand(suite: result.suite, id: result.id)
        return result
    }

    private func reproduceCommand(suite: String, id: String) -> String? {
        guard let path = plan.entries.first(where: { $0.suite.id == suite })?.path else {
            return nil
        }
        var words = ["conform", "run", path, "--case", id] + plan.device.arguments
        words += plan.parameters.arguments
        if !plan.timeScale.isReal { words += ["--time-scale", plan.timeScale.description] }
        if let carrier = plan.carrier { words += ["--parameter", "carrier=\(carrier.rawValue)"] }
        if plan.holdsToProtocol { words += ["--strict", "protocol"] }
        if let seed = plan.seed { words += ["--seed", String(seed)] }
        if options.network == .host { words += ["--network", "host"] }
        if let list = options.known?.list { words += ["--known", list.file] }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    /// Makes a report folder that nobody else uses, named after the current time in UTC.
    ///
    /// If no folder can be made, it only returns a name; the run then reports why.
    public static func freshFolder(in parent: String) -> String {
        let stamp = Moment(WallClock.now).utc.filter { $0 != ":" }
        let paths = ([stamp] + (2...99).map { "\(stamp)-\($0)" }).map { "\(parent)/\($0)" }
        _ = try? HeldFolder(making: parent)
        return paths.first { mkdir($0, 0o777) == 0 } ?? paths[0]
    }

    /// Returns how many cases run in parallel: a number, or as many as the machine can run.
    static func pace(_ jobs: Int?) -> JobPace { jobs.map(JobPace.init(fixed:)) ?? JobPace() }
}

extension Scheduler.Outcome {
    /// The interruption that ended a schedule, if one did.
    var interruption: Interruption? {
        switch self {
        case .interrupted(SIGINT): .interrupt
        case .interrupted: .terminate
        case .completed, .stopped: nil
        }
    }
}

extension Interruption {
    /// The signals that end a run with complete reports.
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1]
}

extension DeviceSelection {
    /// The options that choose this device on a command line.
    var arguments: [String] {
        switch self {
        case .reference(_, nil): []
        case .reference(_, let mutant?): ["--device", "reference:\(mutant)"]
        case .profile(let path): ["--device", path]
        case .command(let words):
            ["--device", "command:" + words.map(ShellWord.quoted).joined(separator: " ")]
        }
    }
}
