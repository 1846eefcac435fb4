import Results
import SuiteLanguage
import Trace
import Wire

extension CaseProgram {
    /// The goal of a line.
    enum Goal: Sendable {
        /// A message.
        case expect(Signature)
        /// The evidence in the trace of an action that `MatcherThread.demand(of:)` returns.
        ///
        /// It is `nil` if the action leaves no evidence.
        case act(evidence: Signature?)
        /// The end of a time.
        case pause(Duration)
        /// Messages of all of these signatures, and then silence of the device.
        case collect([Signature], quiet: Duration)
        /// Attempts, each a message of this signature, at the times of the schedule.
        case schedule(Signature, BackoffSchedule)
    }
}

extension CaseProgram.Goal {
    init(
        of step: Step, number: Int, in testCase: TestCase, options: CaseMatcher.Options
    ) {
        switch step.verb {
        case .expect(let name):
            self = .expect(Signature(name, of: step, conditions: step.conditions))
        case .lost:
            self = .expect(Signature(LostBytes.name, of: step, conditions: step.conditions))
        case .send where step.corruption != nil:
            // Only a trace of `conform` shows which bytes were sent.
            let isTold = FieldCondition(
                path: SentBytes.stepPath,
                matcher: .equals(.literal(.integer(Int64(clamping: number)))),
                position: step.position)
            self = .act(
                evidence: options.eventsRecorded
                    ? Signature(SentBytes.name, of: step, conditions: [isTold]) : nil)
        case .sendBytes(let bytes):
            let isSame = FieldCondition(
                path: SentBytes.bytesPath, matcher: .bytes(bytes), position: step.position)
            // In a trace of another tool, only bytes that the suite alone defines are looked for,
            // unless they are encrypted.
            let isProtected = testCase.peers.contains { $0.name == step.from && $0.usesTLS }
            self = .act(
                evidence: options.eventsRecorded || bytes.literalBytes != nil && !isProtected
                    ? Signature(SentBytes.name, of: step, conditions: [isSame]) : nil)
        case .send(let name, _, _):
            self = .act(evidence: Signature(name, of: step, conditions: []))
        case .collect(let items, let quiet):
            let signatures = items.map { item in
                Signature(
                    item.pattern.message, sender: item.pattern.from ?? Step.device,
                    position: item.pattern.position
                ).adding(item.pattern.conditions)
            }
            self = .collect(signatures, quiet: quiet)
        case .wait(let duration):
            self = .pause(duration)
        case .backoff(let schedule):
            let signature = Signature(
                schedule.attempt, of: step, conditions: step.conditions)
            self = .schedule(signature, schedule)
        case .group:
            self = .pause(.zero)
        case .perform(let action) where testCase.isDevice(action.party):
            let name = "device.\(action.name)"
            self = .act(
                evidence: options.eventsRecorded
                    ? Signature(name, sender: action.party, position: step.position) : nil)
        case .perform(let action):
            let kind = testCase.peers.first { $0.name == action.party }?.kind
            let described = kind?.actions.first { $0.name == action.name }
            self = .act(
                evidence: described?.evidence.map {
                    Signature($0, sender: action.party, position: step.position)
                })
        }
    }
}

extension Step {
    /// The actor and the action of this step; `nil` for one that only contains others.
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
        case .group: nil
        }
    }
}
