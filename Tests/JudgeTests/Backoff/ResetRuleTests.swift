import Results
import SuiteLanguage
import Testing
import Trace

@testable import Judge

/// The rules by which the waits of a schedule start over.
struct ResetRuleTests {
    /// Returns connections that last for these times, each after its wait.
    private static func falls(_ connections: [(wait: Double, stands: Double)]) -> ConnectionTrace {
        var trace = ConnectionTrace()
        var time = 0.0
        for connection in connections {
            time += connection.wait
            trace.attempt(time)
            trace.accept(time)
            time += connection.stands
            trace.reset(time)
        }
        return trace
    }

    private func verdict(
        _ reset: BackoffSchedule.Reset, _ connections: [(wait: Double, stands: Double)]
    ) -> Verdict {
        var schedule = ScheduleTests.document(connections.count - 1)
        schedule.reset = reset
        return Self.falls(connections).judgement(schedule, first: ["tcp.SYN"]).verdict
    }

    @Test("Without a rule nothing resets the waits")
    func never() {
        #expect(verdict(.never, [(0, 1), (0, 100), (1, 100), (2, 1)]) == .pass)
        #expect(verdict(.never, [(0, 1), (0, 100), (0, 100), (0, 1)]) == .fail)
    }

    @Test("A success resets the waits")
    func success() {
        #expect(verdict(.success, [(0, 1), (0, 0.1), (0, 0.1), (0, 1)]) == .pass)
        #expect(verdict(.success, [(0, 1), (0, 0.1), (1, 0.1)]) == .fail)
    }

    @Test("A connection that lasted longer than the limit resets the waits, a shorter one does not")
    func stable() {
        let rule = BackoffSchedule.Reset.stable(.seconds(10))
        #expect(verdict(rule, [(0, 1), (0, 9.9), (1, 10.1), (0, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 9.9), (0, 1)]) == .fail)
        #expect(verdict(rule, [(0, 1), (0, 10.1), (1, 1)]) == .fail)
    }

    @Test("At the limit both are allowed, and the wait that came decides which waits follow")
    func limit() {
        let rule = BackoffSchedule.Reset.stable(.seconds(10))
        #expect(verdict(rule, [(0, 1), (0, 10.01), (1, 1), (2, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (0, 1), (1, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (0, 1), (2, 1)]) == .fail)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (1, 1), (1, 1)]) == .fail)
    }

    @Test("Triggers further apart than twice the next wait reset the waits, even without a success")
    func elapsed() {
        let rule = BackoffSchedule.Reset.elapsed(multiple: 2)
        // The third wait would be 2 s. The triggers are 4.5 s apart.
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 3.5), (0, 1)]) == .pass)
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 3.5), (2, 1)]) == .fail)
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 2.5), (2, 1)]) == .pass)
    }
}
