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
        name: "check", operands: "SUITE CAPTURE|DIR|- ...",
        summary: "Judges saved captures, or logs, by a suite.",
        options: CommonOptions.selection + [
            CommonOptions.peer, device, foreign, per, logFormat, PolicyOptions.known, reports,
            CaptureOptions.checksums, CaptureOptions.threads, CaptureOptions.join,
            CaptureOptions.follow, CaptureOptions.idle, CaptureOptions.limit,
        ] + ReportOptions.all
    ) { arguments in
        guard let suitePath = arguments.operands.first, arguments.operands.count > 1 else {
            throw UsageError(
                "give a suite and at least one capture: conform check SUITE CAPTURE ...")
        }
        let format = try arguments.value(logFormat.name).map(LogFormat.load(path:))
        if isCapture(suitePath), !isCapture(arguments.operands[1]) {
            throw UsageError(
                "\(suitePath) is a capture; the suite comes first: conform check SUITE CAPTURE ...")
        }
        guard format == nil else {
            return try judge(logs(arguments), by: suitePath, format, arguments)
        }
        return try RereadableCaptures.reading(Array(arguments.operands.dropFirst()), arguments) {
            try judge($0, by: suitePath, format, arguments)
        }
    }

    private static func judge(
        _ captures: [String], by suitePath: String, _ format: LogFormat?, _ arguments: Arguments
    ) throws -> Int32 {
        let suite = try SuiteLoader.load(
            path: suitePath, searchPath: arguments.all(CommonOptions.searchPath.name),
            parameters: ParameterOptions.values(arguments))
        try SelectionCheck(suites: [suite]).check(arguments)
        if try isPerConnection(arguments) {
            return try judgeConnections(arguments, suite, captures)
        }
        let check = CaptureCheck(
            suite: suite, selection: try CommonOptions.selection(arguments),
            roles: try roles(arguments, suite: suite),
            takesEveryCapture: arguments.has(foreign.name),
            parameters: try ParameterOptions.overrides(arguments, suites: [suite]),
            logFormat: format)
        let folder = arguments.value(reports.name) ?? ""
        let further = try ReportOptions.further(arguments)
        guard !folder.isEmpty || further == FurtherReports(root: further.root) else {
            throw UsageError("further reports need a folder for the others: --reports DIR")
        }
        var console = LiveConsole(
            ConsoleReport(style: Terminal.style, folder: folder),
            level: try ReportOptions.level(arguments), isLive: false)
        if !folder.isEmpty { _ = try ReportFolder(creating: folder, further: further) }
        var run = try check.run(
            captures: captures, folder: folder,
            command: ["conform"] + ProgramArguments.words,
            known: try PolicyOptions.known(arguments, suites: [suite])
        ) { StandardOutput.write(console.take(.ended($0), elapsed: 0)) }
        if !folder.isEmpty {
            var reporting = try RunReporting(folder: folder, further: further, run: run)
            run = reporting.finish(run, seconds: run.seconds, interruption: nil)
            reporting.failures.forEach { StandardError.print("conform: error: \($0)") }
        }
        ReportOptions.annotate(run, arguments)
        StandardOutput.write(console.closing(run))
        return (run.exit ?? .couldNotJudge).rawValue
    }

    private static let reports = Option("--reports", "DIR", "write the reports into this folder")
    private static let foreign = Option(
        "--foreign", nil,
        "judge a capture of conform by this suite whatever case it was made for")

    private static let logFormat = Option(
        "--log-format", "FILE", "the files are logs, which this format makes messages of")
    private static let device = Option(
        "--device", "NAME=ADDRESS[:PORT]",
        "the address of a device of the case; without NAME= that of the one that every case has",
        repeats: true)

    private static let per = Option(
        "--per", "capture|connection",
        "what a case is judged on: the whole capture (default), or each connection by itself")

    private static func isPerConnection(_ arguments: Arguments) throws(UsageError) -> Bool {
        switch arguments.value(per.name) ?? "capture" {
        case "capture":
            if let option = [CaptureOptions.checksums, CaptureOptions.threads].first(where: {
                arguments.has($0.name)
            }) {
                throw UsageError("\(option.name) goes with \(per.name) connection")
            }
            return false
        case "connection":
            let others = [
                CommonOptions.peer, device, foreign, logFormat, PolicyOptions.known, reports,
            ]
            if let option = others.first(where: { arguments.has($0.name) }) {
                throw UsageError("\(option.name) does not go with \(per.name) connection")
            }
            return true
        case let word:
            throw UsageError("\(per.name) takes capture or connection, not \"\(word)\"")
        }
    }

    /// Judges every connection of the captures by itself.
    private static func judgeConnections(
        _ arguments: Arguments, _ suite: Suite, _ captures: [String]
    ) throws -> Int32 {
        var exits: [ExitStatus] = []
        for path in captures {
            let check = try ConnectionCheck(
                suite: suite, selection: try CommonOptions.selection(arguments),
                options: CaptureOptions.trace(arguments),
                shares: try CaptureOptions.shares([path], arguments))
            let report = try check.run([path])
            report.lines.forEach { print($0) }
            report.damages.forEach { StandardError.print($0.message) }
            exits.append(report.exit)
        }
        let order: [ExitStatus] = [.notConformant, .couldNotJudge, .nothingExecuted]
        return (order.first(where: exits.contains) ?? .conformant).rawValue
    }

    /// The logs that are named; they are read as they are, one by one.
    private static func logs(_ arguments: Arguments) throws(UsageError) -> [String] {
        let unmeant = [CaptureOptions.join, CaptureOptions.follow, CaptureOptions.idle]
        if let option = unmeant.first(where: { arguments.has($0.name) }) {
            throw UsageError("\(option.name) is for captures; \(logFormat.name) reads whole logs")
        }
        let logs = Array(arguments.operands.dropFirst())
        if logs.contains("-") {
            throw UsageError("a log cannot come from standard input (-); save it first")
        }
        return logs
    }

    private static func isCapture(_ path: String) -> Bool {
        path != "-" && (try? CaptureFile(path: path)) != nil
    }

    private static func roles(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> CaptureCheck.Roles {
        let calling = suite.cases.flatMap(\.peers).filter {
            PeerKind.named($0.kind)?.callsDevice == true
        }
        var roles = CaptureCheck.Roles(
            peers: try CommonOptions.peerEndpoints(
                arguments, calling: Set(calling.map(\.name))))
        roles.devices = try devices(arguments, suite: suite)
        let names = Set(suite.cases.flatMap(\.peers).map(\.name))
        if let unknown = roles.peers.keys.sorted().first(where: { !names.contains($0) }) {
            throw UsageError(
                "the suite has no peer \(unknown); it has \(names.sorted().joined(separator: ", "))"
            )
        }
        return roles
    }

    private static func devices(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> [Endpoint: String] {
        let names = Set(suite.cases.flatMap(\.deviceNames))
        var devices: [Endpoint: String] = [:]
        for text in arguments.all(device.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts.count == 2 ? parts[0] : Step.device
            guard let place = parts.last, let endpoint = CommonOptions.endpoint(place) else {
                throw UsageError(
                    "\(device.name) takes NAME=ADDRESS or NAME=ADDRESS:PORT, not \"\(text)\"")
            }
            guard names.contains(name) else {
                throw UsageError(
                    "the suite has no device \(name); "
                        + "it has \(names.sorted().joined(separator: ", "))")
            }
            devices[endpoint] = name
        }
        return devices
    }
}
