import Results
import SuiteLanguage

/// The ladder diagram: expected on the left, actual on the right, parties as columns.
struct LadderDrawing {
    /// The vertical distribution of rows.
    enum Spacing {
        /// One after the other.
        case byOrder
        /// With distances in proportion to time, as far as the texts of the rows allow.
        case toScale
    }

    private static let width = 1180.0
    private static let expected = 100.0...500.0
    private static let actual = 600.0...1000.0
    private static let top = 62.0
    /// The widest label of a side.
    private static let room = 384.0
    /// The distance between the first and the last event in a drawing to scale, as a multiple of
    /// the height that the rows need.
    private static let stretch = 1.3

    private let lines: [LadderLine]
    private let parties: [String]
    private let rule: String?
    private let places: [Double]
    private let timeAxis: (start: Double, scale: Double, end: Double)?
    private let fragment: String
    private let captureStart: Double?

    /// Creates a drawing and places its rows.
    ///
    /// - Parameters:
    ///   - lines: The rows.
    ///   - parties: The columns of each side.
    ///   - rule: The expectation at a divergence without a step, such as a never rule.
    ///   - spacing: The vertical distribution of rows.
    ///   - anchor: The identifier of the case, with which the identifiers of messages begin.
    ///   - captureStart: The start of the capture in seconds relative to the first message; `nil`
    ///     if it is not known.
    init(
        _ lines: [LadderLine], parties: [String], rule: String?, spacing: Spacing, anchor: String,
        captureStart: Double? = nil
    ) {
        self.captureStart = captureStart
        self.lines = lines
        self.parties = parties
        self.rule = rule
        fragment = HTMLText.fragment(anchor)
        let times = lines.compactMap(\.seconds)
        var axis: (start: Double, scale: Double, end: Double)?
        if spacing == .toScale, let start = times.min(), let end = times.max(), end > start {
            let height =
                Self.stretch * lines.reduce(0) { $0 + Self.height($1) + Self.drop($1, rule) }
            axis = (start, height / (end - start), end)
        }
        timeAxis = axis
        var y = Self.top
        var last = 0.0
        var drop = 0.0
        places = lines.map { line in
            y += (last + Self.height(line)) / 2 + drop
            drop = Self.drop(line, rule)
            if let axis, let time = line.seconds {
                y = max(y, Self.top + 20 + (time - axis.start) * axis.scale)
            }
            last = Self.height(line)
            return y
        }
    }

    /// Whether a drawing to scale shows more than one by order.
    var hasScale: Bool { timeAxis != nil }

    /// Returns the drawing.
    func svg(id: String) -> String {
        let height = (places.last ?? Self.top) + 40 + (lines.last.map { Self.drop($0, rule) } ?? 0)
        let left = timeAxis == nil ? 84.0 : 0
        var parts = [
            "<svg class=\"ladder\" viewBox=\"\(NumberText.coordinate(left)) 0 "
                + "\(NumberText.coordinate(Self.width - left)) \(NumberText.coordinate(height))\""
                + " role=\"group\" aria-labelledby=\"\(id)-t \(id)-d\">",
            "<title id=\"\(id)-t\">Expected and actual</title>",
            "<desc id=\"\(id)-d\">\(HTMLText.plain(description))</desc>",
        ]
        parts += lanes(height: height)
        if let timeAxis { parts += axis(timeAxis) }
        parts.append(SVG.text(1010, 22, "Time", "lane-title", anchor: "start"))
        parts.append(SVG.text(1010, Self.top - 22, "from message 1", "detail", anchor: "start"))
        for (line, y) in zip(lines, places) { parts += draw(line, y) }
        return parts.joined(separator: "\n") + "\n</svg>"
    }

    private var description: String {
        let match = lines.count { $0.kind == .row(.match) }
        let parted = lines.first { $0.isDivergence }.map { line in
            let step = line.step.map { " at step \($0.number)" } ?? " after the last step"
            return " They first differ\(step); the table below has the same rows."
        }
        return "\(NumberText.count(match, "step")) as expected." + (parted ?? "")
    }

    // MARK: - Lanes

    private static func height(_ line: LadderLine) -> Double {
        switch line.kind {
        case .row: line.isDivergence ? 56 : 44
        case .background: 34
        case .folded, .omitted: 24
        }
    }

    // MARK: - Texts of several lines

