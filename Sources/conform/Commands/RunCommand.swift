import Glibc
import Reports
import Runner
import Suites
import Trace
import Verdicts

extension Command {
    /// `conform run`: suites against a device, live.
    static let run = Command(
        name: "run", operands: "SUITE|DIR ...",
        summary: "Runs suites against a device and writes reports.",
        options: CommonOptions.selection + CommonOptions.device + [CommonOptions.feature]
            + RunOptions.all
            + PolicyOptions.all
    ) { arguments in
        let plan = try CommonOptions.plan(arguments)
        let attempts = try PolicyOptions.attempts(arguments)
        let known = try PolicyOptions.known(arguments, suites: plan.suites)
        var options = try RunOptions.session(arguments)
        (options.attempts, options.known) = (attempts, known)
        _ = try ReportFolder(creating: options.folder)
        let session = try RunSession(plan: plan, options: options)
        let console = ConsoleReport(style: Terminal.style, folder: options.folder)
        console.opening(session.header).forEach { StandardOutput.print($0) }
        var reporting = try RunReporting(
            folder: options.folder, junit: arguments.value(RunOptions.junit.name),
            run: RunResult(header: session.header))
        let start = ContinuousClock.now
        let (result, interruption) = try session.execute { update, run in
            reporting.take(update, at: WallClock.now, in: run)
            if case .ended(let ended) = update { StandardOutput.print(console.line(ended)) }
        }
        let ended = reporting.finish(
            result, seconds: start.duration(to: .now) / .seconds(1), interruption: interruption)
        ended.casesInPlanOrder.flatMap(console.explanation).forEach { StandardOutput.print($0) }
        console.closing(ended).forEach { StandardOutput.print($0) }
        reporting.failures.forEach { StandardError.print("conform: error: \($0)") }
        let exit = ended.exit ?? .couldNotJudge
        do {
            try PolicyOptions.update(arguments, known, after: ended)
                .forEach { StandardOutput.print($0) }
        } catch {
            StandardError.print("conform: error: the known failures cannot be written: \(error)")
            return (exit == .conformant ? .reportFailed : exit).rawValue
        }
        return exit.rawValue
    }
}

/// The options of runs.
enum RunOptions {
    static let reports = Option(
        "--reports", "DIR", "the report folder (default: a new one in Reports/)")
    static let junit = Option("--junit", "FILE", "a second copy of the JUnit report")
    private static let minimum = Option("--min", "N", "exit with 4 unless N cases were judged")
    private static let strict = Option("--strict", nil, "a flaky case fails the run")
    private static let failFast = Option("--fail-fast", nil, "stop at the first failure")

    static let all = [
        CommonOptions.jobs, CommonOptions.network, reports, junit, minimum, strict, failFast,
    ]

    /// What the options make of a run.
    static func session(_ arguments: Arguments) throws -> RunSession.Options {
        let network = arguments.value(CommonOptions.network.name) ?? "isolated"
        guard let request = IsolationRequest(rawValue: network) else {
            throw UsageError(
                "\(CommonOptions.network.name) takes isolated or host, not \"\(network)\"")
        }
        return RunSession.Options(
            executable: Executable.conform,
            folder: arguments.value(reports.name) ?? RunSession.freshFolder(in: "Reports"),
            command: ["conform"] + CommandLine.arguments.dropFirst(),
            jobs: try arguments.number(CommonOptions.jobs.name, minimum: 1), network: request,
            minimum: try arguments.number(minimum.name, minimum: 0) ?? 1,
            strict: arguments.has(strict.name), failFast: arguments.has(failFast.name),
            searchPath: arguments.all(CommonOptions.searchPath.name))
    }
}
