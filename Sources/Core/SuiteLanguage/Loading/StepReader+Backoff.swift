extension StepReader {
    /// Reads the mapping of a `backoff` step and the keys next to it.
    mutating func backoff(
        _ step: inout Step, _ reader: inout YAMLMappingReader,
        checks: [BackoffSchedule.RuleChecks]
    ) -> Step.Verb? {
        if let from = patterns.party("from", in: &reader) { step.from = from }
        step.to = patterns.party("to", in: &reader)
        let conditions = reader.entry("where")
        guard var inner = reader.reader("backoff", as: SuiteVocabulary.backoff) else { return nil }
        var messages = BackoffSchedule(model: .fixed(.zero), attempts: 1...1)
        let areMessagesKnown = self.messages(of: &messages, in: &inner)
        messages.hint = hint(in: &inner)
        if let conditions, areMessagesKnown {
            step.conditions = patterns.conditions(conditions.value, of: messages.attempt)
        }
        let growth = BackoffGrowth(&inner, past.saved, prefix: frame.prefix, findings: findings)
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
        switch inner.durationOrEnd("silence") {
        case .length(let silence)?: result.silence = silence
        case .end?: result.isSilentToTheEnd = true
        case nil: break
        }
        result.budget = budget(in: &inner)
        result.maxElapsed = inner.duration("maxElapsed")
        result.isCut = inner.boolean("cut") ?? false
        let distributions = BackoffSchedule.Distribution.allCases.map(\.rawValue)
        result.distribution =
            inner.word("distribution", of: distributions)
            .flatMap(BackoffSchedule.Distribution.init(rawValue:)) ?? .even
        result.level = level(in: &inner) ?? BackoffSchedule.usualLevel
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
        (result.first, result.firstMost) = (growth.outerFirst, growth.firstMost)
        (result.base, result.savedBase) = (growth.base, growth.savedBase)
        result.isCyclic = growth.isCyclic
        (result.cap, result.capPlace, result.floor) = (growth.cap, growth.capPlace, growth.floor)
        result.jitter = jitter
        result.attempts = attempts
        if case .decorrelated(let factor) = jitter, case .growth(let base, _) = model {
            result.model = .exponential(base: base, factor: factor)
        }
        check(result, in: &inner)
        BackoffLint(schedule: result, findings: findings).report(in: &inner)
        return .backoff(result)
    }

    /// Reads the requirements that `checks` assigns to rules.
    func ruleChecks(in reader: inout YAMLMappingReader) -> [BackoffSchedule.RuleChecks] {
        guard var rules = reader.reader("checks", as: SuiteVocabulary.backoffChecks) else {
            return []
        }
        let checks = BackoffSchedule.Rule.allCases.compactMap { rule in
            rules.texts(rule.rawValue).map {
                BackoffSchedule.RuleChecks(rule: rule, requirements: requirements.check($0))
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
        if reader.has("attempt") {
            let name = message("attempt", in: &reader)
            schedule.attempt = name ?? schedule.attempt
            areKnown = name != nil
        }
        if let node = reader.node("success") {
            let isHandshake = node.string == BackoffSchedule.handshake
            schedule.success =
                isHandshake ? BackoffSchedule.Sign(BackoffSchedule.handshake) : sign(node)
            areKnown = areKnown && schedule.success != nil
        }
        guard let node = reader.node("failure") else {
            return areKnown && !reader.has("failure")
        }
        let nodes = (node.elements ?? [node]).compactMap(scope.resolve)
        schedule.failures = nodes.compactMap(sign)
        return areKnown && !nodes.isEmpty && schedule.failures.count == nodes.count
    }

    /// Reads a message as its name, or as a mapping with sender and conditions.
    private func sign(_ node: YAMLNode) -> BackoffSchedule.Sign? {
        let vocabulary = MessageVocabulary(scope)
        if let name = node.string {
            guard vocabulary.check(message: name, at: node.position) else { return nil }
            return BackoffSchedule.Sign(name)
        }
        guard var reader = scope.mapping(node, as: SuiteVocabulary.backoffSign) else { return nil }
        let sign = sign(in: &reader)
        reader.finish()
        return sign
    }

    private func sign(in reader: inout YAMLMappingReader) -> BackoffSchedule.Sign? {
        reader.require("message")
        let name = message("message", in: &reader)
        let from = patterns.party("from", in: &reader)
        let conditions = reader.entry("where")
        guard let name else { return nil }
        return BackoffSchedule.Sign(
            name, from: from,
            conditions: conditions.map { patterns.conditions($0.value, of: name) } ?? [])
    }

    private func hint(in reader: inout YAMLMappingReader) -> BackoffSchedule.Hint? {
        guard var inner = reader.reader("hint", as: SuiteVocabulary.backoffHint) else { return nil }
        let sign = sign(in: &inner)
        inner.require("field", advice: "state which field holds the wait")
        let path = inner.text("field")
        let unit = BackoffGrowth.unit(in: &inner)
        let position = inner.node("field")?.position ?? inner.position
        inner.finish()
        guard let sign, let path,
            let field = MessageVocabulary(scope)
                .field(path, of: sign.message, at: position)
        else { return nil }
        return BackoffSchedule.Hint(sign: sign, field: field.path, unit: unit)
    }

    // MARK: chance

    private func jitter(
        _ growth: BackoffGrowth, in reader: inout YAMLMappingReader
    ) -> BackoffSchedule.Jitter? {
        let word = reader.word("jitter", of: SuiteVocabulary.jitters)
        if reader.has("jitter"), word == nil { return nil }
        let isUneven = reader.node("spread")?.entries != nil
        let uneven = isUneven ? unevenSpread(in: &reader) : nil
        let spread = isUneven ? nil : reader.tolerance("spread")
        let takesSpread = word == "plus-minus" || word == "plus"
        if !takesSpread, let entry = reader.entry("spread") {
            findings.report(
                "misplaced-key",
                "\"spread\" has no meaning without \"jitter: plus-minus\" or \"jitter: plus\"",
                at: entry.keyPosition)
        } else if isUneven, word != "plus-minus" {
            findings.report(
                "misplaced-key", "a \"spread\" with two sides needs \"jitter: plus-minus\"",
                at: reader.entry("spread")?.keyPosition)
        } else if takesSpread, spread == nil, !reader.has("spread") {
            findings.report(
                "missing-key", "\"jitter: \(word ?? "")\" needs \"spread\"", at: reader.position,
                advice: "write spread: 20% or spread: 100ms")
        }
        switch word {
        case "full": return .full
        case "equal": return .equal
        case "plus-minus" where isUneven: return uneven
        case "plus-minus": return spread.map(BackoffSchedule.Jitter.plusMinus)
        case "plus": return spread.map(BackoffSchedule.Jitter.plus)
        case "decorrelated":
            guard growth.isExponential else {
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

    /// Reads a `spread` with two sides.
    private func unevenSpread(in reader: inout YAMLMappingReader) -> BackoffSchedule.Jitter? {
        guard var inner = reader.reader("spread", as: SuiteVocabulary.unevenSpread) else {
            return nil
        }
        inner.require("minus")
        inner.require("plus")
        let (minus, plus) = (inner.tolerance("minus"), inner.tolerance("plus"))
        inner.finish()
        guard let minus, let plus else { return nil }
        return .uneven(minus: minus, plus: plus)
    }

    // MARK: counting

    private func attempts(in reader: inout YAMLMappingReader) -> ClosedRange<Int>? {
        reader.require("attempts", advice: "state how many attempts must be judged")
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
        let least = inner.integer("min", in: 0...SuiteVocabulary.roundsMax).map(Int.init)
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

    private func budget(in reader: inout YAMLMappingReader) -> BackoffSchedule.Budget? {
        guard var inner = reader.reader("budget", as: SuiteVocabulary.backoffBudget) else {
            return nil
        }
        inner.require("attempts")
        inner.require("within")
        let count = inner.integer("attempts", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        let within = inner.duration("within")
        inner.finish()
        guard let count, let within else { return nil }
        return BackoffSchedule.Budget(attempts: count, within: within)
    }

    private func level(in reader: inout YAMLMappingReader) -> Double? {
        guard let level = reader.number("level") else { return nil }
        guard level > 0, level <= SuiteVocabulary.levelMax else {
            findings.report(
                "bad-value", "\"level\" is above 0 and at most \(SuiteVocabulary.levelMax)",
                at: reader.entry("level")?.value.position,
                advice: "one client in a million is refused by chance at level: 1e-6")
            return nil
        }
        return level
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

    /// Reports combinations of keys that cannot be intended.
    private func check(_ schedule: BackoffSchedule, in reader: inout YAMLMappingReader) {
        if schedule.attempts.count > 1, !schedule.isOpenEnded, schedule.maxElapsed == nil {
            findings.report(
                "missing-key", "a number of attempts that is not fixed needs \"silence\"",
                at: reader.entry("attempts")?.keyPosition,
                advice: "state how long nothing may follow the last attempt")
        }
    }
}
