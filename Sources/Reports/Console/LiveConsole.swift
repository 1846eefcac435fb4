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
        /// A line for each case; on a terminal one for each suite, and one for each case that neither
        /// passed nor was skipped.
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
    public mutating func opening(_ header: RunHeader) -> String {
        progress = RunProgress(planned: header.planned.count)
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
        case .normal: isLive ? summed(result) : [report.line(result)]
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

/// How far a run has come, and how long it will take.
struct RunProgress: Sendable {
    private let planned: Int
    private var done = 0
    private var executed = 0
    private var troubled = 0
    private var running: [CaseReference] = []
    /// When the last case ended, in seconds since the run began.
    private var lastEnd = 0.0

    init(planned: Int) {
        self.planned = planned
    }

    mutating func take(_ update: RunUpdate, at elapsed: Double) {
        switch update {
        case .started(let reference): running.append(reference)
        case .ended(let result):
            let reference = CaseReference(result)
            // What is skipped by plan was never begun and says nothing about the pace.
            if let place = running.firstIndex(of: reference) {
                running.remove(at: place)
                executed += 1
                lastEnd = elapsed
            }
            done += 1
            if result.verdict.isAlarming { troubled += 1 }
        case .waiting: break
        }
    }

    /// `12 of 40, 2 not passed, about 14 s left; running a/b, c/d +3`, no wider than `width`.
    func line(at elapsed: Double, width: Int) -> String {
        let trouble = troubled == 0 ? "" : ", \(troubled) not passed"
        let left = secondsLeft(at: elapsed).map { ", about \(Self.time($0)) left" } ?? ""
        let start = "\(done) of \(planned)\(trouble)\(left)"
        return Columns.cut(start, to: max(1, width))
            + names(in: width - Columns.width(of: start))
    }

    /// `; running a/b, c/d +3`: as many running cases as there is room for, long names shortened.
    private func names(in room: Int) -> String {
        var text = ""
        for (index, reference) in running.enumerated() {
            let start = index == 0 ? "; running " : ", "
            let rest = running.count - index - 1
            let free = room - Columns.width(of: text + start) - (rest > 0 ? Self.countWidth : 0)
            let name = PlainText.line("\(reference)")
            guard free >= min(Self.nameMin, Columns.width(of: name)) else {
                return text + (index == 0 ? "" : " +\(rest + 1)")
            }
            text += start + Columns.shortened(name, to: min(free, Self.nameMax))
        }
        return text
    }

    /// How wide the name of a running case is at least and at most.
    private static let (nameMin, nameMax) = (16, 44)
    /// What ` +12` takes.
    private static let countWidth = 4

    /// The pace up to the last end, less the time that has passed since.
    func secondsLeft(at elapsed: Double) -> Int? {
        guard executed > 0, done < planned, elapsed.isFinite else { return nil }
        let whole = lastEnd / Double(executed) * Double(planned - done)
        let left = whole - max(0, elapsed - lastEnd)
        return Int(min(max(left, 1), 1e6).rounded(.up))
    }

    /// `42 s`, `3 min 05 s`, `2 h 10 min`.
    static func time(_ seconds: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        if minutes == 0 { return "\(rest) s" }
        guard minutes >= 60 else { return "\(minutes) min \(padded(rest)) s" }
        return "\(minutes / 60) h \(padded(minutes % 60)) min"
    }
}
