import Wire

extension BackoffSchedule {
    /// The text of this schedule in a suite, on one line.
    public var suiteText: String {
        let entries = messages + growth + chance + counting
        return "{" + entries.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
    }

    private var messages: [(String, String)] {
        var entries = [("attempt", attempt)]
        if let success { entries.append(("success", success.suiteText)) }
        if failures != Self.transportFailures {
            let texts = failures.map(\.suiteText).joined(separator: ", ")
            entries.append(("failure", "[\(texts)]"))
        }
        return entries
    }

    private var growth: [(String, String)] {
        var entries: [(String, String)]
        switch model {
        case .growth(let base, .previous):
            entries = [("model", "fixed"), ("base", text(ofBase: base))]
        case .growth(let base, .sum(.previous, .wait(let step))):
            entries = [("model", "linear"), ("base", text(ofBase: base)), ("step", step.suiteText)]
        case .growth(let base, .product(.previous, .number(let factor))):
            entries = [
                ("model", "exponential"), ("base", text(ofBase: base)), ("factor", "\(factor)"),
            ]
        case .growth(let base, let expression):
            entries = [("growth", expression.suiteText), ("base", text(ofBase: base))]
        case .ranges(let waits):
            let texts = waits.map { Self.text($0.lowerBound, $0.upperBound) }
            entries = [("model", "list"), ("waits", "[\(texts.joined(separator: ", "))]")]
        }
        if isCyclic { entries.append(("cyclic", "true")) }
        if let first { entries.append(("first", Self.text(first, firstMost ?? first))) }
        if let cap { entries.append(("cap", cap.suiteText)) }
        if cap != nil, capPlace != .beforeJitter { entries.append(("capped", capPlace.rawValue)) }
        if let floor { entries.append(("floor", floor.suiteText)) }
        return entries
    }

    private func text(ofBase wait: Duration) -> String {
        if let savedBase {
            return "{saved: \(savedBase.variable), unit: \(savedBase.unit.rawValue)}"
        }
        return base.map { Self.text($0.lowerBound, $0.upperBound) } ?? wait.suiteText
    }

    private static func text(_ lower: Duration, _ upper: Duration) -> String {
        lower == upper
            ? lower.suiteText : "{min: \(lower.suiteText), max: \(upper.suiteText)}"
    }

    private var chance: [(String, String)] {
        var entries: [(String, String)]
        switch jitter {
        case .none: entries = []
        case .full: entries = [("jitter", "full")]
        case .equal: entries = [("jitter", "equal")]
        case .decorrelated: entries = [("jitter", "decorrelated")]
        case .plusMinus(let spread):
            entries = [("jitter", "plus-minus"), ("spread", spread.suiteText)]
        case .uneven(let minus, let plus):
            let text = "{minus: \(minus.suiteText), plus: \(plus.suiteText)}"
            entries = [("jitter", "plus-minus"), ("spread", text)]
        case .plus(let spread): entries = [("jitter", "plus"), ("spread", spread.suiteText)]
        }
        if distribution != .even { entries.append(("distribution", distribution.rawValue)) }
        if level != Self.usualLevel { entries.append(("level", "\(level)")) }
        return entries
    }

    private var counting: [(String, String)] {
        var entries: [(String, String)] = []
        switch reset {
        case .never: break
        case .success: entries.append(("reset", "success"))
        case .stable(let duration): entries.append(("reset", "{stable: \(duration.suiteText)}"))
        case .elapsed(let multiple): entries.append(("reset", "{elapsed: \(multiple)}"))
        }
        if origin != .attemptFailure { entries.append(("from", origin.rawValue)) }
        if let timeout { entries.append(("timeout", timeout.suiteText)) }
        if let hint {
            let path = Value.string("\(hint.field)").suiteText
            let more = [("field", path), ("unit", hint.unit.rawValue)]
            entries.append(("hint", SuiteText.mapping(hint.sign.suiteEntries + more)))
        }
        let counts =
            attempts.count == 1
            ? "\(attempts.lowerBound)"
            : "{min: \(attempts.lowerBound), max: \(attempts.upperBound)}"
        entries.append(("attempts", counts))
        if let silence { entries.append(("silence", silence.suiteText)) }
        if isSilentToTheEnd { entries.append(("silence", "end")) }
        if let budget {
            let text = "{attempts: \(budget.attempts), within: \(budget.within.suiteText)}"
            entries.append(("budget", text))
        }
        if let maxElapsed { entries.append(("maxElapsed", maxElapsed.suiteText)) }
        if isCut { entries.append(("cut", "true")) }
        entries += [("early", early.suiteText), ("late", late.suiteText)]
        if let immediate { entries.append(("immediate", immediate.suiteText)) }
        return entries
    }
}

extension BackoffSchedule.Sign {
    /// The text of the sign in a suite: a name, or a mapping with conditions.
    var suiteText: String {
        from == nil && conditions.isEmpty ? message : SuiteText.mapping(suiteEntries)
    }

    /// The keys and values of its mapping.
    fileprivate var suiteEntries: [(String, String)] {
        SuiteText.pattern(of: message, from: from, conditions)
    }
}

extension BackoffSchedule.Rule {
    /// The demand of the rule, as a phrase.
    public var sentence: String {
        switch self {
        case .immediacy: "an attempt without a wait comes immediately"
        case .delay: "how the waits grow"
        case .cap: "the longest wait"
        case .leeway: "how early or late an attempt may come"
        case .detection: "a wait counts from the failure of the previous attempt"
        case .single: "one attempt for each wait"
        case .reset: "when the loss of a connection resets the waits"
        case .outage: "an outage does not reset the waits"
        case .chance: "how random the waits are"
        case .budget: "how many attempts are allowed in a time"
        case .end: "how long attempts continue"
        }
    }
}
