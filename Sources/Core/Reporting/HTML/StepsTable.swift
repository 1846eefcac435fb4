import Results
import SuiteLanguage

/// The table of the steps of a case, each with the allowed and the measured time.
struct StepsTable {
    private let result: CaseResult
    /// The steps, counted from 1, that were not reached but whose message came.
    private let unjudged: Set<Int>

    private let job: RunJob?

    init(_ result: CaseResult, _ evidence: Evidence? = nil, job: RunJob? = nil) {
        self.result = result
        self.job = job
        let rows = evidence?.rows.filter { $0.mark == .unjudged } ?? []
        unjudged = Set(rows.compactMap(\.step))
    }

    /// The table; empty for a case without steps.
    var html: String {
        guard !result.steps.isEmpty else { return "" }
        let rows = result.steps.enumerated().map { row($0.offset + 1, $0.element) }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Steps"><table class="steps stack">
            <caption>Steps with allowed and measured times</caption>
            <thead><tr><th scope="col">#</th><th scope="col">Step</th><th scope="col">Outcome</th>\
            <th scope="col">Time</th><th scope="col">Frames</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            """
    }

    private func row(_ number: Int, _ step: StepResult) -> String {
        let part = step.part == .preamble ? "preamble, " : ""
        let place = part + FilePlace.html(step.position, job)
        return "<tr class=\"\(step.outcome.rawValue)\"><td>\(number)</td>"
            + "<td>\(HTMLText.code(step.text, limit: 600))<br><span class=\"muted\">"
            + "\(place)</span></td>"
            + "<td class=\"\(Self.style(step.outcome))\">\(word(step.outcome, number))</td>"
            + "<td>\(WindowBar(step, after: origin(of: step)).html)</td>"
            + "<td>\(FramesText.ranges(step.frames))</td></tr>"
    }

    /// Returns what the times of a step are relative to: the step that was completed at that time,
    /// or the start of the case.
    private func origin(of step: StepResult) -> String? {
        guard let since = step.timing?.since else { return nil }
        let done = result.steps.lastIndex { other in
            other != step && other.timing?.actual.map { abs($0 - since) < 1e-9 } ?? false
        }
        return done.map { "step \($0 + 1)" }
            ?? (step == result.steps.first ? "the case began" : nil)
    }

    private func word(_ outcome: StepResult.Outcome, _ number: Int) -> String {
        switch outcome {
        case .done: "✓ done"
        case .failed: "✗ failed"
        case .notReached where unjudged.contains(number): "· seen, not judged"
        case .notReached: "· not reached"
        }
    }

    private static func style(_ outcome: StepResult.Outcome) -> String {
        switch outcome {
        case .done: "pass"
        case .failed: "fail"
        case .notReached: "not-run"
        }
    }
}

/// Positions in suites as people type them.
enum FilePlace {
    /// Returns `file:line`.
    static func text(_ position: SourcePosition) -> String { "\(position.file):\(position.line)" }

    /// Returns `file:line`, with a link to the repository if the CI job names it.
    static func html(_ position: SourcePosition, _ job: RunJob?) -> String {
        let text = HTMLText.plain(text(position))
        guard let address = job?.source,
            address.hasPrefix("https://") || address.hasPrefix("http://"),
            let file = address.firstRange(of: "{file}"), !position.file.hasPrefix("/"),
            !position.file.split(separator: "/").contains("..")
        else { return text }
        let target =
            HTMLText.plain(String(address[..<file.lowerBound])) + HTMLText.encoded(position.file)
            + HTMLText.plain(
                String(address[file.upperBound...].replacing("{line}", with: "\(position.line)")))
        return "<a href=\"\(target)\">\(text)</a>"
    }
}

/// The window of a step as a small bar that shows the measured time.
struct WindowBar {
    private static let width = 150.0
    private let earliest: Double?
    private let latest: Double?
    private let actual: Double?
    private let origin: String?

    /// Creates a bar with the times of a step relative to the reference time of its window; `after`
    /// names the step of the reference time.
    init(_ step: StepResult, after origin: String? = nil) {
        self.origin = origin
        let since = step.timing?.since ?? 0
        earliest = step.timing?.earliest.map { $0 - since }
        latest = step.timing?.latest.map { $0 - since }
        actual = step.timing?.actual.map { $0 - since }
    }

    /// Whether the measured time is within the window.
    var isInside: Bool {
        guard let actual else { return false }
        return actual >= earliest ?? -.infinity && actual <= latest ?? .infinity
    }

    /// The bar with its numbers.
    var html: String {
        guard let latest else { return actual.map { NumberText.length(max(0, $0)) } ?? "" }
        let after = origin.map { " after \($0)" } ?? ""
        let measured = actual.map { NumberText.length($0) + after } ?? "did not come"
        let allowed =
            earliest.map { "\(NumberText.length($0)) to \(NumberText.length(latest))" }
            ?? "at most \(NumberText.length(latest))"
        let scale = Self.width / max(latest, actual ?? 0, 1e-9) * 0.94
        let start = (earliest ?? 0) * scale
        var parts = [
            "<svg class=\"bar\" width=\"150\" height=\"14\" viewBox=\"0 0 150 14\""
                + " aria-hidden=\"true\">",
            SVG.rect(0, 6, Self.width, 2, "groove"),
            SVG.rect(start, 2, latest * scale - start, 10, "allowed"),
        ]
        if let actual {
            parts.append(
                SVG.disc(
                    max(4, actual * scale), 7, 4, isInside ? "point" : "point out", title: measured)
            )
        }
        return parts.joined() + "</svg><br><span class=\"\(isInside ? "" : "fail")\">"
            + "\(measured)</span> <span class=\"muted\">of \(allowed)</span>"
    }
}
