import Results
import SuiteLanguage
import Trace
import Wire

// What must hold when nothing is owed and nobody has said anything for a while.
extension RuleSet {
    /// Records that a party said something.
    mutating func record(_ message: PlacedMessage) {
        let event = message.content as? DeviceEvent
        if event?.isWhole == true { gone.insert(message.sender ?? Step.device) }
        if message.name == DeviceEvent.started { gone.remove(message.sender ?? Step.device) }
        if message.concernsParties, event?.stall == nil { recordActivity(at: message.time) }
    }

    mutating func recordActivity(at time: Timestamp) {
        activity = time
        activityCount += 1
    }

    /// When the conditions of an instance are due; `nil` while something is owed.
    func rest(of instance: RuleInstance) -> Timestamp? {
        let rule = program.rules[instance.rule].rule
        guard !rule.atRest.isEmpty, instance.examined != activityCount else { return nil }
        return max(activity, instance.start) + rule.quiet + Limits.tick
    }

    var nextRest: (time: Timestamp, index: Int)? {
        guard program.hasRest, gone.isEmpty, !requests.awaitsAnswer,
            !instances.contains(where: \.matcher.isOwing)
        else { return nil }
        var first: (time: Timestamp, index: Int)?
        for index in instances.indices {
            guard let time = rest(of: instances[index]) else { continue }
            if first.map({ time < $0.time }) ?? true { first = (time, index) }
        }
        return first
    }

    mutating func examine(_ index: Int, at time: Timestamp) {
        var instance = instances[index]
        let rule = program.rules[instance.rule].rule
        instance.examined = activityCount
        var bindings = states.bindings(in: instance.key).merging(instance.trigger) { $1 }
        bindings[Rule.now] = now(time)
        examine(
            rule.atRest, of: &instance, bindings, at: time, since: activity, quiet: rule.quiet)
        instances[index] = instance
    }

    /// Fails an instance if one of the conditions does not hold.
    mutating func examine(
        _ conditions: [ValueCondition], of instance: inout RuleInstance,
        _ bindings: [String: Value], at time: Timestamp, since: Timestamp, quiet: Duration
    ) {
        guard !conditions.isEmpty else { return }
        instance.wasExamined = true
        do throws(EvaluationError) {
            for condition in conditions where try !condition.holds(bindings) {
                let actual = try condition.value.evaluate(bindings)
                let rule = program.rules[instance.rule].rule
                let timing = ((quiet == .zero ? rule.conditions : []) + [condition])
                    .compactMap { $0.timing(bindings, program.timeScale) }
                    .min { $0.shift < $1.shift }
                let failure = Finding.RestFailure(
                    condition: condition, actual: actual,
                    expected: condition.matcher.filled(bindings).suiteText, quiet: quiet,
                    shift: timing?.shift,
                    counted: timing.map { min(since, max(time - $0.span, beginning)) })
                instance.matcher.fail(failure, at: time, since: since)
                return
            }
        } catch {
            records[instance.rule].excess = error.description
        }
    }
}
