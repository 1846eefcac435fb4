import Suites

extension Step {
    /// Who does what in this step, of a `backoff` step in its attempts; `nil` for one that only
    /// holds others.
    var act: StepAct? {
        switch verb {
        case .expect(let name): StepAct(.expect, name: name, from: from, to: to)
        case .send(let name, _, _): StepAct(.send, name: name, from: from, to: to)
        case .perform(let action): StepAct(.perform, name: action.name, from: action.party)
        case .wait: StepAct(.wait)
        case .backoff(let schedule): StepAct(.expect, name: schedule.attempt, from: from, to: to)
        case .optional, .either, .anyOrder, .repeat: nil
        }
    }
}
