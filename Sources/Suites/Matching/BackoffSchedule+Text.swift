import Protocols

extension BackoffSchedule {
    /// This schedule as a suite would write it, on one line.
    public var suiteText: String {
        let entries = messages + growth + chance + counting
        return "{" + entries.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
    }

    private var messages: [(String, String)] {
        var entries = [("attempt", attempt)]
        if success != "tcp.established" { entries.append(("success", success)) }
        if failures != Self.transportFailures {
            entries.append(("failure", "[\(failures.joined(separator: ", "))]"))
        }
        return entries
    }

    private var growth: [(String, String)] {
        var entries: [(String, String)]
        switch model {
        case .fixed(let wait): entries = [("model", "fixed"), ("base", wait.suiteText)]
        case .linear(let base, let step):
            entries = [("model", "linear"), ("base", base.suiteText), ("step", step.suiteText)]
        case .exponential(let base, let factor):
            entries = [("model", "exponential"), ("base", base.suiteText), ("factor", "\(factor)")]
        case .list(let waits):
            entries = [
                ("model", "list"),
                ("waits", "[\(waits.map(\.suiteText).joined(separator: ", "))]"),
            ]
        }
        if let first { entries.append(("first", first.suiteText)) }
        if let cap { entries.append(("cap", cap.suiteText)) }
        if cap != nil, capPlace != .beforeJitter { entries.append(("capped", capPlace.rawValue)) }
        return entries
    }

    private var chance: [(String, String)] {
        switch jitter {
        case .none: []
        case .full: [("jitter", "full")]
        case .equal: [("jitter", "equal")]
        case .decorrelated: [("jitter", "decorrelated")]
        case .plusMinus(let spread):
            [("jitter", "plus-minus"), ("spread", spread.suiteText)]
        }
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
        entries.append(
            (
                "attempts",
                attempts.count == 1
                    ? "\(attempts.lowerBound)"
                    : "{min: \(attempts.lowerBound), max: \(attempts.upperBound)}"
            ))
        if let silence { entries.append(("silence", silence.suiteText)) }
        entries += [("early", early.suiteText), ("late", late.suiteText)]
        if let immediate { entries.append(("immediate", immediate.suiteText)) }
        return entries
    }
}

extension BackoffSchedule.Rule {
    /// What the rule demands, as a phrase.
    public var sentence: String {
        switch self {
        case .immediacy: "an attempt that has nothing to wait for comes at once"
        case .delay: "how the waits grow"
        case .cap: "the longest wait"
        case .leeway: "how early or late an attempt may come"
        case .detection: "a wait counts from the failure of the attempt before"
        case .single: "one attempt for each wait"
        case .reset: "when the fall of a connection makes the waits begin anew"
        case .outage: "an outage does not make the waits begin anew"
        case .chance: "how chance spreads the waits"
        case .end: "how long attempts go on"
        }
    }
}
