import Capture
import Judge
import Live
import Offline
import Reporting
import Results
import SuiteLanguage
import System
import Trace
import Wire

extension Command {
    /// `conform check`: verdicts from captures, without a device.
    static let check = Command(
        name: "check", operands: "SUITE CAPTURE|DIR|@LIST|- ...",
        summary: "Judges saved captures, or logs, by a suite.",
        groups: [
            OptionGroup(
                title: "Which cases", example: "check suite.yaml capture.pcap --case 'change-*'",
                options: CommonOptions.selection + [ParameterOptions.parameter]),
            OptionGroup(
                title: "Who is who, and what is judged",
                example: "check suite.yaml fleet.pcap --peer hu=192.0.2.1 --per session",
                options: [CommonOptions.peer, device, per]),
            OptionGroup(
                title: "How captures are read",
                example: "check suite.yaml growing.pcap --follow 10s",
                options: [
                    CaptureOptions.keyLog, CaptureOptions.assume, CaptureOptions.dissect,
                    logFormat, CaptureOptions.join,
                    CaptureOptions.follow, CaptureOptions.limit,
                ]),
            OptionGroup(
                title: "Many captures",
                example: "check suite.yaml @fleet.txt --rows fleet.csv --shard 1/4",
                options: [CaptureList.shard, CaptureList.rows]),
            OptionGroup(
                title: "When the check fails",
                example: "check suite.yaml captures --known known.yaml --min 40",
                options: [StrictOption.ofCheck, PolicyOptions.known, minimum]),
            OptionGroup(
                title: "Reports", example: "check suite.yaml captures --reports Reports/check -q",
                options: [reports] + ReportOptions.all),
        ]
    ) { arguments in
        let request = try CheckRequest(arguments)
        if request.options.grouping == .connection, !needsResults(arguments) {
            return try judgeConnections(arguments, request.suite, request.captures, request.options)
        }
        return try judge(request.captures, by: request.suite, request.options, arguments)
    }

    /// What a command line of `conform check` judges, and with which options.
    struct CheckRequest {
        let suite: Suite
        let options: CaptureCheck.Options
        let captures: [[String]]

        init(_ arguments: Arguments) throws {
            (suite, options, captures) = try Command.request(arguments)
        }
    }

    private static func request(
        _ arguments: Arguments
    ) throws -> (Suite, CaptureCheck.Options, [[String]]) {
        guard let suitePath = arguments.operands.first, arguments.operands.count > 1 else {
            throw UsageError(
                "give a suite and at least one capture: conform check SUITE CAPTURE ...")
        }
        if isCapture(suitePath), !isCapture(arguments.operands[1]) {
            throw UsageError(
                "\(suitePath) is a capture; the suite comes first: conform check SUITE CAPTURE ..."
            )
        }
        let suite = try SuiteLoader(arguments.protocols).load(
            path: suitePath, searchPath: arguments.searchPath,
            parameters: ParameterOptions.values(arguments))
        try SelectionCheck(suites: [suite]).check(arguments)
        let options = try options(arguments, suite)
        let captures =
            options.logFormat == nil
            ? try CaptureOptions.groups(CaptureList.names(arguments), arguments)
            : try logs(arguments).map { [$0] }
        if options.logFormat == nil, options.following == nil { try refuseUnreadable(captures) }
        if captures.isEmpty { StandardError.print("conform: the list names no capture") }
        return (suite, options, try CaptureList.part(captures, arguments))
    }

    /// Refuses a command line of which no capture can be opened.
    private static func refuseUnreadable(_ captures: [[String]]) throws {
        var faults: [CaptureError] = []
        for path in captures.joined() {
            if CaptureFile.isStream(path) { return }
            do throws(CaptureError) {
                _ = try CaptureFile(path: path)
                return
            } catch {
                faults.append(error)
            }
        }
        faults.dropLast().prefix(namedCountMax).forEach { StandardError.print($0.message) }
        if let last = faults.last { throw last }
    }

