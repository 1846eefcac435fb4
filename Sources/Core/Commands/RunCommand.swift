import Devices
import Glibc
import Judge
import Live
import Processes
import Reporting
import Results
import SuiteLanguage
import Trace

extension Command {
    /// `conform run`: runs suites live against a device.
    static let run = Command(
        name: "run", operands: SuiteFiles.operands,
        summary: "Runs suites against a device and writes reports.",
        options: CommonOptions.selection + [LastRun.option] + CommonOptions.device
            + [CommonOptions.feature]
            + ExploreOptions.all + [ExploreOptions.time] + RunOptions.all
            + PolicyOptions.all + [ShardOption.option, ShardOption.times, ReportOptions.junit]
            + ReportOptions.all
    ) { arguments in
        OrphanedProcesses.adopt()
        let devices = arguments.all(CommonOptions.profile.name)
        let status =
            devices.count > 1
            ? try DeviceSeries(devices, arguments).run()
            : try execute(arguments, RunOptions.plan(arguments)).exit
        RunOptions.prune(arguments)
        return status.rawValue
    }

    /// Executes one run of one device.
    static func execute(
        _ arguments: Arguments, _ plan: RunPlan
    ) throws -> (result: RunResult, exit: ExitStatus) {
        let attempts = try PolicyOptions.attempts(arguments)
        let known = try PolicyOptions.known(arguments, suites: plan.suites)
        var options = try RunOptions.session(arguments)
        (options.attempts, options.known) = (attempts, known)
        options.recordsDigests = true
        options.lateRetries = try PolicyOptions.lateRetries(arguments)
        let further = try ReportOptions.further(arguments)
        let level = try ReportOptions.level(arguments)
        _ = try ReportFolder(creating: options.folder, further: further)
        let session = try RunSession(plan: plan, options: options)
        var console = LiveConsole(
            ConsoleReport(style: Terminal.style, folder: options.folder), level: level,
            isLive: Terminal.isLive)
        StandardOutput.write(console.opening(session.header, expected: plan.expectedSeconds))
        var reporting = try RunReporting(
            folder: options.folder, further: further, run: RunResult(header: session.header))
        let start = ContinuousClock.now
        func elapsed() -> Double { start.duration(to: .now) / .seconds(1) }
        let (result, interruption) = try session.execute { update, run in
            reporting.consume(update, at: WallClock.now, in: run)
            StandardOutput.write(
                console.consume(update, elapsed: elapsed(), columns: Terminal.columns))
        }
        let ended = reporting.finish(result, seconds: elapsed(), interruption: interruption)
        reporting.failures.forEach { StandardError.print("conform: error: \($0)") }
        ReportOptions.annotate(ended, arguments)
        var exit = ended.exit ?? .couldNotJudge
        var notices: [String] = []
        do {
            notices = try PolicyOptions.update(arguments, known, after: ended)
        } catch {
            StandardError.print("conform: error: the known failures cannot be written: \(error)")
            if exit == .conformant { exit = .reportFailed }
        }
        StandardOutput.write(console.closing(ended, notices: notices))
        return (ended, exit)
    }
}

/// The options of runs.
enum RunOptions {
    static let reports = Option(
        "--reports", "DIR", "the report folder (default: a new one in Reports/)")
    /// Returns the plan of a run; throws if the device is known not to be startable.
    static func plan(_ arguments: Arguments) throws -> RunPlan {
        let plan = try CommonOptions.plan(arguments)
        if let fault = plan.launchFault { throw UsageError(fault) }
        return plan
    }

    private static let minimum = Option("--min", "N", "exit with 4 unless N cases passed")
    private static let strict = Option("--strict", nil, "a flaky case fails the run")
    static let person = Option(
        "--operator", "NAME|none",
        "the person who does what controls ask for (default: the user), or nobody")
    private static let pause = Option(
        "--pause", "PATTERN", "before these cases print what to start, and wait for Enter",
        repeats: true)
    private static let failFast = Option("--fail-fast", nil, "stop at the first failure")

    static let all = [
        CommonOptions.jobs, CommonOptions.network, TimeScaleOption.option, CarrierOption.option,
        SeedOption.option, CommonOptions.strictProtocol, reports, minimum, strict, failFast,
        person, pause,
    ]

    /// Removes the oldest runs where the project says how many are kept.
    static func prune(_ arguments: Arguments) {
        guard let count = arguments.project?.keptRuns.flatMap({ Int(exactly: $0) }),
            arguments.value(reports.name) == nil
        else { return }
        let removed = KeptRuns.prune(LastRun.parent(arguments), to: count)
        if let first = removed.first {
            StandardOutput.print(
                removed.count == 1
                    ? "removed \(first)"
                    : "removed \(first) and \(removed.count - 1) more of the oldest runs")
        }
    }

    /// Returns the settings of a run from the options.
    static func session(_ arguments: Arguments) throws -> RunSession.Options {
        let network = arguments.value(CommonOptions.network.name) ?? "isolated"
        guard let request = IsolationRequest(rawValue: network) else {
            throw UsageError(
                "\(CommonOptions.network.name) takes isolated or host, not \"\(network)\"")
        }
        var options = RunSession.Options(
            executable: Executable.conform,
            folder: arguments.value(reports.name)
                ?? RunSession.freshFolder(in: LastRun.parent(arguments)),
            command: ["conform"] + ProgramArguments.words,
            jobs: try arguments.number(CommonOptions.jobs.name, minimum: 1), network: request,
            minimum: try arguments.number(minimum.name, minimum: 0) ?? 1,
            strict: arguments.has(strict.name), failFast: arguments.has(failFast.name),
            searchPath: arguments.all(CommonOptions.searchPath.name))
        options.person = hasPerson(arguments) ? user(named: arguments.value(person.name)) : nil
        options.pauses = arguments.all(pause.name).map { CasePattern($0) }
        return options
    }

    /// Returns whether there is a person who carries out controls.
    static func hasPerson(_ arguments: Arguments) -> Bool {
        arguments.value(person.name) != "none"
    }

    /// Returns the person at the standard input.
    private static func user(named name: String?) -> Operator? {
        let streams = [STDIN_FILENO, STDERR_FILENO]
        guard streams.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { return nil }
        let variables = ["SUDO_USER", "USER", "LOGNAME"]
        let user = variables.lazy.compactMap { (variable: String) in
            getenv(variable).map { String(cString: $0) }
        }
        return Operator(
            name: name ?? user.first ?? "user \(getuid())", input: STDIN_FILENO,
            output: STDERR_FILENO)
    }
}
