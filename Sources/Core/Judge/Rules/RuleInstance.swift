import Results
import SuiteLanguage
import Trace
import Wire

/// One instance of a rule: what one trigger demands.
struct RuleInstance: Sendable {
    /// The index of the rule.
    let rule: Int
    /// Its number among the instances of the rule, counted from 1.
    let number: Int
    /// The part of the trace in which it is judged.
    var key: ScopeKey
    /// When it began.
    let start: Timestamp
    /// The frame of its trigger; `nil` for the beginning of the scope, and for an event.
    let frame: Int?
    /// Judges it.
    var matcher: CaseMatcher
    /// What it knows of its trigger.
    let trigger: [String: Value]
    /// The rest at which its conditions were examined last.
    var examined = 0
    /// Whether its conditions were examined.
    var wasExamined = false
}

extension RuleInstance {
    /// Whether it is owed no longer when a device has ended.
    ///
    /// What another device owes stays owed.
    func isOwed(by device: String, of devices: Set<String>) -> Bool {
        guard matcher.isOwing else { return false }
        if case .device(let name) = key { return name == device }
        return matcher.awaitedSenders.allSatisfy { $0 == device || !devices.contains($0) }
    }

    /// Whether nothing is demanded any more, but something is forbidden.
    func onlyForbids(by rule: Rule) -> Bool {
        !matcher.isOwing && !rule.testCase.never.isEmpty && rule.atRest.isEmpty
    }

    /// Whether something that the rule forbids could have come until its end.
    func wasWatched(_ rule: Rule, until end: Timestamp) -> Bool {
        let never = rule.testCase.never
        return never.isEmpty || !rule.testCase.steps.isEmpty || wasExamined
            || never.contains { start + ($0.after ?? .zero) < end }
    }
}

/// How often a rule was exercised on a trace, and with which result.
struct RuleRecord: Sendable {
    /// How many triggers came.
    var count = 0
    var passed = 0
    var failed = 0
    var inconclusive = 0
    /// How many ended before all was done or examined.
    var open = 0
    /// The reason why an instance is missing; `nil` if none is.
    var excess: String?
    /// Why a failure may be wrong; `nil` if there is no doubt.
    var doubt: String?
    /// The first instances that did not pass, with their judgements.
    var findings: [(instance: RuleInstance, judgement: Judgement)] = []

    /// How many instances have a result.
    var exercised: Int { passed + failed + inconclusive }
}

extension RuleScope {
    /// Whether a part of a trace is one of this kind.
    func includes(_ key: ScopeKey) -> Bool {
        switch (self, key) {
        case (.trace, .trace), (.connection, .connection), (.session, .session),
            (.device, .device):
            true
        default: false
        }
    }
}

extension CaseMatcher {
    /// Whether it has failed, though it may still record what followed.
    var hasFailed: Bool { threads.isEmpty && ended?.finding != nil }

    /// Whether nothing that comes later can make it fail or pass.
    var isFailedOrFinished: Bool { isFinished || hasFailed }
}