    private static func judge(
        _ all: [[String]], by suite: Suite, _ options: CaptureCheck.Options,
        _ arguments: Arguments
    ) throws -> Int32 {
        let check = CaptureCheck(
            suite: suite, selection: CommonOptions.selection(arguments), options: options)
        let known = try PolicyOptions.known(arguments, suites: [suite])
        let rows = try CaptureList.rowFile(
            arguments, check, all, known: known,
            neutral: [CaptureOptions.follow, reports, minimum] + ReportOptions.all)
        let captures = all.filter { rows?.earlier.isConcluded($0) != true }
        if let rows {
            CaptureList.notify(rows, left: captures.count, of: all.count)
            if captures.isEmpty, !all.isEmpty {
                return rows.earlier.exit(with: .nothingExecuted, isNothingLeft: true).rawValue
            }
        }
        let folder = arguments.value(reports.name) ?? ""
        let further = try ReportOptions.further(arguments)
        guard !folder.isEmpty || further == RequestedReports(root: further.root) else {
            throw UsageError("further reports need a folder for the others: --reports DIR")
        }
        var console = LiveConsole(
            ConsoleReport(style: Terminal.style, folder: folder),
            level: try ReportOptions.level(arguments), isLive: false,
            isTabled: captures.count > 1 || options.grouping != .capture)
        var reporting: RunReporting?
        func begin(_ run: RunResult) throws {
            guard !folder.isEmpty, reporting == nil else { return }
            reporting = try RunReporting(
                folder: folder, further: further, run: RunResult(header: run.header)
            ) { result in
                suite.cases.first { $0.id == result.subject?.testCase ?? result.id }
                    .map { ($0, suite) }
            }
        }
        if !folder.isEmpty { _ = try ReportFolder(creating: folder, further: further) }
        let claim = folder.isEmpty ? nil : try FolderClaim(folder)
        defer { withExtendedLifetime(claim) {} }
        var unjudged: [String] = []
        var stated: Set<String> = []
        var run = try check.run(
            captures: captures, folder: folder,
            command: ["conform"] + ProgramArguments.words,
            minimum: max(
                0,
                (try arguments.number(minimum.name, minimum: 0) ?? 1)
                    - (rows?.earlier.counts[.pass] ?? 0)),
            known: known, unjudged: { unjudged.append($0) },
            ended: { rows?.end($0, at: WallClock.now) }
        ) { result, run in
            try rows?.add(result)
            try begin(run)
            reporting?.consume(.ended(result), at: WallClock.now, in: run)
            // A remark about joining or dissecting captures applies to all cases.
            if arguments.has(CaptureOptions.join.name) || arguments.has(CaptureOptions.dissect.name)
            {
                for remark in result.remarks where stated.insert(remark).inserted {
                    StandardError.print("conform: \(remark)")
                }
            }
            StandardOutput.write(console.consume(.ended(result), elapsed: 0))
        }
        try rows?.finish()
        try begin(run)
        run = reporting?.finish(run, seconds: run.seconds, interruption: nil) ?? run
        reporting?.failures.forEach { StandardError.print("conform: error: \($0)") }
        ReportOptions.annotate(run, arguments)
        StandardOutput.write(console.closing(run))
        let status = exit(run.exit ?? .couldNotJudge, unjudged, of: captures.count, arguments)
        return (rows?.earlier.exit(with: status, isNothingLeft: false) ?? status).rawValue
    }

    /// How many captures without a judged case are listed by name.
    private static let namedCountMax = 5

    /// Returns the exit status if some captures had no judged case.
    private static func exit(
        _ status: ExitStatus, _ unjudged: [String], of captureCount: Int, _ arguments: Arguments
    ) -> ExitStatus {
        let remedy = allowsEmpty(arguments) ? "" : "; \(minimum.name) 0 lets it pass"
        if unjudged.count <= namedCountMax {
            for name in unjudged {
                StandardError.print("conform: \(name): no case was judged on this capture\(remedy)")
            }
        } else {
            let names = unjudged.prefix(namedCountMax).joined(separator: ", ")
            StandardError.print(
                "conform: no case was judged on \(unjudged.count) of \(captureCount) captures: "
                    + "\(names) and \(unjudged.count - namedCountMax) more\(remedy)")
        }
        let isMissing = !unjudged.isEmpty && !allowsEmpty(arguments)
        return isMissing && status == .conformant ? .nothingExecuted : status
    }

    private static let reports = Option("--reports", "DIR", "write the reports into this folder")
    private static let logFormat = Option(
        "--log-format", "FILE", "the files are logs, which this format turns into messages")
    private static let device = Option(
        "--device", "NAME=ADDRESS[:PORT]",
        "the address of a device of the case; without NAME= that of the first device",
        repeats: true)

    private static let minimum = Option(
        "--min", "N",
        "exit with 4 unless N cases passed; 0: also accept captures on which no case is judged")
    private static let per = Option(
        "--per", Grouping.allCases.map(\.rawValue).joined(separator: "|"),
        "what a case is judged on: the whole capture (default), or each connection, session or "
            + "device by itself")

    /// Whether full results are needed, and not only counts and what did not pass.
    private static func needsResults(_ arguments: Arguments) -> Bool {
        [reports, PolicyOptions.known, CaptureOptions.dissect, CaptureList.rows]
            .contains { arguments.has($0.name) }
            || arguments.has(minimum.name) && !allowsEmpty(arguments)
    }

    /// Whether captures on which no case is judged are accepted.
    private static func allowsEmpty(_ arguments: Arguments) -> Bool {
        (try? arguments.number(minimum.name, minimum: 0)) == 0
    }

