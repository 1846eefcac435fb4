import SuiteLanguage
import Trace
import Wire

/// The rules `never` and `ignore`.
extension MatcherThread {
    /// Returns the `never` rule that a message breaks which no line takes.
    ///
    /// A message that the present line waits for, but with other fields, is a failure of that line.
    /// It does not break a rule that names the message without conditions.
    func ruleForbidding(_ message: PlacedMessage) -> Int? {
        let isFieldFailure =
            message.isFromDevice && testCase.unexpected == .fail && isWrongInFields(message)
            && !isIgnored(message)
        return firstRule(forbidding: message) {
            !(isFieldFailure && $0.pattern.conditions.isEmpty)
        }
    }

    /// Returns the first `never` rule that a message breaks, among those of which that is so.
    func firstRule(
        forbidding message: PlacedMessage, where isMeant: (NeverRule) -> Bool
    ) -> Int? {
        testCase.never.indices.first { index in
            let rule = testCase.never[index]
            if rule.rate != nil { return crowds[index]?.excess(by: message) != nil }
            return isMeant(rule) && isNamed(message, by: index)
                && applies(rule: index, to: message)
        }
    }

    /// Whether a `never` rule names a message.
    private func isNamed(_ message: PlacedMessage, by index: Int) -> Bool {
        let pattern = testCase.never[index].pattern
        return (pattern.from != nil || message.isFromDevice)
            && pattern.means(message, bindings: configuration.bindings)
            && isOnConnection(message, ofMessageOf: program.ruleLines[index])
    }

    /// Counts a message for the `never` rules that limit how many may come in a time.
    mutating func recordCrowds(_ message: PlacedMessage) {
        guard context.prepared.limitsRates, !isInPreamble else { return }
        for (index, rule) in testCase.never.enumerated() {
            guard let rate = rule.rate, isNamed(message, by: index),
                applies(rule: index, to: message)
            else { continue }
            crowds[index, default: Crowd(rate)].append(message)
        }
    }

    /// When a `never` rule begins to apply; `nil` as long as the step that it names is not done.
    func beginning(ofRule index: Int) -> Timestamp? {
        let origin =
            program.ruleOrigins[index].map { configuration.referenced[$0]?.time }
            ?? configuration.bodyStart
        return origin.map { $0 + (testCase.never[index].after ?? .zero) }
    }

    /// Whether a message began when the `never` rule applied.
    private func applies(rule index: Int, to message: PlacedMessage) -> Bool {
        guard !testCase.never[index].appliesAtOnce else { return true }
        guard let beginning = beginning(ofRule: index) else { return false }
        return (message.message.arrival?.first ?? message.time) >= beginning
    }

    /// Returns why it is not decided whether a message breaks a `never` rule, among those of which
    /// that is so; `nil` if it is decided.
    func undecidedProhibition(
        of message: PlacedMessage, where isMeant: (NeverRule) -> Bool = { _ in true }
    ) -> String? {
        for (index, rule) in testCase.never.enumerated() {
            guard rule.pattern.from != nil || message.isFromDevice, isMeant(rule),
                isOnConnection(message, ofMessageOf: program.ruleLines[index]),
                applies(rule: index, to: message),
                let why = rule.pattern.undecided(message, bindings: configuration.bindings)
                    ?? rule.pattern.unreadableText(in: message, bindings: configuration.bindings)
            else { continue }
            return why
        }
        return nil
    }

    /// Returns why it is not decided whether a message is ignored; `nil` if it is.
    func undecidedIgnoring(of message: PlacedMessage) -> String? {
        guard message.isFromDevice,
            testCase.unexpected == .fail || message.isMalformed
                || message.name == DeviceEvent.exited || message.name == DeviceEvent.hung
        else { return nil }
        return testCase.ignore.lazy
            .compactMap { $0.undecided(message, bindings: configuration.bindings) }.first
    }

    /// Judges a message that a line takes by the `never` rules; returns whether it breaks one.
    ///
    /// A rule does not apply to a message for which the line asks by precisely what the rule
    /// forbids, nor to what the harness was told to send.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - signatures: What the line asks for; empty if it acts.
    mutating func judgeTaken(_ message: PlacedMessage, by signatures: [Signature]) -> Bool {
        guard !testCase.never.isEmpty, !signatures.isEmpty, !isInPreamble else { return false }
        func applies(_ rule: NeverRule) -> Bool {
            !signatures.contains { $0.pattern.demands(rule.pattern) }
        }
        if let rule = firstRule(forbidding: message, where: applies) {
            find(.forbidden(rule: rule), at: message.time, by: message)
            return true
        }
        if let why = undecidedProhibition(of: message, where: applies) {
            find(.undecided(why), at: message.time, by: message)
            return true
        }
        guard let failure = failureOfNever(on: message, where: applies) else { return false }
        find(.unbound(failure.description), at: message.time, by: message)
        return true
    }

    /// Returns why a rule cannot be evaluated for a message; an unsaved variable is not a reason.
    func failureOfRule(on message: PlacedMessage) -> EvaluationError? {
        guard context.prepared.hasConditionalRules else { return nil }
        if !isInPreamble, let found = failureOfNever(on: message, where: { _ in true }) {
            return found
        }
        for rule in testCase.ignore where rule.from == nil || rule.from == message.sender {
            if let found = failure(of: rule, on: message) { return found }
        }
        return nil
    }

    /// Returns why one of the `never` rules with such a pattern cannot be evaluated.
    func failureOfNever(
        on message: PlacedMessage, where isMeant: (NeverRule) -> Bool
    ) -> EvaluationError? {
        guard context.prepared.hasConditionalRules else { return nil }
        for rule in testCase.never
        where (rule.pattern.from ?? Step.device) == message.sender && isMeant(rule) {
            if let found = failure(of: rule.pattern, on: message) { return found }
        }
        return nil
    }

    private func failure(of rule: MessagePattern, on message: PlacedMessage) -> EvaluationError? {
        guard !rule.conditions.isEmpty, rule.covers(message.name) else { return nil }
        return rule.conditions.lazy.compactMap { $0.matcher.failure(configuration.bindings) }
            .first { $0.unboundVariable == nil }
    }
}
