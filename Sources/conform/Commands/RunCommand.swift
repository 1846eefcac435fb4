import Glibc
import Reports
import Runner
import Suites
import Verdicts

extension Command {
    /// `conform run`: suites against a device, live.
    static let run = Command(
        name: "run", operands: "SUITE|DIR ...",
        summary: "Runs suites against a device and writes reports.",
        options: CommonOptions.selection + CommonOptions.device + [
            CommonOptions.jobs, CommonOptions.network, reports, junit, minimum, strict, failFast,
        ]
    ) { arguments in
        let plan = try CommonOptions.plan(arguments)
        let folder = try arguments.value(reports.name) ?? ReportFolder.freshName(in: "Reports")
        let session = try RunSession(
            plan: plan, options: options(arguments, folder: folder))
        return try execute(session, folder: folder, junit: arguments.value(junit.name))
    }

    private static let reports = Option(
        "--reports", "DIR", "the report folder (default: a new one in Reports/)")
    private static let junit = Option("--junit", "FILE", "a second copy of the JUnit report")
    private static let minimum = Option("--min", "N", "fail unless at least N cases were judged")
    private static let strict = Option("--strict", nil, "a flaky case fails the run")
    private static let failFast = Option("--fail-fast", nil, "stop at the first failure")

    private static func options(
        _ arguments: Arguments, folder: String
    ) throws(UsageError) -> RunSession.Options {
        let network = arguments.value(CommonOptions.network.name) ?? "isolated"
        guard let request = IsolationRequest(rawValue: network) else {
            throw UsageError("\(CommonOptions.network.name) takes isolated or host, not \"\(network)\"")
        }
        return RunSession.Options(
            executable: Executable.conform, folder: folder,
            command: ["conform"] + CommandLine.arguments.dropFirst(),
            jobs: try arguments.number(CommonOptions.jobs.name, minimum: 1), network: request,
            minimum: try arguments.number(minimum.name, minimum: 0) ?? 1,
            strict: arguments.has(strict.name), failFast: arguments.has(failFast.name),
            searchPath: arguments.all(CommonOptions.searchPath.name))
    }

    private static func execute(
        _ session: RunSession, folder path: String, junit: String?
    ) throws -> Int32 {
        let folder = try ReportFolder(path: path, header: session.header, junitCopy: junit)
        var (result, interruption) = try session.execute { update, result in
            switch update {
            case .started(let reference):
                folder.caseStarted(reference)
            case .ended(let ended):
                print(ConsoleReport.line(for: ended, style: Terminal.style))
                folder.caseEnded(ended, result: result)
            }
        }
        result.end(seconds: result.secondsSinceStart, interruption: interruption)
        if !folder.finish(result) {
            result.end(
                seconds: result.seconds, interruption: interruption, reportFailed: true)
        }
        print(ConsoleReport.summary(of: result, style: Terminal.style))
        folder.failures.forEach { fputs("conform: error: \($0)\n", stderr) }
        return (result.exit ?? .couldNotJudge).rawValue
    }
}
