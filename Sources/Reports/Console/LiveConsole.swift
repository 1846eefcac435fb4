import Results

/// The console of a run while it goes on: what is written, and a line of progress at the bottom of
/// a terminal that is redrawn in place.
///
/// It only makes text; who owns the terminal writes it and tells the width.
public struct LiveConsole: Sendable {
    /// How much is told.
    public enum Level: Sendable, Hashable {
        /// Only cases that a reader has to look at, and the end.
        case quiet
        /// A line for each case that was not skipped; on a terminal one for each suite, and one for
        /// each case that neither passed nor was skipped. What was skipped is counted at the end.
        case normal
        /// Also starts, steps and remarks.
        case verbose
    }

    private let report: ConsoleReport
    private let level: Level
    private let isLive: Bool
    private let isTabled: Bool
    private var progress: RunProgress
    /// What came of the cases of each suite, and how many are still to come.
    private var suites: [String: (verdicts: [Verdict: Int], left: Int)] = [:]
    /// The width of the terminal as it was told last.
    private var columns = 80
    /// Whether the cursor stands behind a line of progress.
    private var hasLine = false

    /// Back to the start of the line, and clear it.
    private static let clear = "\r\u{1B}[2K"

    /// Makes a console.
    ///
    /// - Parameters:
    ///   - report: What lines look like.
    ///   - level: How much is told.
    ///   - isLive: Whether a line of progress may be redrawn.
    ///   - isTabled: Whether the run ends with a table of cases by captures, for which
    ///     explanations are left to the reports unless the level is `verbose`.
    public init(
        _ report: ConsoleReport, level: Level = .normal, isLive: Bool, isTabled: Bool = false
    ) {
        self.isTabled = isTabled
        self.report = report
        self.level = level
        self.isLive = isLive && level != .quiet
        progress = RunProgress(planned: 0)
    }

    /// The text before the first case.
    ///
    /// - Parameters:
    ///   - header: What the run is about to do.
    ///   - expected: How many seconds cases are likely to take, as far as that is known.
    public mutating func opening(
        _ header: RunHeader, expected: [CaseReference: Double] = [:]
    ) -> String {
        progress = RunProgress(planned: header.planned.count, expected: expected)
        for planned in header.planned { suites[planned.suite, default: ([:], 0)].left += 1 }
        return level == .quiet ? "" : Self.text(report.opening(header))
    }

    /// The text for something that has happened.
    ///
    /// - Parameters:
    ///   - update: What has happened.
    ///   - elapsed: Seconds since the run began.
    ///   - columns: The width of the terminal in cells now; `nil` to keep what it was.
    public mutating func take(
        _ update: RunUpdate, elapsed: Double, columns: Int? = nil
    ) -> String {
        self.columns = columns ?? self.columns
        progress.take(update, at: elapsed)
        let lines: [String] =
            switch update {
            case .started(let reference) where level == .verbose: [report.start(of: reference)]
            case .started, .waiting: []
            case .ended(let result): self.lines(result)
            }
        guard isLive else { return Self.text(lines) }
        let wiped = hasLine ? Self.clear : ""
        hasLine = true
        return wiped + Self.text(lines) + progress.line(at: elapsed, width: self.columns - 1)
    }

    /// The text after the last case: explanations or a table, then what every run ends with.
    ///
    /// - Parameters:
    ///   - run: The ended run.
    ///   - notices: Lines that come before the end, which always stands last.
    public mutating func closing(_ run: RunResult, notices: [String] = []) -> String {
        var explained: [String] = []
        if !isTabled || level == .verbose {
            explained += run.casesInPlanOrder.flatMap(report.explanation)
        }
        if isTabled { explained += report.table(run) }
        defer { hasLine = false }
        return (hasLine ? Self.clear : "")
            + Self.text(explained + (notices.isEmpty ? [] : [""] + notices) + report.closing(run))
    }

    private mutating func lines(_ result: CaseResult) -> [String] {
        switch level {
        case .quiet: result.verdict.isAlarming && !isTabled ? [report.line(result)] : []
        case .normal where isLive: summed(result)
        case .normal: result.verdict == .skipped ? [] : [report.line(result)]
        case .verbose: [report.line(result)] + report.details(result)
        }
    }

    /// The line of a case that a reader has to look at, and that of its suite if it was the last one.
    private mutating func summed(_ result: CaseResult) -> [String] {
        var suite = suites[result.suite] ?? ([:], 1)
        suite.verdicts[result.verdict, default: 0] += 1
        suite.left -= 1
        suites[result.suite] = suite
        let isPlain = [.pass, .skipped].contains(result.verdict)
        return (isPlain ? [] : [report.line(result)])
            + (suite.left > 0 ? [] : [report.line(ofSuite: result.suite, suite.verdicts)])
    }

    private static func text(_ lines: [String]) -> String {
        lines.reduce(into: "") { $0 += $1 + "\n" }
    }
}
