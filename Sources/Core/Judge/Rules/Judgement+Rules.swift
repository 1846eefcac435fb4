import Results
import SuiteLanguage
import Trace
import Wire

extension RuleSet {
    /// The verdict on a rule, with the reason; `nil` if it was not exercised.
    private func verdict(of index: Int) -> (verdict: Verdict, reason: Reason?)? {
        let record = records[index]
        let rule = program.rules[index].rule
        guard record.exercised > 0 || record.excess != nil || record.doubt != nil else {
            return nil
        }
        let doubt =
            record.doubt ?? rule.reads.sorted().lazy.compactMap { states.doubts[$0] }.first
        let finding =
            record.findings.first { $0.judgement.verdict == .error }
            ?? record.findings.first { $0.judgement.verdict == .fail } ?? record.findings.first
        if let finding, doubt == nil || finding.judgement.verdict == .error {
            return (finding.judgement.verdict, reason(finding, of: rule))
        }
        if let doubt = doubt ?? record.excess {
            return (.inconclusive, Reason(.captureEnd, "rule \(rule.id): \(doubt)"))
        }
        return (.pass, nil)
    }

    /// Returns the reason of an instance, which names the rule, the instance and its beginning.
    private func reason(
        _ finding: (instance: RuleInstance, judgement: Judgement), of rule: Rule
    ) -> Reason {
        let since = finding.instance.frame.map { "since frame \($0)" } ?? "since the beginning"
        let place = "rule \(rule.id), instance \(finding.instance.number), \(since)"
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
    var results: [RuleResult] {
        program.rules.indices.compactMap { index in
            guard let verdict = verdict(of: index)?.verdict else { return nil }
            let (rule, record) = (program.rules[index].rule, records[index])
            return RuleResult(
                rule: rule.id, checks: rule.checks, verdict: verdict,
                exercised: record.exercised, failed: record.failed, open: record.open)
        }
    }

    /// Returns the worst of the reasons, with its verdict and the time until which packets matter.
    private var worst: (index: Int, verdict: Verdict, reason: Reason)? {
        let order: [Verdict] = [.error, .fail, .inconclusive]
        let all = program.rules.indices.compactMap { index in
            verdict(of: index).flatMap { found in
                found.reason.map { (index: index, verdict: found.verdict, reason: $0) }
            }
        }
        return order.lazy.compactMap { verdict in all.first { $0.verdict == verdict } }.first
    }

    /// Adds the results of the rules to the judgement of their case.
    ///
    /// A rule that failed fails the case, whatever the case itself has shown; the reason of a case
    /// that has failed by itself stays.
    func conclude(_ judgement: inout Judgement) {
        judgement.rules = results
        for result in judgement.rules {
            for check in result.checks {
                judgement.add(CheckResult(requirement: check, verdict: result.verdict))
            }
        }
        guard let worst else { return }
        switch (judgement.verdict, worst.verdict) {
        case (.pass, _), (.inconclusive, .fail), (.inconclusive, .error):
            judgement.verdict = worst.verdict
            judgement.reason = worst.reason
            if let finding = records[worst.index].findings.first {
                judgement.decidedAt = finding.judgement.decidedAt
                judgement.comments.merge(finding.judgement.comments) { $0 + $1 }
            }
        case (.fail, .fail):
            judgement.reason?.summary += "; also \(worst.reason.summary)"
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
    init(ofRules rules: RuleSet, at end: Timestamp) {
        self.init(
            verdict: .pass, reason: nil, checks: [], steps: [], ignored: [:], comments: [:],
            takenCount: 0)
        decidedAt = end
        rules.conclude(&self)
        if self.rules.isEmpty {
            verdict = .skipped
            reason = Reason(.notApplicable, "no rule was exercised")
        }
    }
}
