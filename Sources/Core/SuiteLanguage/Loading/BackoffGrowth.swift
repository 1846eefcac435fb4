/// The growth of waits, from the keys of a `backoff` mapping.
struct BackoffGrowth {
    let model: BackoffSchedule.Model?
    /// The first wait, if it does not belong to the model.
    let outerFirst: Duration?
    /// The longest first wait, if it is random.
    let firstMost: Duration?
    /// The range from which the base is drawn.
    let base: ClosedRange<Duration>?
    let savedBase: BackoffSchedule.SavedWait?
    let isCyclic: Bool
    let cap: Duration?
    let capPlace: BackoffSchedule.CapPlace
    let floor: Duration?
    let factor: Double?
    /// Whether the model is `exponential`, the only one with which decorrelated jitter is defined.
    let isExponential: Bool

    /// The value of a key that sets a wait.
    private struct Wait {
        var range: ClosedRange<Duration>
        var saved: BackoffSchedule.SavedWait?
        var isDrawn: Bool { range.lowerBound < range.upperBound }
    }

    init(
        _ reader: inout YAMLMappingReader, _ known: Set<String>, prefix: String, findings: Findings
    ) {
        let word = Self.model(in: &reader, findings)
        isExponential = word == "exponential"
        let first = Self.wait("first", in: &reader, findings)
        let base = Self.base(in: &reader, known, prefix: prefix, findings)
        let step = reader.duration("step")
        factor = Self.number("factor", 1...SuiteVocabulary.factorMax, in: &reader, findings)
        let waits = Self.waits(in: &reader, findings)
        isCyclic = reader.boolean("cyclic") ?? false
        cap = reader.duration("cap")
        floor = reader.duration("floor")
        capPlace =
            reader.word("capped", of: BackoffSchedule.CapPlace.allCases.map(\.rawValue))
            .flatMap(BackoffSchedule.CapPlace.init(rawValue:)) ?? .beforeJitter
        let isFirstOuter = base != nil || word == "list"
        outerFirst = isFirstOuter ? first?.range.lowerBound : nil
        firstMost = isFirstOuter && first?.isDrawn == true ? first?.range.upperBound : nil
        let start = base ?? first
        self.base = word != "list" && start?.isDrawn == true ? start?.range : nil
        savedBase = base?.saved
        if let word {
            let own = Self.own[word] ?? []
            let strange = Self.own.values.flatMap { $0 }.filter { !own.contains($0) }
            reader.refuse(
                (word == "list" ? ["base"] : []) + Set(strange).sorted(), code: "misplaced-key",
                because: "has no meaning with "
                    + (word == "growth" ? "\"growth\"" : "\"model: \(word)\""))
            Self.require(word, &reader)
        }
        let longest = start?.range.upperBound
        switch word {
        case "fixed": model = longest.map(BackoffSchedule.Model.fixed)
        case "linear":
            if let longest, let step {
                model = .linear(base: longest, step: step)
            } else {
                model = nil
            }
        case "exponential":
            let factor = factor
            model = longest.map { .exponential(base: $0, factor: factor ?? 2) }
        case "growth":
            let expression = Self.expression(in: &reader, findings)
            model = longest.flatMap { base in expression.map { .growth(base: base, $0) } }
        default: model = waits.map(BackoffSchedule.Model.ranges)
        }
    }

    /// The keys that only some models have.
    private static let own = [
        "linear": ["step"], "exponential": ["factor"], "list": ["waits", "cyclic"],
    ]

    /// The models that were removed, and what to write in their place.
    private static let removed = [
        "polynomial": "write growth: base * n^2, with your power in place of 2",
        "fibonacci": "write the waits: model: list, waits: [1s, 1s, 2s, 3s, 5s, 8s]",
    ]

    /// Reads the name of the model, which is `growth` where an expression is its definition.
    private static func model(
        in reader: inout YAMLMappingReader, _ findings: Findings
    ) -> String? {
        if reader.has("growth") {
            reader.refuse(
                ["model"], code: "misplaced-key", because: "has no meaning with \"growth\"")
            return "growth"
        }
        reader.require("model", advice: "or \"growth\", with an expression")
        if let node = reader.node("model"), let word = node.string, let advice = removed[word] {
            findings.report(
                "bad-value", "\"model\" cannot be \"\(word)\"", at: node.position, advice: advice)
            return nil
        }
        return reader.word("model", of: SuiteVocabulary.backoffModels)
    }

