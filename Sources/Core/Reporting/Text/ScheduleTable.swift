import Results

/// The waits of a schedule, one line each, with the allowed and the measured times.
///
///       wait  at least   at most  measured   frame  verdict
///          1    0.000s    0.030s    0.000s       7  kept
///     >    2    0.999s    1.100s    0.512s      13  too early by 0.487s: delay
struct ScheduleTable {
    var intervals: [ScheduledInterval]

    /// Returns the lines of the table; empty without waits.
    func lines() -> [String] {
        guard !intervals.isEmpty else { return [] }
        let head = ["wait", "at least", "at most", "measured", "frame"]
        return ["  " + row(head) + "  verdict"] + intervals.map(line)
    }

    private func line(_ interval: ScheduledInterval) -> String {
        (interval.isKept ? "  " : "> ")
            + row([
                "\(interval.index)", seconds(interval.lower), interval.upper.map(seconds) ?? "-",
                interval.measured.map(seconds) ?? "-", interval.frame.map { "\($0)" } ?? "-",
            ]) + "  " + interval.verdict
    }

    private func row(_ cells: [String]) -> String {
        cells.map { Columns.blanks(10 - $0.utf8.count) + $0 }.joined()
    }

    private func seconds(_ seconds: Double) -> String {
        (seconds < 0 ? "-" : "") + NumberText.seconds(abs(seconds)) + "s"
    }
}

extension ScheduledInterval {
    /// Whether the wait is kept; otherwise by how much it is not, and the rules that may be broken.
    var verdict: String {
        guard !isKept else { return "kept" }
        let rules = broken.map { ": " + $0.joined(separator: " or ") } ?? ""
        guard let measured else { return "did not come" + rules }
        if measured < lower {
            return "too early by \(NumberText.seconds(lower - measured))s" + rules
        }
        guard let upper, measured > upper else { return "broken" + rules }
        return "too late by \(NumberText.seconds(measured - upper))s" + rules
    }
}
