import Devices
import Glibc
import Judge
import Live
import Reporting
import Results
import SuiteLanguage
import System
import Trace

extension Command {
    /// `conform run`: runs suites live against a device.
    static let run = Command(
        name: "run", operands: SuiteFiles.operands,
        summary: "Runs suites against a device and writes reports.",
        groups: RunOptions.groups(selection: CommonOptions.selection + [LastRun.option])
    ) { arguments in
        OrphanedProcesses.adopt()
        let devices = arguments.all(DeviceOption.option.name)
        let status: ExitStatus
        if devices.count > 1 {
            status = try DeviceSeries(devices, arguments).run()
        } else {
            let plan = try RunOptions.plan(arguments)
            guard !plan.entries.isEmpty || plan.shard != nil || RunOptions.namesReports(arguments)
            else {
                StandardOutput.print(
                    "nothing executed: no case is selected (exit \(ExitStatus.nothingExecuted.rawValue))"
                )
                return ExitStatus.nothingExecuted.rawValue
            }
            status = try execute(arguments, plan).exit
        }
        RunOptions.prune(arguments)
        return status.rawValue
    }

    /// Executes one run of one device.
    static func execute(
        _ arguments: Arguments, _ plan: RunPlan
    ) throws -> (result: RunResult, exit: ExitStatus) {
        let attempts = try PolicyOptions.attempts(arguments)
        let known = try PolicyOptions.known(arguments, suites: plan.suites)
        if let option = [ExploreOptions.runs, ExploreOptions.time].first(where: {
            arguments.has($0.name)
        }), plan.suites.allSatisfy(\.explorations.isEmpty) {
            StandardError.print(
                "conform: warning: \(option.name) has no effect: the suites have no exploration")
        }
        var options = try RunOptions.session(arguments)
        (options.attempts, options.known) = (attempts, known)
        options.recordsDigests = true
        options.lateRetries = AttemptPolicy.lateRetries
        let further = try ReportOptions.further(arguments)
        let level = try ReportOptions.level(arguments)
        _ = try ReportFolder(creating: options.folder, further: further)
        let session = try RunSession(plan: plan, options: options)
        var console = LiveConsole(
            ConsoleReport(style: Terminal.style, folder: options.folder), level: level,
            isLive: Terminal.isLive)
        StandardOutput.write(console.opening(session.header, expected: plan.expectedSeconds))
        var reporting = try RunReporting(
            folder: options.folder, further: further, run: RunResult(header: session.header)
        ) { result in
            plan.entries.first { $0.suite.id == result.suite && $0.testCase.id == result.id }
                .map { ($0.testCase, $0.suite) }
        }
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
        guard hasPerson || !DeviceOption.isPaused(arguments) else {
            throw UsageError(
                "a paused device needs a person who presses Enter, and \(Operator.variable)=none "
                    + "says that there is nobody")
        }
        let plan = try CommonOptions.plan(arguments)
        if let fault = plan.launchFault {
            // What is wrong with the command line is reported first.
            _ = try PolicyOptions.known(arguments, suites: plan.suites)
            throw UsageError(fault)
        }
        return plan
    }

    static let minimum = Option("--min", "N", "exit with 4 unless N cases passed")

    /// Returns whether the command line says where reports go; then they are written for any plan.
    static func namesReports(_ arguments: Arguments) -> Bool {
        [reports, ReportOptions.junit, ReportOptions.annotations].contains {
            arguments.has($0.name)
        }
    }

    /// Returns the options of a run with those that select its cases.
    static func groups(selection: [Option]) -> [OptionGroup] {
        [
            OptionGroup(
                title: "Which cases", example: "run Suites/ --case 'change-*' --tag '!long'",
                options: selection + [ShardOption.option]),
            OptionGroup(
                title: "The device and its surroundings",
                example: "run Suites/ --device 'command:./my-app ${host} ${port}'",
                options: [
                    DeviceOption.option, ParameterOptions.parameter, CommonOptions.network,
                    TimeScaleOption.option, SeedOption.option, CommonOptions.jobs,
                ]),
            OptionGroup(
                title: "Explorations",
                example: "run Suites/ --explore 1000 --explore-time 10m --seed 7",
                options: ExploreOptions.all + [ExploreOptions.time]),
            OptionGroup(
                title: "When the run fails", example: "run Suites/ --repeat 50 --fail-fast",
                options: [
                    StrictOption.ofRun, PolicyOptions.knownOfRun, minimum,
                    PolicyOptions.repetitions, PolicyOptions.retries, PolicyOptions.failFast,
                ]),
            OptionGroup(
                title: "Reports",
                example: "run Suites/ --reports Reports/ci --annotations github -q",
                options: [reports, ReportOptions.junit] + ReportOptions.all),
        ]
    }

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
        var options = RunSession.Options(
            executable: Executable.conform,
            folder: arguments.value(reports.name)
                ?? RunSession.freshFolder(in: LastRun.parent(arguments)),
            command: ["conform"] + ProgramArguments.words,
            jobs: try CommonOptions.jobCount(arguments),
            network: try CommonOptions.isolation(arguments),
            minimum: try arguments.number(minimum.name, minimum: 0) ?? 1,
            strict: try StrictOption.refusesFlaky(arguments),
            failFast: arguments.has(PolicyOptions.failFast.name),
            searchPath: arguments.searchPath)
        options.person = hasPerson ? user : nil
        options.isPaused = DeviceOption.isPaused(arguments)
        options.shrinkTime = try ExploreOptions.shrinkTime(arguments)
        return options
    }

    /// Whether there is a person who carries out controls.
    static var hasPerson: Bool { Terminal.variable(Operator.variable) != "none" }

    /// The person at the standard input.
    private static var user: Operator? {
        let streams = [STDIN_FILENO, STDERR_FILENO]
        guard streams.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { return nil }
        let names = [Operator.variable, "SUDO_USER", "USER", "LOGNAME"].lazy
            .compactMap(Terminal.variable)
        return Operator(
            name: names.first ?? "user \(getuid())", input: STDIN_FILENO, output: STDERR_FILENO)
    }
}
