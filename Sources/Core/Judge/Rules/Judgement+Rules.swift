import Results
import SuiteLanguage
import Trace
import Wire

extension RuleSet {
    /// The verdict on a rule, with the reason; `nil` if it was not exercised.
    private func verdict(
        of index: Int, _ doubts: Doubts
    ) -> (verdict: Verdict, reason: Reason?, finding: Judgement?)? {
        let record = records[index]
        let rule = program.rules[index].rule
        let doubt =
            record.doubt ?? rule.reads.sorted().lazy.compactMap { states.doubts[$0] }.first
        guard record.exercised > 0 || record.excess != nil || doubt != nil else { return nil }
        let finding =
            record.findings.first { $0.judgement.verdict == .error }
            ?? record.findings.first { $0.judgement.verdict == .fail } ?? record.findings.first
        let found = finding.map {
            (
                verdict: $0.judgement.verdict, reason: Optional(reason($0, of: rule)),
                finding: Optional($0.judgement)
            )
        }
        // Bytes of a peer may fail to decode only because part of them was not captured.
        if let found, found.verdict == .error, found.reason?.code != .malformed { return found }
        let overruling =
            found?.verdict == .fail
            ? doubts.before(found?.finding?.decidedAt ?? .distantPast)
            : doubts.unseen(until: doubts.end)
        if let overruling {
            return (
                .inconclusive,
                overruling.reason(
                    overruling: found?.verdict ?? .pass, found?.reason?.summary,
                    found?.reason?.explanation, of: program.rules[index].prepared),
                found?.finding
            )
        }
        if doubt == nil, let found { return found }
        if let doubt = doubt ?? record.excess {
            let reason = Reason(.captureEnd, "rule \(rule.id): \(doubt)")
            return (.inconclusive, reason, found?.finding)
        }
        return (.pass, nil, nil)
    }

    /// What may have changed the judgement of a rule without being its fault.
    struct Doubts {
        /// Why the harness was late, and when it should have acted; `nil` if it was not late.
        let late: (since: Timestamp, reason: InconclusiveReason)?
        /// Until when rules are judged.
        let end: Timestamp
        /// The first part of the traffic that was not seen, with its beginning.
        let unseen: (since: Timestamp, reason: InconclusiveReason)?

        /// Returns what may have caused a failure of that moment.
        func before(_ time: Timestamp) -> InconclusiveReason? {
            late.flatMap { $0.since < time ? $0.reason : nil } ?? unseen(until: time)
        }

        /// Returns what was not seen of what came until a moment.
        func unseen(until time: Timestamp) -> InconclusiveReason? {
            unseen.flatMap { $0.since < time ? $0.reason : nil }
        }
    }

    /// Returns the reason of an instance, which names the rule, the instance and its beginning.
    private func reason(
        _ finding: (instance: RuleInstance, judgement: Judgement), of rule: Rule
    ) -> Reason {
        let since = finding.instance.frame.map { "since frame \($0)" } ?? "since the beginning"
        var place = "rule \(rule.id), instance \(finding.instance.number), \(since)"
        if case .device(let name) = finding.instance.key, program.deviceNames.count > 1 {
            place += ", of \(name)"
        }
        var reason = finding.judgement.reason ?? Reason(.setup, "")
        reason.summary = "\(place): \(reason.summary)"
        // The number of a step is that of a step of the rule, not of the case.
        reason.explanation?.step = nil
        if let frame = finding.instance.frame, let explanation = reason.explanation {
            reason.explanation?.frames = Set(explanation.frames + [frame]).sorted()
        }
        return reason
    }

    /// The results of the rules that were exercised.
    private func results(_ doubts: Doubts) -> [RuleResult] {
        program.rules.indices.compactMap { index in
            guard let verdict = verdict(of: index, doubts)?.verdict else { return nil }
            let (rule, record) = (program.rules[index].rule, records[index])
            return RuleResult(
                rule: rule.id, checks: rule.checks, verdict: verdict,
                exercised: record.exercised, failed: record.failed, open: record.open)
        }
    }

    /// Returns the worst of the reasons, with its verdict and its judgement.
    private func worst(
        _ doubts: Doubts
    ) -> (verdict: Verdict, reason: Reason?, finding: Judgement?)? {
        let order: [Verdict] = [.error, .fail, .inconclusive]
        let all = program.rules.indices.compactMap { verdict(of: $0, doubts) }
        return order.lazy.compactMap { verdict in all.first { $0.verdict == verdict } }.first
    }

    /// Adds the results of the rules to the judgement of their case.
    ///
    /// A rule that failed fails the case, whatever the case itself has shown; the reason of a case
    /// that has failed by itself stays.
    ///
    /// - Parameters:
    ///   - judgement: The judgement of the case.
    ///   - doubts: What may have changed the judgement of a rule.
    ///   - seen: The verdict of the case without these doubts.
    func conclude(_ judgement: inout Judgement, _ doubts: Doubts, seen: Verdict) {
        judgement.rules = results(doubts)
        for result in judgement.rules {
            for check in result.checks {
                judgement.add(CheckResult(requirement: check, verdict: result.verdict))
            }
        }
        guard let worst = worst(doubts), let reason = worst.reason else { return }
        let isOverruled = seen == .pass && worst.finding?.verdict == .fail
        switch (judgement.verdict, worst.verdict) {
        case (.pass, _), (.inconclusive, .fail), (.inconclusive, .error),
            (.inconclusive, .inconclusive) where isOverruled:
            judgement.verdict = worst.verdict
            judgement.reason = reason
            if let finding = worst.finding {
                judgement.decidedAt = finding.decidedAt
                judgement.comments.merge(finding.comments) { $0 + $1 }
            }
        case (.fail, .fail):
            judgement.reason?.summary += "; also \(reason.summary)"
        default: break
        }
    }
}

extension Judgement {
    /// Adds a verdict on a requirement; the worse one of two counts.
    fileprivate mutating func add(_ check: CheckResult) {
        guard let place = checks.firstIndex(where: { $0.requirement == check.requirement }) else {
            checks.append(check)
            return
        }
        let order: [Verdict] = [.fail, .error, .inconclusive, .pass]
        let both = [checks[place].verdict, check.verdict]
        checks[place] = CheckResult(
            requirement: check.requirement, verdict: order.first(where: both.contains) ?? .none)
    }

    /// Creates the judgement of a case that consists of rules only.
    init(ofRules rules: RuleSet, at end: Timestamp, _ doubts: RuleSet.Doubts) {
        self.init(
            verdict: .pass, reason: nil, checks: [], steps: [], ignored: [:], comments: [:],
            takenCount: 0)
        decidedAt = end
        rules.conclude(&self, doubts, seen: .pass)
        if self.rules.isEmpty {
            verdict = .skipped
            let count = rules.program.unconfiguredCount
            let why = "; \(count) need the configuration of the device, which is not known"
            reason = Reason(
                .notApplicable, "no rule was exercised" + (count == 0 ? "" : why))
        }
    }
}
