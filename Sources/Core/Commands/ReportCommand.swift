import Glibc
import Live
import Reporting
import Results
import System

extension Command {
    /// `conform report`: the subcommands for stored results.
    static let report = Command(
        name: "report", operands: "WORD RESULTS ...",
        summary: "Merges, compares, verifies and redraws stored results.", groups: [],
        subcommands: [
            .reportShow, .reportMerge, .reportCompare, .reportHistory, .reportVerify, .reportHTML,
            .reportJUnit,
            .reportMarkdown,
            .reportAnnotations,
            .reportOpen,
        ]
    ) { _ in
        throw UsageError(
            "conform report needs a subcommand: show, merge, compare, history, verify, html, junit, "
                + "markdown, annotations or open"
        )
    }

    /// `conform report merge`: merges shards and reruns into one run.
    static let reportMerge = Command(
        name: "report merge", operands: "RESULTS ...",
        summary:
            "Makes one run of shards and reruns (the newest verdict of each case counts), and one "
            + "report of several devices; or one file of files of rows.",
        example: "report merge Reports/shard-* --reports Reports/all",
        options: [RunOptions.reports, ReportOptions.junit] + ReportOptions.all + MergedRows.options
    ) { arguments in
        if let path = arguments.value(MergedRows.rows.name) {
            return try MergedRows.merge(into: path, arguments).rawValue
        }
        guard !arguments.operands.isEmpty else {
            throw UsageError("no results are named; give report folders or results files")
        }
        let runs = try arguments.operands.map { path in try StoredRun(path) }
        let devices = runs.reduce(into: [RunDevice]()) { devices, stored in
            let device = stored.run.header.device
            if !devices.contains(device) { devices.append(device) }
        }
        let groups = devices.map { device in runs.filter { $0.run.header.device == device } }
        for group in groups { try RunMerge.check(group) }
        let folder =
            arguments.value(RunOptions.reports.name)
            ?? RunSession.freshFolder(in: LastRun.parent(arguments))
        if let place = FilePath.resolved(folder),
            let source = runs.first(where: { FilePath.resolved($0.folder) == place })
        {
            throw UsageError(
                "\(source.file) lies in the folder that the merged run would be written to; "
                    + "give another one with \(RunOptions.reports.name)")
        }
        guard groups.count > 1 else {
            return (try merge(runs, into: folder, arguments).exit ?? .couldNotJudge).rawValue
        }
        var names = FolderNames()
        var own = arguments
        own.set(ReportOptions.junit, to: [])
        let merged = try groups.map { group in
            let name = names.name(for: group[0].run.header.device.label)
            return (folder: name, run: try merge(group, into: "\(folder)/\(name)", own))
        }
        return try DeviceSeries.publish(
            merged, in: folder, exits: merged.map { $0.run.exit ?? .couldNotJudge },
            junit: arguments.value(ReportOptions.junit.name)
        ).rawValue
    }

    /// Merges the runs of one device into one.
    private static func merge(
        _ runs: [StoredRun], into folder: String, _ arguments: Arguments
    ) throws -> RunResult {
        let merge = try RunMerge(
            runs, folder: folder, command: ["conform"] + ProgramArguments.words)
        let further = try ReportOptions.further(arguments)
        var reports = try ReportFolder(creating: folder, further: further)
        let level = try ReportOptions.level(arguments)
        var console = LiveConsole(
            ConsoleReport(style: Terminal.style, folder: folder), level: level, isLive: false)
        StandardOutput.write(console.opening(merge.run.header))
        // The runs have printed each case; what did not pass is explained below.
        for result in merge.run.casesInPlanOrder where level == .verbose {
            StandardOutput.write(console.consume(.ended(result), elapsed: 0))
        }
        try reports.publish(merge.run, copying: merge.copies)
        ReportOptions.annotate(merge.run, arguments)
        StandardOutput.write(console.closing(merge.run, notices: merge.remarks))
        return merge.run
    }

    /// `conform report history`: shows how the verdicts of cases change over several runs.
    static let reportHistory = Command(
        name: "report history", operands: "RESULTS ...",
        summary:
            "Shows over several runs: verdicts, since when a case is broken, what wavers, times.",
        example: "report history Reports/* --format html -o history.html",
        options: [historyFormat, output]
    ) { arguments in
        guard arguments.operands.count > 1 else {
            throw UsageError(
                "give two or more runs, such as Reports/*: "
                    + "conform report history RESULTS RESULTS ...")
        }
        let word = arguments.value(historyFormat.name) ?? HistoryReport.Format.text.rawValue
        guard let format = HistoryReport.Format(rawValue: word) else {
            throw UsageError("\(historyFormat.name) takes text, html or json, not \"\(word)\"")
        }
        let history = RunHistory(try arguments.operands.map { try StoredRun($0).run })
        let style = arguments.has(output.name) ? .plain : Terminal.style
        try write(HistoryReport(history, style: style).text(format), arguments)
        return 0
    }

    private static let historyFormat = Option(
        "--format", "text|html|json", "lines for people (default), a page, or one object")

    /// `conform report compare`: shows what has changed from one run to another.
    static let reportCompare = Command(
        name: "report compare", operands: "BEFORE AFTER",
        summary: "Shows which cases newly fail or pass, are flaky, slower, added or removed.",
        example: "report compare Reports/a Reports/b --fail-on newly-failing",
        options: [CompareOptions.format, CompareOptions.failOn, CompareOptions.slower, output]
    ) { arguments in
        guard arguments.operands.count == 2 else {
            throw UsageError("give two runs: conform report compare BEFORE AFTER")
        }
        let failing = try CompareOptions.failingChanges(arguments)
        let format = try CompareOptions.format(arguments)
        let comparison = RunComparison(
            try StoredRun(arguments.operands[0]).run, try StoredRun(arguments.operands[1]).run,
            slowness: try CompareOptions.slowness(arguments))
        let toFile = arguments.has(output.name)
        let report = ComparisonReport(comparison, style: toFile ? .plain : Terminal.style)
        try write(report.text(format), arguments)
        return failing.contains { !comparison.rows($0).isEmpty }
            ? ExitStatus.notConformant.rawValue : 0
    }

