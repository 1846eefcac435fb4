import SuiteLanguage
import Wire

/// What `conform explain` shows: what a case demands, in plain sentences.
public struct CaseInWords {
    private let testCase: TestCase
    private let suite: Suite
    private let style: Style
    private let width: Int
    private let timeScale: TimeScale

    /// Returns the description of a case, line by line, with the times of a device that runs at
    /// `timeScale`.
    public static func lines(
        of testCase: TestCase, in suite: Suite, at timeScale: TimeScale = .real,
        style: Style = .plain, width: Int? = nil
    ) -> [String] {
        CaseInWords(
            testCase: testCase.scaled(by: timeScale), suite: suite, style: style,
            width: width ?? style.width, timeScale: timeScale
        ).lines
    }

    private var lines: [String] {
        guard testCase.missingParameters.isEmpty else { return head + parameters + requirements }
        return head + given + parameters + preamble + body + never + ending + requirements
    }

    private var head: [String] {
        let name = PlainText.line("\(suite.id)/\(testCase.id)")
        let place = PlainText.line(testCase.position.description)
        return ["\(style.paint(name, .bold))  \(place)"]
            + paragraph(Words.sentence(testCase.title))
            + (TimeScaleText.explanation(timeScale).map(paragraph) ?? []) + needs
    }

    private var needs: [String] {
        guard let needs = testCase.needs else { return [] }
        let names = needs.names.sorted()
        return paragraph("Required features: \(needs.suiteText); otherwise the case is skipped.")
            + names.flatMap { item("\($0): \(suite.features[$0] ?? "")") }
    }

    private var given: [String] {
        let peers = testCase.peers.flatMap { peer -> [String] in
            let kind = peer.kind.summary
            let settings = peer.settings.objectValue ?? []
            let list = Words.list(settings.map { "\($0.name) \($0.value.suiteText)" })
            let text = "\(peer.name) is simulated by conform (\(peer.kind)): \(kind)"
            return item(settings.isEmpty ? text : "\(text) Its settings: \(list).")
        }
        let others = testCase.devices.flatMap { device in
            item("\(device.name) is another device of the same kind.")
                + configured(device.name, with: device.configuration)
        }
        return section("Given") + peers
            + configured("The device", with: testCase.deviceConfiguration) + others
    }

    private func configured(_ device: String, with configuration: Value) -> [String] {
        let settings = configuration.objectValue ?? []
        return settings.isEmpty
            ? item("\(device) has its default configuration.")
            : item("\(device) is configured with:")
                + settings.flatMap { item("\($0.name): \($0.value.suiteText)", indent: 4) }
    }

    /// The parameters that the case uses.
    private var parameters: [String] {
        let used = suite.parameters.filter { testCase.parameters.contains($0.name) }
        guard !used.isEmpty else { return [] }
        return section("Parameters")
            + used.flatMap { item($0.inWords) }
            + (testCase.missingParameters.isEmpty
                ? []
                : paragraph("Without a value the case is skipped and cannot be explained."))
    }

    private var preamble: [String] {
        guard !testCase.preamble.isEmpty else { return [] }
        return section("Preamble (a deviation here makes the verdict inconclusive)")
            + steps(testCase.preamble, after: [])
    }

    private var body: [String] {
        section("Test body (a deviation here fails the case)")
            + steps(testCase.steps, after: testCase.preamble)
    }

    private func steps(_ steps: [Step], after earlier: [Step]) -> [String] {
        var outline = StepOutline(testCase, usual: usual)
        outline.append(earlier)
        let known = outline.entries.count
        outline.append(steps)
        return outline.entries.dropFirst(known).flatMap {
            item($0.text, mark: $0.mark, indent: $0.indent)
        }
    }

