extension StepReader {
    /// Reads the mapping of a `backoff` step and what stands beside it.
    mutating func backoff(
        _ step: inout Step, _ reader: inout YAMLMappingReader,
        checks: [BackoffSchedule.RuleChecks]
    ) -> Step.Verb? {
        if let from = patterns.party("from", in: &reader) { step.from = from }
        step.to = patterns.party("to", in: &reader)
        let conditions = reader.entry("where")
        guard var inner = reader.reader("backoff", as: SuiteVocabulary.backoff) else { return nil }
        var messages = BackoffSchedule(.fixed(.zero), attempts: 1...1)
        let areMessagesKnown = self.messages(of: &messages, in: &inner)
        if let conditions, areMessagesKnown {
            step.conditions = patterns.conditions(conditions.value, of: messages.attempt)
        }
        let growth = BackoffGrowth(&inner, findings: findings)
        let jitter = jitter(growth, in: &inner)
        let attempts = attempts(in: &inner)
        var result = messages
        result.early = inner.tolerance("early") ?? step.tolerance
        result.late = inner.tolerance("late") ?? step.tolerance
        result.immediate = inner.duration("immediate")
        result.checks = checks
        if !checks.isEmpty {
            step.checks = result.requirements(of: BackoffSchedule.Rule.allCases)
        }
        result.timeout = inner.duration("timeout")
        result.silence = inner.duration("silence")
        result.reset = reset(in: &inner) ?? .never
        let origins = BackoffSchedule.Origin.allCases.map(\.rawValue)
        if let word = inner.word("from", of: origins) {
            result.origin = BackoffSchedule.Origin(rawValue: word) ?? result.origin
        }
        inner.finish()
        guard areMessagesKnown, let model = growth.model, let jitter, let attempts else {
            return nil
        }
        result.model = model
        result.first = growth.outerFirst
        result.cap = growth.cap
        result.capPlace = growth.capPlace
        result.jitter = jitter
        result.attempts = attempts
        if case .decorrelated(let factor) = jitter, case .exponential(let base, _) = model {
            result.model = .exponential(base: base, factor: factor)
        }
        check(result, in: &inner)
        return .backoff(result)
    }

    /// The requirements that `checks` has for rules.
    func ruleChecks(in reader: inout YAMLMappingReader) -> [BackoffSchedule.RuleChecks] {
        guard var rules = reader.reader("checks", as: SuiteVocabulary.backoffChecks) else {
            return []
        }
        let checks = BackoffSchedule.Rule.allCases.compactMap { rule in
            rules.texts(rule.rawValue).map {
                BackoffSchedule.RuleChecks(rule, requirements.check($0))
            }
        }
        rules.finish()
        return checks
    }

    // MARK: messages

    private func messages(
        of schedule: inout BackoffSchedule, in reader: inout YAMLMappingReader
    ) -> Bool {
        var areKnown = true
        func name(_ key: String, _ place: WritableKeyPath<BackoffSchedule, String>) {
            guard reader.has(key) else { return }
            let name = message(key, in: &reader)
            schedule[keyPath: place] = name ?? schedule[keyPath: place]
            areKnown = areKnown && name != nil
        }
        name("attempt", \.attempt)
        name("success", \.success)
        guard let failures = reader.texts("failure") else {
            return areKnown && !reader.has("failure")
        }
        let vocabulary = MessageVocabulary(findings: findings)
        schedule.failures = failures.filter {
            vocabulary.check(message: $0.text, at: $0.position)
        }.map(\.text)
        return areKnown && !failures.isEmpty && schedule.failures.count == failures.count
    }

    // MARK: chance

    private func jitter(
        _ growth: BackoffGrowth, in reader: inout YAMLMappingReader
    ) -> BackoffSchedule.Jitter? {
        let word = reader.word("jitter", of: SuiteVocabulary.jitters)
        if reader.has("jitter"), word == nil { return nil }
        let spread = reader.tolerance("spread")
        if word != "plus-minus", let entry = reader.entry("spread") {
            findings.report(
                "misplaced-key", "\"spread\" has no meaning without \"jitter: plus-minus\"",
                at: entry.keyPosition)
        }
        switch word {
        case "full": return .full
        case "equal": return .equal
        case "plus-minus":
            if spread == nil, !reader.has("spread") {
                findings.report(
                    "missing-key", "\"jitter: plus-minus\" needs \"spread\"", at: reader.position,
                    advice: "write spread: 20% or spread: 100ms")
            }
            return spread.map(BackoffSchedule.Jitter.plusMinus)
        case "decorrelated":
            guard case .exponential? = growth.model else {
                findings.report(
                    "bad-value", "\"jitter: decorrelated\" needs \"model: exponential\"",
                    at: reader.entry("jitter")?.value.position,
                    advice: "it draws each wait between base and factor times the wait before")
                return nil
            }
            return .decorrelated(factor: growth.factor ?? 3)
        default: return BackoffSchedule.Jitter.none
        }
    }

    // MARK: counting

