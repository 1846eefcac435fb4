import Results

/// The console during a run: its output, and a progress line at the bottom of a terminal that is
/// redrawn in place.
///
/// It only creates text. The owner of the terminal writes the text and provides the width.
public struct LiveConsole: Sendable {
    /// How much is shown.
    public enum Level: Sendable, Hashable {
        /// Only cases that need attention, and the end.
        case quiet
        /// A line for each case that was not skipped; on a terminal one for each suite, and one for
        /// each case that neither passed nor was skipped. Skipped cases are counted at the end.
        case normal
        /// Also starts, steps and remarks.
        case verbose
    }

    private let report: ConsoleReport
    private let level: Level
    private let isLive: Bool
    private let isTabled: Bool
    private var progress: RunProgress
    /// The verdicts of the cases of each suite, and how many cases have not ended.
    private var suites: [String: (verdicts: [Verdict: Int], left: Int)] = [:]
    /// The last known width of the terminal.
    private var columns = 80
    /// Whether the cursor is after a progress line.
    private var hasLine = false

    /// The control sequence that moves to the start of the line and clears it.
    private static let clear = "\r\u{1B}[2K"

    /// Creates a console.
    ///
    /// - Parameters:
    ///   - report: Formats the lines.
    ///   - level: How much is shown.
    ///   - isLive: Whether a progress line may be redrawn.
    ///   - isTabled: Whether the run ends with a table of cases by captures, for which
    ///     only the reports contain explanations unless the level is `verbose`.
    public init(
        _ report: ConsoleReport, level: Level = .normal, isLive: Bool, isTabled: Bool = false
    ) {
        self.isTabled = isTabled
        self.report = report
        self.level = level
        self.isLive = isLive && level != .quiet
        progress = RunProgress(planned: 0)
    }

    /// Returns the text before the first case.
    ///
    /// - Parameters:
    ///   - header: The run.
    ///   - expected: The expected duration of cases in seconds, where it is known.
    public mutating func opening(
        _ header: RunHeader, expected: [CaseReference: Double] = [:]
    ) -> String {
        progress = RunProgress(planned: header.planned.count, expected: expected)
        for planned in header.planned { suites[planned.suite, default: ([:], 0)].left += 1 }
        return level == .quiet ? "" : Self.text(report.opening(header))
    }

    /// Returns the text for an update.
    ///
    /// - Parameters:
    ///   - update: What has happened.
    ///   - elapsed: Seconds since the run began.
    ///   - columns: The current width of the terminal in cells; `nil` if it is unchanged.
    public mutating func consume(
        _ update: RunUpdate, elapsed: Double, columns: Int? = nil
    ) -> String {
        self.columns = columns ?? self.columns
        progress.consume(update, at: elapsed)
        let lines: [String] =
            switch update {
            case .started(let reference) where level == .verbose: [report.start(of: reference)]
            case .shrinking(let count, let limit) where level != .quiet:
                [report.shrinking(count, atMost: limit)]
            case .shrunk(let result) where level != .quiet: report.shrunk(result)
            case .started, .waiting, .shrinking, .shrunk: []
            case .ended(let result): self.lines(result)
            }
        guard isLive else { return Self.text(lines) }
        let wiped = hasLine ? Self.clear : ""
        hasLine = true
        return wiped + Self.text(lines) + progress.line(at: elapsed, width: self.columns - 1)
    }

    /// Returns the text after the last case: explanations or a table, then the lines that end every
    /// run.
    ///
    /// - Parameters:
    ///   - run: The ended run.
    ///   - notices: Lines before the end, which always comes last.
    public mutating func closing(_ run: RunResult, notices: [String] = []) -> String {
        var explained: [String] = []
        if level == .verbose {
            explained += run.casesInPlanOrder.flatMap(report.explanation)
        } else if !isTabled {
            explained += report.explanations(run)
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

    /// Returns the line of a case that needs attention, and that of its suite if it was the last
    /// case.
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