    private static func expression(
        in reader: inout YAMLMappingReader, _ findings: Findings
    ) -> WaitExpression? {
        guard let text = reader.text("growth") else { return nil }
        do throws(WaitExpression.SyntaxError) {
            return try WaitExpression(suiteText: text)
        } catch {
            findings.report(
                "bad-expression", "\"growth: \(text)\" cannot be computed: \(error.what)",
                at: reader.entry("growth")?.value.position,
                advice: "write previous * 2, previous + 1s or base * n^2")
            return nil
        }
    }

    private static func require(_ word: String, _ reader: inout YAMLMappingReader) {
        if word == "list" {
            reader.require("waits", advice: "list the waits: [0s, 1s, 5s]")
            return
        }
        if !reader.has("base"), !reader.has("first") {
            reader.require("base", advice: "say where the waits start")
        }
        if word == "linear" { reader.require("step", advice: "say by how much the waits grow") }
    }

    private static func number(
        _ key: String, _ range: ClosedRange<Double>, in reader: inout YAMLMappingReader,
        _ findings: Findings
    ) -> Double? {
        guard let number = reader.number(key) else { return nil }
        guard range.contains(number) else {
            findings.report(
                "bad-value",
                "\"\(key)\" is between \(Int(range.lowerBound)) and \(Int(range.upperBound))",
                at: reader.entry(key)?.value.position)
            return nil
        }
        return number
    }

    /// Reads the unit of a saved or hinted wait.
    static func unit(in reader: inout YAMLMappingReader) -> BackoffSchedule.Unit {
        reader.word("unit", of: BackoffSchedule.Unit.allCases.map(\.rawValue))
            .flatMap(BackoffSchedule.Unit.init(rawValue:)) ?? .seconds
    }

    // MARK: waits

    /// Reads a duration or a range.
    private static func wait(
        _ key: String, in reader: inout YAMLMappingReader, _ findings: Findings
    ) -> Wait? {
        guard let node = reader.node(key) else { return nil }
        guard node.entries != nil else {
            return reader.duration(key).map { Wait(range: $0...$0) }
        }
        guard var inner = reader.reader(key, as: SuiteVocabulary.waitRange) else { return nil }
        return range(&inner, findings).map { Wait(range: $0) }
    }

    private static func range(
        _ reader: inout YAMLMappingReader, _ findings: Findings
    ) -> ClosedRange<Duration>? {
        reader.require("min")
        reader.require("max")
        let (least, most) = (reader.duration("min"), reader.duration("max"))
        reader.finish()
        guard let least, let most else { return nil }
        guard least <= most else {
            findings.report(
                "bad-value", "\"min\" is larger than \"max\"",
                at: reader.entry("min")?.keyPosition)
            return nil
        }
        return least...most
    }

    /// Reads a duration, a range or the name of a variable.
    private static func base(
        in reader: inout YAMLMappingReader, _ known: Set<String>, prefix: String,
        _ findings: Findings
    ) -> Wait? {
        let entries = reader.node("base")?.entries
        guard entries?.contains(where: { $0.key == "saved" }) == true else {
            return wait("base", in: &reader, findings)
        }
        guard var inner = reader.reader("base", as: SuiteVocabulary.savedWait) else { return nil }
        let name = inner.text("saved")
        let position = inner.node("saved")?.position ?? inner.position
        let unit = unit(in: &inner)
        inner.finish()
        guard let name else { return nil }
        guard known.contains(prefix + name) else {
            findings.report(
                "unknown-variable", "no earlier step saves \"\(name)\"", at: position,
                advice: Suggestion.advice(for: name, in: known.sorted()))
            return nil
        }
        let saved = BackoffSchedule.SavedWait(variable: prefix + name, unit: unit)
        return Wait(range: .zero ... .zero, saved: saved)
    }

    private static func waits(
        in reader: inout YAMLMappingReader, _ findings: Findings
    ) -> [ClosedRange<Duration>]? {
        guard let nodes = reader.list("waits") else { return nil }
        guard !nodes.isEmpty else {
            findings.report(
                "bad-value", "\"waits\" lists at least one wait",
                at: reader.entry("waits")?.value.position)
            return nil
        }
        let waits = nodes.map { node -> ClosedRange<Duration>? in
            if node.entries != nil {
                guard
                    var inner = YAMLMappingReader(
                        node, as: SuiteVocabulary.waitRange, findings: findings)
                else { return nil }
                return range(&inner, findings)
            }
            if let wait = node.string.flatMap(Duration.init(suiteText:)) { return wait...wait }
            findings.report(
                "bad-duration", "\"waits\" takes durations", at: node.position,
                advice: Duration.suiteTextAdvice)
            return nil
        }
        return waits.contains(nil) ? nil : waits.compactMap { $0 }
    }
}