    private func attempts(in reader: inout YAMLMappingReader) -> ClosedRange<Int>? {
        reader.require("attempts", advice: "say how many attempts are to be judged")
        guard let node = reader.node("attempts") else { return nil }
        guard node.entries != nil else {
            return reader.integer("attempts", in: 1...SuiteVocabulary.roundsMax)
                .map { Int($0)...Int($0) }
        }
        guard var inner = reader.reader("attempts", as: SuiteVocabulary.attemptCounts) else {
            return nil
        }
        inner.require("min")
        inner.require("max")
        let least = inner.integer("min", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        let most = inner.integer("max", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        inner.finish()
        guard let least, let most else { return nil }
        guard least <= most else {
            findings.report(
                "bad-value", "\"min\" is larger than \"max\"",
                at: inner.entry("min")?.keyPosition)
            return nil
        }
        return least...most
    }

    private func reset(in reader: inout YAMLMappingReader) -> BackoffSchedule.Reset? {
        guard let node = reader.node("reset") else { return nil }
        guard node.entries != nil else {
            return reader.word("reset", of: SuiteVocabulary.plainResets)
                .map { $0 == "success" ? .success : .never }
        }
        guard var inner = reader.reader("reset", as: SuiteVocabulary.resetRule) else { return nil }
        let stable = inner.duration("stable")
        let elapsed = inner.number("elapsed")
        let names = ["stable", "elapsed"].filter { inner.has($0) }
        inner.finish()
        if names.count != 1 {
            findings.report(
                "bad-value", "\"reset\" takes one of \"stable\" and \"elapsed\"",
                at: inner.position)
            return nil
        }
        if let elapsed, elapsed <= 0 || elapsed > SuiteVocabulary.factorMax {
            findings.report(
                "bad-value", "\"elapsed\" is above 0 and at most 1000",
                at: inner.entry("elapsed")?.value.position)
            return nil
        }
        return stable.map(BackoffSchedule.Reset.stable)
            ?? elapsed.map(BackoffSchedule.Reset.elapsed(multiple:))
    }

    /// Looks for what cannot be meant so.
    private func check(_ schedule: BackoffSchedule, in reader: inout YAMLMappingReader) {
        if schedule.attempts.count > 1, schedule.silence == nil {
            findings.report(
                "missing-key", "a number of attempts that is left open needs \"silence\"",
                at: reader.entry("attempts")?.keyPosition,
                advice: "say how long nothing may follow the last attempt")
        }
    }
}

/// How waits grow, as the keys of a `backoff` mapping say it.
private struct BackoffGrowth {
    let model: BackoffSchedule.Model?
    /// The first wait, if it stands outside of the model.
    let outerFirst: Duration?
    let cap: Duration?
    let capPlace: BackoffSchedule.CapPlace
    let factor: Double?

    init(_ reader: inout YAMLMappingReader, findings: Findings) {
        reader.require("model")
        let word = reader.word("model", of: SuiteVocabulary.backoffModels)
        let first = reader.duration("first")
        let base = reader.duration("base")
        let step = reader.duration("step")
        factor = Self.factor(in: &reader, findings)
        let waits = Self.waits(in: &reader)
        cap = reader.duration("cap")
        capPlace =
            reader.word("capped", of: BackoffSchedule.CapPlace.allCases.map(\.rawValue))
            .flatMap(BackoffSchedule.CapPlace.init(rawValue:)) ?? .beforeJitter
        outerFirst = base == nil && word != "list" ? nil : first
        let own: [String] =
            switch word {
            case "linear": ["step"]
            case "exponential": ["factor"]
            case "list": ["waits"]
            default: []
            }
        if let word {
            let strange = ["step", "factor", "waits"].filter { !own.contains($0) }
            let unused = word == "list" ? strange + ["base"] : strange
            reader.refuse(
                unused, code: "misplaced-key", because: "has no meaning beside \"model: \(word)\"")
            Self.require(word, &reader, findings)
        }
        switch word {
        case "fixed": model = (base ?? first).map(BackoffSchedule.Model.fixed)
        case "linear":
            if let start = base ?? first, let step {
                model = .linear(base: start, step: step)
            } else {
                model = nil
            }
        case "exponential":
            let factor = factor
            model = (base ?? first).map { .exponential(base: $0, factor: factor ?? 2) }
        default: model = waits.map(BackoffSchedule.Model.list)
        }
    }

    private static func require(
        _ word: String, _ reader: inout YAMLMappingReader, _ findings: Findings
    ) {
        if word == "list" {
            reader.require("waits", advice: "list the waits: [0s, 1s, 5s]")
            return
        }
        if !reader.has("base"), !reader.has("first") {
            reader.require("base", advice: "say where the waits start")
        }
        if word == "linear" { reader.require("step", advice: "say by how much the waits grow") }
    }

    private static func factor(
        in reader: inout YAMLMappingReader, _ findings: Findings
    ) -> Double? {
        guard let factor = reader.number("factor") else { return nil }
        guard factor >= 1, factor <= SuiteVocabulary.factorMax else {
            findings.report(
                "bad-value", "\"factor\" is between 1 and 1000",
                at: reader.entry("factor")?.value.position)
            return nil
        }
        return factor
    }

    private static func waits(in reader: inout YAMLMappingReader) -> [Duration]? {
        guard let nodes = reader.list("waits") else { return nil }
        guard !nodes.isEmpty else {
            reader.findings.report(
                "bad-value", "\"waits\" lists one wait at least",
                at: reader.entry("waits")?.value.position)
            return nil
        }
        let waits = nodes.map { node in
            let wait = node.string.flatMap(Duration.init(suiteText:))
            if wait == nil {
                reader.findings.report(
                    "bad-duration", "\"waits\" takes durations", at: node.position,
                    advice: Duration.suiteTextAdvice)
            }
            return wait
        }
        return waits.contains(nil) ? nil : waits.compactMap { $0 }
    }
}