    /// Returns how much more height a line needs below its arrow, for the further lines of its texts.
    private static func drop(_ line: LadderLine, _ rule: String?) -> Double {
        let counts = [expectedText(line, rule).count, actualText(line).count]
        return Double(max(1, counts.max() ?? 1) - 1) * SVG.lineHeight
    }

    /// Returns the conditions of a step, or the rule that a divergence without a step broke.
    private static func expectedText(_ line: LadderLine, _ rule: String?) -> [String] {
        guard let step = line.step?.result else {
            return line.isDivergence ? rule.map { wrapped($0, to: 54) } ?? [] : []
        }
        return wrapped(StepText.conditions(step), to: 58)
    }

    private static func actualText(_ line: LadderLine) -> [String] {
        switch line.kind {
        case .folded(let names): wrapped("\(names.count) collapsed: \(summary(names))", to: 58)
        case .row:
            line.message.map { wrapped(MessageSummary.text($0, line.step?.result), to: 58) } ?? []
        case .background, .omitted: []
        }
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        Columns.wrapped(PlainText.line(HTMLText.cut(text, to: 800)), to: width)
    }

    private func x(_ party: String?, _ lane: ClosedRange<Double>) -> Double? {
        guard let party, let index = parties.firstIndex(of: party) else { return nil }
        let gap = (lane.upperBound - lane.lowerBound - 80) / Double(max(1, parties.count - 1))
        return lane.lowerBound + 40 + Double(index) * gap
    }

    private func lanes(height: Double) -> [String] {
        [("Expected by the suite", Self.expected), ("Actual, from the capture", Self.actual)]
            .flatMap { title, lane -> [String] in
                let middle = (lane.lowerBound + lane.upperBound) / 2
                let frame = SVG.rect(
                    lane.lowerBound, 4, lane.upperBound - lane.lowerBound, height - 8, "lane")
                let heads = parties.flatMap { party -> [String] in
                    guard let x = x(party, lane) else { return [] }
                    return [
                        SVG.line(x, Self.top - 16, x, height - 8, "life"),
                        SVG.text(
                            x, Self.top - 22, party, "party",
                            room: 320 / Double(max(1, parties.count - 1))),
                    ]
                }
                return [frame, SVG.text(middle, 22, title, "lane-title")] + heads
            }
    }

    private func axis(_ axis: (start: Double, scale: Double, end: Double)) -> [String] {
        let ticks = SVG.ticks(to: axis.end - axis.start, count: 8)
        let step = ticks.count > 1 ? ticks[1] : 1
        let top = Self.top + 20
        var parts = [
            SVG.line(66, top, 66, top + (axis.end - axis.start) * axis.scale, "axis")
        ]
        for tick in ticks {
            let y = top + tick * axis.scale
            parts.append(SVG.line(61, y, 66, y, "axis"))
            parts.append(
                SVG.text(57, y + 4, SVG.tick(axis.start + tick, step: step), "tick", anchor: "end"))
        }
        for (line, y) in zip(lines, places) {
            guard let time = line.seconds else { continue }
            parts.append(SVG.line(66, top + (time - axis.start) * axis.scale, 99, y, "leader"))
        }
        return parts
    }

    // MARK: - Rows

    private func draw(_ line: LadderLine, _ y: Double) -> [String] {
        switch line.kind {
        case .row(let mark): drawRow(line, mark, y)
        case .background: message(line, y, "background") + time(line, y)
        case .folded:
            SVG.text(
                (Self.actual.lowerBound + Self.actual.upperBound) / 2, y + 4,
                lines: Self.actualText(line), "folded")
        case .omitted(let count):
            [SVG.text(800, y + 4, "… \(count) further messages are omitted …", "folded")]
        }
    }

