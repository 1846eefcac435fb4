import Results

/// The evidence for a verdict that is not a pass, as plain lines.
///
/// Console, JUnit and Markdown show the same lines.
struct CaseExplanation {
    var result: CaseResult
    /// The report folder, relative to the working directory.
    var folder: String
    var width: Int

    private static let label = 12

    /// Returns the reason in one sentence on one line; empty for a pass.
    static func sentence(_ result: CaseResult) -> String {
        let text = PlainText.line(result.reason?.summary ?? "")
        if !text.isEmpty { return text }
        return switch result.verdict {
        case .pass: ""
        case .none: "the case ended without a verdict"
        default: "no reason was given"
        }
    }

    /// Returns the lines below the sentence.
    func lines() -> [String] {
        var lines: [String] = []
        if let explanation = result.reason?.explanation { lines += judgement(explanation) }
        if result.verdict == .pass || result.verdict == .fail {
            lines += result.steps.compactMap(\.spread).flatMap { entry("chance", $0.text) }
        }
        lines += result.remarks.flatMap { entry("remark", $0) }
        lines += violations()
        lines += ignored()
        if result.counts.dropped > 0 {
            let lost = NumberText.count(result.counts.dropped, "packet")
            lines += entry("lost", "\(lost) not captured")
        }
        lines.append(whole("case", result.position.description))
        if let capture = result.capture { lines.append(whole("capture", path(capture))) }
        if let log = result.log { lines.append(whole("device log", path(log))) }
        if let command = result.reproduce { lines.append(whole("run again", command)) }
        return lines + shrunk()
    }

    /// The shorter run that fails in the same way, as a case of a suite.
    private func shrunk() -> [String] {
        guard let shrunk = result.shrunk else { return [] }
        var lines = entry("shrunk", ShrunkText.sentence(shrunk))
        if let capture = shrunk.execution.capture, capture != result.capture {
            lines.append(whole("", path(capture)))
        }
        if let command = shrunk.reproduce { lines.append(whole("", command)) }
        return lines + [""] + ShrunkText.suiteLines(shrunk)
    }

    /// How many kinds of violations are shown; the page and `results.json` have all of them.
    private static let violationsMax = 5

    private func violations() -> [String] {
        let all = result.violations ?? []
        let more = all.count - Self.violationsMax
        return all.prefix(Self.violationsMax).flatMap { entry("violation", ViolationText.text($0)) }
            + (more > 0 ? entry("", "and \(more) more kinds of violations") : [])
    }

    /// Returns a path of the report folder, relative to the working directory.
    func path(_ relative: String) -> String {
        folder.isEmpty || folder == "." || relative.hasPrefix("/")
            ? relative : "\(folder)/\(relative)"
    }

    private func judgement(_ explanation: Explanation) -> [String] {
        var lines: [String] = []
        for requirement in explanation.requirements {
            lines += entry("requirement", "\(requirement.id) \"\(requirement.text)\"")
            lines += entry("", requirement.source)
        }
        let step = explanation.step.map { "\($0) at " } ?? "closing window, "
        lines += entry("step", step + explanation.position.description)
        lines += entry("expected", explanation.expected)
        lines += entry("actual", explanation.actual)
        if let miss = explanation.nearestMiss {
            lines += entry(
                "nearest",
                miss.message
                    + Self.frames(
                        miss.frames, miss.frames.count == 1 ? " (frame " : " (frames ", ")"))
            lines += miss.differences.flatMap { entry("", $0) }
        }
        lines += entry("frames", Self.frames(explanation.frames, "", ""))
        for step in result.steps {
            let waits = ScheduleTable(intervals: step.schedule ?? []).lines()
            if !waits.isEmpty { lines += [""] + waits }
        }
        let table = AlignmentTable(rows: explanation.alignment, width: width).lines()
        guard !table.isEmpty else { return lines }
        let isTimed = explanation.alignment.contains { $0.seconds != nil }
        return lines + [""] + table + [""] + (isTimed ? entry("times", Self.zero) : [])
    }

    /// What the times of the table are relative to.
    private static let zero =
        "those with + are relative to the first message of the case, which is the start of the "
        + "device if conform started it"

    private func ignored() -> [String] {
        guard !result.ignored.isEmpty else { return [] }
        let names = result.ignored.sorted { $0.key < $1.key }.map { "\($0.key) x \($0.value)" }
        return entry("ignored", names.joined(separator: ", "))
    }

    /// Returns a line that is never wrapped, because its text is meant to be copied, such as a path
    /// or a command.
    private func whole(_ label: String, _ text: String) -> String {
        Columns.padded(label, to: Self.label) + PlainText.line(text)
    }

    private func entry(_ label: String, _ text: String) -> [String] {
        let text = PlainText.line(text)
        guard !text.isEmpty else { return [] }
        return Columns.wrapped(text, to: max(30, width - Self.label)).enumerated().map {
            Columns.padded($0.offset == 0 ? label : "", to: Self.label) + $0.element
        }
    }

    private static func frames(_ frames: [Int], _ before: String, _ after: String) -> String {
        guard !frames.isEmpty else { return "" }
        let shown = frames.prefix(20).map(String.init).joined(separator: ", ")
        let more = frames.count > 20 ? " and \(frames.count - 20) more" : ""
        return before + shown + more + after
    }
}
