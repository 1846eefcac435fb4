import Results
import Wire

/// The cases of a live run over time: a bar for each case, below each other where they overlap.
struct RunTimeLine {
    /// One case.
    struct Bar {
        let result: CaseResult
        /// When it began, in seconds from the first case.
        let start: Double
        /// The row, counted from 0.
        var lane = 0

        var end: Double { start + result.seconds }
    }

    /// In a larger run bars would be thinner than what can be seen.
    private static let caseCountMax = 1000
    private static let width = 1000.0

    /// The bars, in the order of time.
    let bars: [Bar]

    /// Creates the time line of a run; without bars for captures and for a single case.
    init(_ report: HTMLReport) {
        let timed = report.cases.compactMap { result -> (time: Timestamp, result: CaseResult)? in
            guard result.subject == nil, result.verdict != .skipped, result.seconds.isFinite
            else { return nil }
            return result.started.map { ($0, result) }
        }.sorted { $0.time < $1.time }
        guard let first = timed.first, timed.count > 1, timed.count <= Self.caseCountMax else {
            bars = []
            return
        }
        var ends: [Double] = []
        bars = timed.map { time, result in
            var bar = Bar(result: result, start: TimeText.number(time - first.time))
            bar.lane = ends.firstIndex { $0 <= bar.start } ?? ends.count
            if bar.lane == ends.count { ends.append(bar.end) } else { ends[bar.lane] = bar.end }
            return bar
        }
    }

    /// The drawing; empty without bars.
    var html: String {
        guard let length = bars.map(\.end).max(), length > 0 else { return "" }
        let lanes = (bars.map(\.lane).max() ?? 0) + 1
        let scale = Self.width / length
        let floor = Double(lanes) * 20 + 4
        let ticks = SVG.ticks(to: length, count: 8)
        let axis = ticks.flatMap { tick in
            [
                SVG.line(tick * scale, 0, tick * scale, floor, "grid"),
                SVG.text(
                    tick * scale, floor + 14, SVG.tick(tick, step: ticks.dropFirst().first ?? 1),
                    "tick", anchor: "start"),
            ]
        }
        let rects = bars.map { bar in
            let word = HTMLVerdict.word(bar.result)
            return SVG.rect(
                bar.start * scale, Double(bar.lane) * 20 + 4,
                max(2, bar.result.seconds * scale - 1),
                14, "share-\(word)",
                title: "\(CaseReference(bar.result)): \(HTMLVerdict.spoken(word)), from "
                    + "\(NumberText.length(bar.start)), took \(NumberText.length(bar.result.seconds))"
            )
        }
        return """
            <figure class="run-line"><h3>Time line</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="Time line">\
            <svg class="timeline" viewBox="0 0 1060 \(NumberText.coordinate(floor + 20))" \
            role="img" aria-labelledby="run-time-t run-time-d">\
            <title id="run-time-t">Time line</title><desc id="run-time-d">\
            \(NumberText.count(bars.count, "case")) over time, at most \(lanes) at once</desc>
            \((axis + rects).joined(separator: "\n"))
            </svg></div>
            <figcaption>Each bar is a case; at most \(lanes) at once. Point at a bar for its name and \
            times; the <a href="#cases">table of cases</a> has them too.</figcaption></figure>
            """
    }
}