    /// Returns names with their counts: `tcp.SYN, 3 × tcp.ACK`.
    static func summary(_ names: [String]) -> String {
        var counts: [(name: String, count: Int)] = []
        for name in names {
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1))
            }
        }
        return counts.map { $0.count > 1 ? "\($0.count) × \($0.name)" : $0.name }
            .joined(separator: ", ")
    }

    private func drawRow(_ line: LadderLine, _ mark: AlignmentRow.Mark, _ y: Double) -> [String] {
        let style = Self.style(mark, line.isDivergence)
        var parts: [String] = []
        if line.isDivergence {
            parts.append(
                SVG.rect(
                    Self.expected.lowerBound - 4, y - 32,
                    Self.actual.upperBound - Self.expected.lowerBound + 8,
                    56 + Self.drop(line, rule), "divergence"))
            parts.append(SVG.text(550, y - 16, "first divergence", "divergence-title"))
        }
        parts += step(line, y, style)
        parts += message(line, y, style)
        if line.message == nil, mark == .missing {
            parts.append(SVG.text(800, y + 4, "nothing came", "missing-text"))
        }
        let number = line.step.map { "\($0.number) " } ?? ""
        parts.append(SVG.text(550, y + 5, "\(number)\(Self.sign(line, mark))", "mark \(style)"))
        return parts + time(line, y)
    }

    private static func style(_ mark: AlignmentRow.Mark, _ isDivergence: Bool) -> String {
        if isDivergence { return "bad" }
        return switch mark {
        case .match: "good"
        case .missing, .extra: "off"
        case .ignored: "background"
        case .notReached, .unjudged: "unreached"
        }
    }

    /// Returns the text between the lanes.
    static func sign(_ line: LadderLine, _ mark: AlignmentRow.Mark) -> String {
        switch mark {
        case .match: line.message == nil ? "done" : "="
        case .missing: line.message == nil ? "missing" : difference(line.step?.result.timing)
        case .extra: "extra"
        case .ignored: "ignored"
        case .notReached: "not reached"
        case .unjudged: "not judged"
        }
    }

    /// Returns how a message that does not match its step differs: in time, or in content.
    private static func difference(_ timing: StepTiming?) -> String {
        guard let timing, let actual = timing.actual else { return "≠" }
        if let latest = timing.latest, actual > latest { return "late" }
        if let earliest = timing.earliest, actual < earliest { return "early" }
        return "≠"
    }

    private func step(_ line: LadderLine, _ y: Double, _ style: String) -> [String] {
        let middle = (Self.expected.lowerBound + Self.expected.upperBound) / 2
        guard let step = line.step?.result else {
            return SVG.text(
                middle, y + 4, lines: Self.expectedText(line, rule), "name \(style)")
        }
        let act = step.act ?? StepAct(.wait, name: step.text)
        if act.kind == .wait || act.kind == .perform {
            return note(StepText.title(step), at: x(act.from, Self.expected) ?? middle, y, style)
        }
        let from = x(act.from, Self.expected) ?? middle
        let to = x(act.to ?? other(than: act.from), Self.expected) ?? middle
        return [
            SVG.text(middle, y - 6, act.name, "name \(style)", room: Self.room),
            SVG.arrow(from, to, y, style),
        ] + SVG.text(middle, y + 13, lines: Self.expectedText(line, rule), "detail")
    }

    private func message(_ line: LadderLine, _ y: Double, _ style: String) -> [String] {
        guard let message = line.message else { return [] }
        let middle = (Self.actual.lowerBound + Self.actual.upperBound) / 2
        let link = "<a href=\"\(fragment)/m\(message.number)\">"
        guard let from = x(message.from, Self.actual), message.flow != nil else {
            let place = x(message.from, Self.actual) ?? middle
            return [link] + note(message.name, at: place, y, style) + ["</a>"]
        }
        let to = x(message.to ?? other(than: message.from), Self.actual) ?? middle
        return [
            link, SVG.text(middle, y - 6, message.name, "name \(style)", room: Self.room),
            SVG.arrow(from, to, y, style), "</a>",
        ] + SVG.text(middle, y + 13, lines: Self.actualText(line), "detail")
    }

    /// Returns a box on the column of a party.
    private func note(_ text: String, at x: Double, _ y: Double, _ style: String) -> [String] {
        let width = min(Self.room, Double(Columns.width(of: text)) * SVG.glyphWidth + 16)
        let lane = x < 550 ? Self.expected : Self.actual
        let left = min(max(x - width / 2, lane.lowerBound + 4), lane.upperBound - 4 - width)
        return [
            SVG.rect(left, y - 12, width, 22, "note \(style)"),
            SVG.text(left + width / 2, y + 4, text, "name \(style)", room: width - 12),
        ]
    }

    private func other(than party: String?) -> String? { parties.first { $0 != party } }

    private func time(_ line: LadderLine, _ y: Double) -> [String] {
        guard let seconds = line.seconds else { return [] }
        let frames = line.message.map { FramesText.short($0, since: captureStart) } ?? ""
        return [
            SVG.text(1010, y - 2, NumberText.offset(seconds), "time", anchor: "start"),
            SVG.text(1010, y + 13, frames, "detail", anchor: "start", room: 165),
        ]
    }
}
