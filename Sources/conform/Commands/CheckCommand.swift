import Capture
import Protocols
import Reports
import Runner
import Suites
import Trace
import Verdicts

extension Command {
    /// `conform check`: verdicts from captures, no device needed.
    static let check = Command(
        name: "check", operands: "SUITE CAPTURE ...",
        summary: "Judges saved captures, or logs, by a suite.",
        options: CommonOptions.selection + [peer, logFormat, reports]
    ) { arguments in
        guard let suitePath = arguments.operands.first, arguments.operands.count > 1 else {
            throw UsageError(
                "give a suite and at least one capture: conform check SUITE CAPTURE ...")
        }
        let captures = Array(arguments.operands.dropFirst())
        let format = try arguments.value(logFormat.name).map(LogFormat.load(path:))
        if isCapture(suitePath), !isCapture(captures[0]) {
            throw UsageError(
                "\(suitePath) is a capture; the suite comes first: conform check SUITE CAPTURE ...")
        }
        let suite = try SuiteLoader.load(
            path: suitePath, searchPath: arguments.all(CommonOptions.searchPath.name))
        try SelectionCheck(suites: [suite]).check(arguments)
        let check = CaptureCheck(
            suite: suite, selection: CommonOptions.selection(arguments),
            roles: try roles(arguments, suite: suite), logFormat: format)
        let folder = arguments.value(reports.name) ?? ""
        let console = ConsoleReport(style: Terminal.style, folder: folder)
        if !folder.isEmpty { _ = try ReportFolder(creating: folder) }
        var run = try check.run(
            captures: captures, folder: folder,
            command: ["conform"] + CommandLine.arguments.dropFirst()
        ) { StandardOutput.print(console.line($0)) }
        if !folder.isEmpty {
            var reporting = try RunReporting(folder: folder, junit: nil, run: run)
            run = reporting.finish(run, seconds: run.seconds, interruption: nil)
            reporting.failures.forEach { StandardError.print("conform: error: \($0)") }
        }
        run.casesInPlanOrder.flatMap(console.explanation).forEach { StandardOutput.print($0) }
        console.closing(run).forEach { StandardOutput.print($0) }
        return (run.exit ?? .couldNotJudge).rawValue
    }

    private static let reports = Option("--reports", "DIR", "write the reports into this folder")
    private static let peer = Option(
        "--peer", "NAME=ADDRESS:PORT", "which endpoint a peer of the suite has", repeats: true)

    private static let logFormat = Option(
        "--log-format", "FILE", "the files are logs, which this format makes messages of")

    private static func isCapture(_ path: String) -> Bool { (try? CaptureFile(path: path)) != nil }

    private static func roles(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> CaptureCheck.Roles {
        var roles = CaptureCheck.Roles()
        for text in arguments.all(peer.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let endpoint = Endpoint(parts[1]) else {
                throw UsageError("\(peer.name) takes NAME=ADDRESS:PORT, not \"\(text)\"")
            }
            roles.peers[parts[0]] = endpoint
        }
        let names = Set(suite.cases.flatMap(\.peers).map(\.name))
        if let unknown = roles.peers.keys.sorted().first(where: { !names.contains($0) }) {
            throw UsageError(
                "the suite has no peer \(unknown); it has \(names.sorted().joined(separator: ", "))"
            )
        }
        return roles
    }
}
