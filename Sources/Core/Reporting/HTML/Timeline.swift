import Results

/// Windows, messages, actions and the device's log on one horizontal time axis.
struct Timeline {
    private static let plot = 130.0...1090.0
    private static let windowHeight = 18.0
    private static let laneHeight = 26.0
    private static let windowCountMax = 24

    private let result: CaseResult
    private let evidence: Evidence
    private let end: Double
    private let scale: Double

    /// Creates the drawing; the axis ends slightly after the last event.
    init(_ result: CaseResult, _ evidence: Evidence) {
        self.result = result
        self.evidence = evidence
        let failed = result.steps.first { $0.outcome == .failed }?.timing
        let last =
            [
                evidence.messages.last?.seconds,
                result.steps.compactMap { $0.timing?.actual }.max(),
                failed?.actual ?? failed?.latest,
                evidence.log.last { $0.seconds <= result.seconds }?.seconds,
            ].compactMap(\.self).max() ?? 0
        end = max(last * 1.05, 0.001)
        scale = (Self.plot.upperBound - Self.plot.lowerBound) / end
    }

    private var windows: [(number: Int, step: StepResult, timing: StepTiming)] {
        let all = result.steps.enumerated().compactMap { offset, step in
            step.timing.flatMap { timing in
                timing.latest.map { _ in (offset + 1, step, timing) }
            }
        }
        return all.suffix(Self.windowCountMax)
    }

    /// Returns the drawing.
    func svg(id: String) -> String {
        let windows = windows
        let lanes = self.lanes
        let lanesTop = 14 + Double(windows.count) * Self.windowHeight + 8
        let height = lanesTop + Double(lanes.count) * Self.laneHeight + 30
        var parts = [
            "<svg class=\"timeline\" viewBox=\"0 0 1110 \(NumberText.coordinate(height))\""
                + " role=\"img\" aria-labelledby=\"\(id)-t \(id)-d\">",
            "<title id=\"\(id)-t\">Timeline</title>",
            "<desc id=\"\(id)-d\">Windows of the steps as bands with the measured time as a point, "
                + "then the messages of each party, actions and the device's log. "
                + "The lists below have the same times.</desc>",
        ]
        parts += axis(height)
        for (index, window) in windows.enumerated() {
            parts += draw(window, y: 14 + Double(index) * Self.windowHeight)
        }
        for (index, lane) in lanes.enumerated() {
            parts += draw(lane, y: lanesTop + (Double(index) + 0.5) * Self.laneHeight)
        }
        return parts.joined(separator: "\n") + "\n</svg>"
    }

    private func x(_ seconds: Double) -> Double {
        min(max(Self.plot.lowerBound + seconds * scale, Self.plot.lowerBound), Self.plot.upperBound)
    }

    private func axis(_ height: Double) -> [String] {
        let ticks = SVG.ticks(to: end, count: 10)
        let step = ticks.count > 1 ? ticks[1] : 1
        return ticks.flatMap { tick in
            [
                SVG.line(x(tick), 10, x(tick), height - 24, "grid"),
                SVG.text(x(tick), height - 8, SVG.tick(tick, step: step), "tick"),
            ]
        }
    }

    private func draw(
        _ window: (number: Int, step: StepResult, timing: StepTiming), y: Double
    ) -> [String] {
        let timing = window.timing
        let start = x(timing.earliest ?? timing.since)
        let latest = timing.latest ?? timing.since
        let title = "step \(window.number): \(StepText.title(window.step))"
        let bound = "\(title), until \(NumberText.offset(latest))"
        var parts = [
            SVG.text(
                122, y + 12, "step \(window.number)",
                window.step.outcome == .failed ? "label bad" : "label", anchor: "end"),
            SVG.rect(start, y + 3, max(1, x(latest) - start), 11, "allowed", title: bound),
        ]
        guard let actual = timing.actual else { return parts }
        let isInside = WindowBar(window.step).isInside && window.step.outcome == .done
        parts.append(
            SVG.disc(
                x(actual), y + 8.5, 4.5, isInside ? "point" : "point out",
                title: "\(title) at \(NumberText.offset(actual))"))
        return parts
    }

    private typealias Mark = (seconds: Double, title: String)

    private var lanes: [(name: String, style: String, marks: [Mark])] {
        let messages = evidence.messages.filter { $0.flow != nil }
        var lanes: [(name: String, style: String, marks: [Mark])] = evidence.parties.map { party in
            let isDevice = party == evidence.parties.first
            return (
                "\(party) sends", isDevice ? "dev" : "peer",
                messages.filter { $0.from == party }.map { ($0.seconds, $0.name) }
            )
        }
        let actions = evidence.messages.filter { $0.flow == nil }.map { ($0.seconds, $0.name) }
        let done = result.steps.compactMap { step -> Mark? in
            guard step.act?.kind == .perform, step.act?.from != evidence.parties.first,
                let time = step.timing?.actual
            else { return nil }
            return (time, StepText.title(step))
        }
        if !drawnActs.isEmpty { lanes.append(("acts", "act", drawnActs)) }
        lanes.append(("actions", "act", actions + done))
        if !evidence.log.isEmpty {
            lanes.append(("device log", "log", evidence.log.map { ($0.seconds, $0.text) }))
        }
        return lanes
    }

    /// The acts of a drawn run, each at the time of its first step that was done.
    private var drawnActs: [Mark] {
        var seen: Set<String> = []
        return result.steps.compactMap { step in
            guard let act = step.drawnAct, let time = step.timing?.actual,
                seen.insert(String(act.prefix { $0 != ":" })).inserted
            else { return nil }
            return (time, act)
        }
    }

    private func draw(
        _ lane: (name: String, style: String, marks: [Mark]), y: Double
    ) -> [String] {
        let head = [
            SVG.text(122, y + 4, lane.name, "label", anchor: "end", limit: 18),
            SVG.line(Self.plot.lowerBound, y, Self.plot.upperBound, y, "axis"),
        ]
        let shown = lane.marks.filter { (0...end).contains($0.seconds) }
        return head
            + shown.map { mark in
                let title = "\(NumberText.offset(mark.seconds)) \(HTMLText.cut(mark.title, to: 80))"
                return lane.style == "act"
                    ? SVG.rect(x(mark.seconds) - 4, y - 8, 8, 16, "act", title: title)
                    : SVG.disc(x(mark.seconds), y, 4.5, lane.style, title: title)
            }
    }
}
