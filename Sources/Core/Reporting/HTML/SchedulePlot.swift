import Results

/// The plot of a schedule, such as a back-off: the allowed and measured time of each interval.
struct SchedulePlot {
    /// One interval.
    struct Interval {
        /// Its name, such as `wait 2`.
        var label: String
        /// The shortest allowed time in seconds.
        var lower: Double
        /// The longest allowed time in seconds; `nil` for no limit.
        var upper: Double?
        /// The measured time in seconds; `nil` if the attempt did not come.
        var measured: Double?
        /// The frame of the attempt that ended it, and the verdict; `nil` for other intervals.
        var attempt: (frame: Int?, verdict: String)?

        /// Whether the measured time is allowed.
        var isInside: Bool {
            guard let measured else { return false }
            return measured >= lower && measured <= upper ?? .infinity
        }
    }

    /// How many intervals are drawn.
    private static let intervalCountMax = 200
    private static let plot = (left: 70.0, right: 700.0, top: 16.0, bottom: 236.0)

    /// The intervals, in order.
    var intervals: [Interval]

    /// Creates the plot of a case; `nil` if there is nothing to show.
    ///
    /// It shows the waits of the schedules of the case. Without a schedule, it shows the steps that
    /// have both an earliest and a latest time, if there are at least two.
    init?(stepsOf result: CaseResult) {
        let schedules = result.steps.enumerated().filter { $0.element.schedule?.isEmpty == false }
        let waits = schedules.flatMap { number, step in
            (step.schedule ?? []).map { wait in
                let name = schedules.count > 1 ? "\(number + 1): " : ""
                return Interval(
                    label: "\(name)wait \(wait.index)", lower: wait.lower, upper: wait.upper,
                    measured: wait.measured, attempt: (wait.frame, wait.verdict))
            }
        }
        let timed = result.steps.enumerated().compactMap { offset, step -> Interval? in
            guard let timing = step.timing, let earliest = timing.earliest,
                let latest = timing.latest
            else { return nil }
            return Interval(
                label: "step \(offset + 1)", lower: max(0, earliest - timing.since),
                upper: latest - timing.since, measured: timing.actual.map { $0 - timing.since })
        }
        guard !waits.isEmpty || timed.count > 1 else { return nil }
        intervals = Array((waits.isEmpty ? timed : waits).prefix(Self.intervalCountMax))
    }

    /// Creates a plot of intervals.
    init(_ intervals: [Interval]) {
        self.intervals = intervals
    }

    /// Returns the drawing and its table.
    func html(id: String) -> String {
        """
        <figure class="schedule">
        <div class="scroll" tabindex="0" role="group" aria-label="Schedule">\(svg(id: id))</div>
        <figcaption>Allowed times as bands, measured times as points.</figcaption>
        \(table)
        </figure>
        """
    }

    private var longest: Double {
        intervals.flatMap { [$0.upper ?? $0.lower, $0.measured ?? 0] }.max() ?? 1
    }

    private func svg(id: String) -> String {
        let plot = Self.plot
        let top = max(longest * 1.08, 1e-6)
        func y(_ seconds: Double) -> Double {
            plot.bottom - min(max(seconds, 0), top) / top * (plot.bottom - plot.top)
        }
        let gap = (plot.right - plot.left) / Double(max(1, intervals.count))
        let band = min(40, gap * 0.6)
        let wrong = intervals.count { !$0.isInside }
        var parts = [
            "<svg class=\"schedule-plot\" viewBox=\"0 0 720 270\" role=\"img\""
                + " aria-labelledby=\"\(id)-t \(id)-d\">",
            "<title id=\"\(id)-t\">Schedule: allowed and measured times</title>",
            "<desc id=\"\(id)-d\">\(NumberText.count(intervals.count, "interval")), "
                + "\(wrong == 0 ? "all within their bounds" : "\(wrong) outside of the bounds")."
                + " The table below has the numbers.</desc>",
        ]
        let ticks = SVG.ticks(to: top, count: 6)
        for tick in ticks {
            let label = SVG.tick(tick, step: ticks.count > 1 ? ticks[1] : 1)
            parts.append(SVG.line(plot.left, y(tick), plot.right, y(tick), "grid"))
            parts.append(SVG.text(plot.left - 8, y(tick) + 4, label, "tick", anchor: "end"))
        }
        for (index, interval) in intervals.enumerated() {
            let x = plot.left + (Double(index) + 0.5) * gap
            let upper = interval.upper ?? top
            let bounds = "\(interval.label): \(Self.bounds(interval))"
            parts.append(
                SVG.rect(
                    x - band / 2, y(upper), band, max(2, y(interval.lower) - y(upper)), "allowed",
                    title: bounds))
            if let measured = interval.measured {
                parts.append(
                    SVG.disc(
                        x, y(measured), 5.5, interval.isInside ? "point" : "point out",
                        title: "\(bounds), measured \(Self.signed(measured))"))
            }
            if gap > 34 || index % Int(34 / gap + 1) == 0 {
                parts.append(SVG.text(x, plot.bottom + 18, interval.label, "tick", limit: 12))
            }
        }
        return parts.joined(separator: "\n") + "\n</svg>"
    }

    private static func bounds(_ interval: Interval) -> String {
        interval.upper.map {
            "\(signed(interval.lower)) to \(signed($0))"
        } ?? "at least \(signed(interval.lower))"
    }

    /// Returns a duration, with its sign if it is negative.
    private static func signed(_ seconds: Double) -> String {
        (seconds < 0 ? "−" : "") + NumberText.length(seconds)
    }

    private var table: String {
        let hasAttempts = intervals.contains { $0.attempt != nil }
        let rows = intervals.map { interval in
            "<tr><th scope=\"row\">\(HTMLText.plain(interval.label))</th>"
                + "<td>\(Self.bounds(interval))</td>"
                + "<td class=\"\(interval.isInside ? "pass" : "fail")\">"
                + (interval.measured.map { Self.signed($0) } ?? "did not come")
                + (interval.isInside ? " ✓" : " ✗") + "</td>" + Self.cells(interval.attempt)
                + "</tr>"
        }
        let heads =
            ["Interval", "Allowed", "Measured"] + (hasAttempts ? ["Frame", "Verdict"] : [])
        let head = heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let isOpen = intervals.contains { $0.attempt != nil && !$0.isInside }
        return "<details\(isOpen ? " open" : "")><summary>The same as a table</summary><table>"
            + "<caption class=\"hidden\">Schedule</caption><thead><tr>\(head)</tr></thead><tbody>"
            + rows.joined() + "</tbody></table></details>"
    }

    private static func cells(_ attempt: (frame: Int?, verdict: String)?) -> String {
        guard let attempt else { return "" }
        return "<td>\(attempt.frame.map { "\($0)" } ?? "")</td>"
            + "<td>\(HTMLText.plain(attempt.verdict))</td>"
    }
}