    private static func options(
        _ arguments: Arguments, _ suite: Suite
    ) throws -> CaptureCheck.Options {
        var options = CaptureCheck.Options(arguments.protocols)
        options.logFormat = try arguments.value(logFormat.name).map(LogFormat.load(path:))
        options.grouping = try grouping(arguments)
        options.roles = try roles(arguments, suite: suite)
        let assumptions = try CaptureOptions.assumptions(arguments, of: CaptureOptions.assume)
        options.takesEveryCapture = assumptions.contains(.foreign)
        options.isEndKnown = assumptions.contains(.complete)
        options.parameters = try ParameterOptions.overrides(arguments, suites: [suite])
        options.trace = try CaptureOptions.trace(arguments, assuming: assumptions)
        options.dissection = try CaptureOptions.dissection(arguments)
        options.following = try CaptureOptions.following(arguments)
        options.keepsEvidence = arguments.has(reports.name)
        // A fleet has rows of what passed, and too many cases for pages of them.
        options.keepsEvidenceOfPasses = !arguments.has(CaptureList.rows.name)
        options.holdsToProtocol = !(try StrictOption.words(arguments, of: StrictOption.ofCheck))
            .isEmpty
        return options
    }

    private static func grouping(_ arguments: Arguments) throws(UsageError) -> Grouping {
        let word = arguments.value(per.name) ?? Grouping.capture.rawValue
        guard let grouping = Grouping(rawValue: word) else {
            let words = Grouping.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(per.name) takes one of \(words), not \"\(word)\"")
        }
        if grouping != .capture, arguments.has(logFormat.name) {
            throw UsageError(
                "\(logFormat.name) does not go with \(per.name): a log has no connections")
        }
        return grouping
    }

    /// Judges each connection of the captures by itself.
    private static func judgeConnections(
        _ arguments: Arguments, _ suite: Suite, _ captures: [[String]],
        _ options: CaptureCheck.Options
    ) throws -> Int32 {
        var statuses: [ExitStatus] = []
        var unjudged: [String] = []
        let check = CaptureCheck(
            suite: suite, selection: CommonOptions.selection(arguments), options: options)
        let concurrent = check.concurrentCaptures(captures)
        for paths in captures {
            var options = options
            options.shares = CaptureOptions.shares(paths, arguments)
            let check = try ConnectionCheck(
                suite: suite, selection: CommonOptions.selection(arguments), options: options)
            let report = try check.run(paths)
            report.lines.forEach { StandardOutput.print($0) }
            report.damages.forEach { StandardError.print($0.message) }
            if report.connectionCount == 0 { unjudged.append(paths.joined(separator: ", ")) }
            statuses.append(report.exit)
            statuses += try rules(on: paths, beside: concurrent, suite, options, arguments)
        }
        let request: [ExitStatus] = [.notConformant, .couldNotJudge]
        let worst =
            request.first(where: statuses.contains)
            ?? (statuses.contains(.conformant) ? .conformant : .nothingExecuted)
        return exit(worst, unjudged, of: statuses.count, arguments).rawValue
    }

    /// Judges the rules of the suite on a whole capture.
    private static func rules(
        on paths: [String], beside concurrent: ConcurrentCaptures, _ suite: Suite,
        _ options: CaptureCheck.Options, _ arguments: Arguments
    ) throws -> [ExitStatus] {
        let check = CaptureCheck(
            suite: suite, selection: CommonOptions.selection(arguments), options: options)
        return try check.rules(on: paths, beside: concurrent).map { result in
            let reason = result.reason.map { ": \($0.summary)" } ?? ""
            StandardOutput.print(
                "\(result.verdict.rawValue) \(result.suite)/\(result.id)\(reason)")
            switch result.verdict {
            case .fail: return .notConformant
            case .pass: return .conformant
            case .skipped: return .nothingExecuted
            default: return .couldNotJudge
            }
        }
    }

    /// Returns the named logs; they are read unchanged, one by one.
    private static func logs(_ arguments: Arguments) throws -> [String] {
        let unmeant = [CaptureOptions.join, CaptureOptions.follow]
        if let option = unmeant.first(where: { arguments.has($0.name) }) {
            throw UsageError("\(option.name) is for captures; \(logFormat.name) reads whole logs")
        }
        let logs = try CaptureList.names(arguments)
        if logs.contains(where: CaptureFile.isStream) {
            throw UsageError("a log cannot come from standard input (-) or a pipe; save it first")
        }
        return logs
    }

    private static func isCapture(_ path: String) -> Bool {
        !CaptureFile.isStream(path) && (try? CaptureFile(path: path)) != nil
    }

    private static func roles(
        _ arguments: Arguments, suite: Suite
    ) throws(UsageError) -> CaptureRoles {
        var roles = CaptureRoles(peers: try CommonOptions.peerEndpoints(arguments))
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
                    "\(device.name) takes NAME=ADDRESS or NAME=ADDRESS:PORT (a Bluetooth device: "
                        + "NAME=00:1A:7D:DA:71:13 or NAME=hci0), not \"\(text)\"")
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