    /// `conform report html`: generates the page again.
    static let reportHTML = Command(
        name: "report html", operands: "RESULTS",
        summary: "Draws index.html and the pages of cases from stored results, next to them.",
        example: "report html Reports/ci", options: [output]
    ) { arguments in
        guard !arguments.has(output.name) else {
            let stored = try stored(arguments)
            try write(HTMLReport(stored.run, evidence: stored.evidence).text, arguments)
            return 0
        }
        let path = try ReportFile.redrawPages(of: stored(arguments))
        StandardOutput.print(path)
        return 0
    }

    /// `conform report junit`: generates the JUnit report again.
    static let reportJUnit = Command(
        name: "report junit", operands: "RESULTS", summary: "Draws JUnit from stored results.",
        example: "report junit Reports/ci --junit-dialect surefire -o surefire",
        options: [ReportOptions.dialect, output]
    ) { arguments in
        let run = try stored(arguments).run
        guard try ReportOptions.junitDialect(arguments) == .surefire else {
            try write(JUnitReport(run).text, arguments)
            return 0
        }
        guard let folder = arguments.value(output.name) else {
            throw UsageError(
                "Surefire's dialect is a file for each suite; name their folder: --output DIR")
        }
        for file in JUnitReport(run).surefireFiles {
            try ReportFile.write(file.text, to: "\(folder)/\(file.name)")
        }
        return 0
    }

    /// `conform report markdown`: generates the Markdown page again.
    static let reportMarkdown = Command(
        name: "report markdown", operands: "RESULTS",
        summary: "Draws a page of Markdown from stored results.",
        example: "report markdown Reports/ci --for comment", options: [place, output]
    ) { arguments in
        let word = arguments.value(place.name) ?? SummaryReport.Place.job.rawValue
        guard let place = SummaryReport.Place(rawValue: word) else {
            throw UsageError("\(Self.place.name) takes job or comment, not \"\(word)\"")
        }
        try write(SummaryReport(try stored(arguments).run, for: place).text, arguments)
        return 0
    }

    /// `conform report annotations`: generates the remarks at the suites' lines again.
    static let reportAnnotations = Command(
        name: "report annotations", operands: "RESULTS",
        summary: "Draws remarks at the suites' lines from stored results.",
        example: "report annotations Reports/ci --engine gitlab -o quality.json",
        options: [engine, output]
    ) { arguments in
        let run = try stored(arguments).run
        let root = ReportOptions.workingFolder
        switch arguments.value(engine.name) ?? "github" {
        case "github":
            let lines = GitHubAnnotations(run, root: root).lines
            try write(lines.reduce(into: "") { $0 += $1 + "\n" }, arguments)
        case "gitlab": try write(CodeQualityReport(run, root: root).text, arguments)
        case let word:
            throw UsageError("\(engine.name) takes github or gitlab, not \"\(word)\"")
        }
        return 0
    }

    private static let place = Option(
        "--for", "job|comment", "a CI job's page (default), or a comment on a pull request")
    private static let engine = Option("--engine", "github|gitlab", "the engine that shows them")
    private static let output = Option(
        "--output", "FILE", "where it goes (default: the standard output)", short: "-o")

    private static func stored(_ arguments: Arguments) throws -> StoredRun {
        guard arguments.operands.count == 1 else {
            throw UsageError("give one run: its report folder, results.json or journal.jsonl")
        }
        return try StoredRun(arguments.operands[0])
    }

    private static func write(_ text: String, _ arguments: Arguments) throws {
        if let path = arguments.value(output.name) {
            try ReportFile.write(text, to: path)
        } else {
            StandardOutput.document(text)
        }
    }
}

/// The options of `conform report compare`.
enum CompareOptions {
    static let format = Option(
        "--format", "text|markdown|json", "lines for people (default), a page, or one object")
    static let failOn = Option(
        "--fail-on", "CHANGE",
        "exit with 1 if there is such a change: "
            + RunComparison.Change.allCases.map(\.rawValue).joined(separator: ", "), repeats: true)
    static let slower = Option(
        "--slower", "PERCENT", "slower by more than that, and half a second (default: 50)")

    static func format(_ arguments: Arguments) throws(UsageError) -> ComparisonReport.Format {
        let word = arguments.value(format.name) ?? ComparisonReport.Format.text.rawValue
        guard let chosen = ComparisonReport.Format(rawValue: word) else {
            throw UsageError("\(format.name) takes text, markdown or json, not \"\(word)\"")
        }
        return chosen
    }

    static func failingChanges(
        _ arguments: Arguments
    ) throws(UsageError) -> [RunComparison.Change] {
        var changes: [RunComparison.Change] = []
        for word in arguments.all(failOn.name).flatMap({ $0.split(separator: ",") }) {
            guard let change = RunComparison.Change(rawValue: String(word)) else {
                let words = RunComparison.Change.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("\(failOn.name) takes \(words), not \"\(word)\"")
            }
            changes.append(change)
        }
        return changes
    }

    static func slowness(_ arguments: Arguments) throws(UsageError) -> RunComparison.Slowness {
        let percent = try arguments.number(slower.name, minimum: 1)
        return percent.map { RunComparison.Slowness(percent: Double($0)) } ?? .init()
    }
}
