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
            !(isFieldFailure && $0.conditions.isEmpty)
        }
    }

    /// Returns the first `never` rule that a message breaks, among those with such a pattern.
    func firstRule(
        forbidding message: PlacedMessage, where isMeant: (MessagePattern) -> Bool
    ) -> Int? {
        zip(testCase.never, program.ruleLines).enumerated().first { _, pair in
            let (rule, line) = pair
            return (rule.pattern.from != nil || message.isFromDevice) && isMeant(rule.pattern)
                && rule.pattern.means(message, bindings: configuration.bindings)
                && isOnConnection(message, ofMessageOf: line)
        }?.offset
    }

    /// Returns why it is not decided whether a message breaks a `never` rule; `nil` if it is.
    func undecidedProhibition(of message: PlacedMessage) -> String? {
        zip(testCase.never, program.ruleLines).lazy.filter { rule, line in
            (rule.pattern.from != nil || message.isFromDevice)
                && isOnConnection(message, ofMessageOf: line)
        }.compactMap { $0.0.pattern.undecided(message, bindings: configuration.bindings) }.first
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
        func applies(_ rule: MessagePattern) -> Bool {
            !signatures.contains { $0.pattern.demands(rule) }
        }
        if let rule = firstRule(forbidding: message, where: applies) {
            find(.forbidden(rule: rule), at: message.time, by: message)
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
        on message: PlacedMessage, where isMeant: (MessagePattern) -> Bool
    ) -> EvaluationError? {
        guard context.prepared.hasConditionalRules else { return nil }
        for rule in testCase.never
        where (rule.pattern.from ?? Step.device) == message.sender && isMeant(rule.pattern) {
            if let found = failure(of: rule.pattern, on: message) { return found }
        }
        return nil
    }

    func failure(of rule: MessagePattern, on message: PlacedMessage) -> EvaluationError? {
        guard !rule.conditions.isEmpty, rule.covers(message.name) else { return nil }
        return rule.conditions.lazy.compactMap { $0.matcher.failure(configuration.bindings) }
            .first { $0.unboundVariable == nil }
    }
}
