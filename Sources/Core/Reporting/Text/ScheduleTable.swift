import Results

/// The waits of a schedule, one line each, with the allowed and the measured times.
///
///       wait  at least   at most  measured   frame
///          1    0.000s    0.030s    0.000s       7
///     >    2    0.999s    1.100s    0.512s      13  delay
struct ScheduleTable {
    var intervals: [ScheduledInterval]

    /// Returns the lines of the table; empty without waits.
    func lines() -> [String] {
        guard !intervals.isEmpty else { return [] }
        let head = ["wait", "at least", "at most", "measured", "frame"]
        return ["  " + row(head)] + intervals.map(line)
    }

    private func line(_ interval: ScheduledInterval) -> String {
        (interval.isKept ? "  " : "> ")
            + row([
                "\(interval.index)", seconds(interval.lower), interval.upper.map(seconds) ?? "-",
                interval.measured.map(seconds) ?? "-", interval.frame.map { "\($0)" } ?? "-",
            ]) + (interval.broken.map { "  " + $0.joined(separator: " or ") } ?? "")
    }

    private func row(_ cells: [String]) -> String {
        cells.map { Columns.blanks(10 - $0.utf8.count) + $0 }.joined()
    }

    private func seconds(_ seconds: Double) -> String {
        (seconds < 0 ? "-" : "") + NumberText.seconds(abs(seconds)) + "s"
    }
}
