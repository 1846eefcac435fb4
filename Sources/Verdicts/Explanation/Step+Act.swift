import Results
import Suites
import Trace

extension Step {
    /// Who does what in this step; `nil` for one that only holds others.
    var act: StepAct? {
        switch verb {
        case .expect(let name): StepAct(.expect, name: name, from: from, to: to)
        case .send(let name, _, _): StepAct(.send, name: name, from: from, to: to)
        case .perform(let action): StepAct(.perform, name: action.name, from: action.party)
        case .wait: StepAct(.wait)
        case .collect(let items, _):
            items.first.map { item in
                StepAct(.expect, name: item.pattern.message, from: item.pattern.from ?? from)
            } ?? StepAct(.wait)
        case .backoff(let schedule): StepAct(.expect, name: schedule.attempt, from: from, to: to)
        case .lost: StepAct(.expect, name: "lost bytes", from: from, to: to)
        case .sendBytes: StepAct(.send, name: SentBytes.name, from: from, to: to)
        case .optional, .either, .anyOrder, .repeat, .repeatUntil: nil
        }
    }
}