    /// The most frequent tolerance of the steps; the earliest one if several are equally frequent.
    private var usual: Tolerance {
        let all = (testCase.preamble + testCase.steps).plain.map(\.tolerance)
        var best = (tolerance: Tolerance(), count: 0)
        for tolerance in all {
            let count = all.count { $0 == tolerance }
            if count > best.count { best = (tolerance, count) }
        }
        return best.tolerance
    }

    private var never: [String] {
        guard !testCase.never.isEmpty else { return [] }
        return section(
            "Never (in the test body and after it; not what a step asks for by the same conditions)"
        )
            + testCase.never.flatMap { rule -> [String] in
                let checks =
                    rule.checks.isEmpty ? "" : "; it would violate \(Words.list(rule.checks))"
                let sender =
                    rule.pattern.from ?? (testCase.devices.isEmpty ? Step.device : "any device")
                let place = rule.connection.map { " on the connection of step \($0)" } ?? ""
                let rate = rule.rate.map { "\($0.inWords): " } ?? ""
                return item(
                    rate + words(rule.pattern, sender: sender) + place + rule.timeInWords + checks)
            }
    }

    private func words(_ pattern: MessagePattern, sender: String?) -> String {
        let name =
            pattern.message.hasSuffix(".*")
            ? "any \(pattern.message)" : pattern.message
        let from = sender.map { $0 == Step.device ? " from the device" : " from \($0)" } ?? ""
        return name + from + pattern.conditions.inWords
    }

    private var ending: [String] {
        let ignored = testCase.ignore.map { words($0, sender: $0.from) }
        let rest =
            switch testCase.unexpected {
            case .fail: "Any other message from the device fails the case"
            case .allow: "Any other message from the device is counted and shown, but is no failure"
            }
        let closing =
            "After the last step conform keeps watching "
            + (testCase.isQuietToTheEnd
                ? "until the capture ends. " : "for \(testCase.quiet.suiteText). ")
            + "The whole case may take at most \(testCase.timeout.suiteText). "
            + "Times have a tolerance of \(usual.inWords) unless a step gives another."
        return section("In addition")
            + item(rest + (ignored.isEmpty ? "." : "; ignored messages: \(Words.list(ignored))."))
            + item(closing)
    }

    private var requirements: [String] {
        let checks = testCase.allChecks
        guard !checks.isEmpty else { return [] }
        return section("Checked requirements")
            + checks.flatMap { id -> [String] in
                guard let requirement = suite.requirement(id) else { return item(id) }
                return item("\(id): \"\(requirement.text)\" (\(requirement.source))")
            }
    }

    // MARK: lines

    private func section(_ title: String) -> [String] { ["", style.paint(title, .bold)] }

    private func paragraph(_ text: String) -> [String] {
        Columns.wrapped(PlainText.line(text), to: width)
    }

    private func item(_ text: String, mark: String = "-", indent: Int = 2) -> [String] {
        let margin = Columns.blanks(indent)
        let hang = Columns.blanks(mark.count + 1)
        return Columns.wrapped(
            PlainText.line(text), to: max(30, width - indent - hang.count)
        ).enumerated().map { margin + ($0.offset == 0 ? "\(mark) " : hang) + $0.element }
    }
}

extension DeviceParameter {
    /// The parameter with its value, the origin of the value, and its meaning.
    fileprivate var inWords: String {
        let meaning = text.isEmpty ? "" : ": \(text)"
        guard let value else { return "\(name) has no value and no default\(meaning)" }
        let origin =
            defaultValue.map { $0 == value ? " (the default)" : " (\($0.suiteText) by default)" }
            ?? ""
        return "\(name) is \(value.suiteText)\(origin)\(meaning)"
    }
}

extension NeverRule {
    /// When it begins to apply, unless it does at the beginning of the body.
    fileprivate var timeInWords: String {
        guard !appliesAtOnce else { return "" }
        let origin = since.map { "step \($0)" } ?? "the beginning of the test body"
        return after.map { ", from \($0.suiteText) after \(origin) on" } ?? ", from \(origin) on"
    }
}
