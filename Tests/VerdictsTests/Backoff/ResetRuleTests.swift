import Results
import Suites
import Testing
import Trace

@testable import Verdicts

/// Waits that begin anew.
struct ResetRuleTests {
    /// Connections that stand for these times, each after the wait before it.
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

    @Test("without a rule nothing resets")
    func never() {
        #expect(verdict(.never, [(0, 1), (0, 100), (1, 100), (2, 1)]) == .pass)
        #expect(verdict(.never, [(0, 1), (0, 100), (0, 100), (0, 1)]) == .fail)
    }

    @Test("a success resets")
    func success() {
        #expect(verdict(.success, [(0, 1), (0, 0.1), (0, 0.1), (0, 1)]) == .pass)
        #expect(verdict(.success, [(0, 1), (0, 0.1), (1, 0.1)]) == .fail)
    }

    @Test("a connection that stood for longer resets, one that stood shorter does not")
    func stable() {
        let rule = BackoffSchedule.Reset.stable(.seconds(10))
        #expect(verdict(rule, [(0, 1), (0, 9.9), (1, 10.1), (0, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 9.9), (0, 1)]) == .fail)
        #expect(verdict(rule, [(0, 1), (0, 10.1), (1, 1)]) == .fail)
    }

    @Test("at the limit itself both are allowed, and what came decides how it goes on")
    func limit() {
        let rule = BackoffSchedule.Reset.stable(.seconds(10))
        #expect(verdict(rule, [(0, 1), (0, 10.01), (1, 1), (2, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (0, 1), (1, 1)]) == .pass)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (0, 1), (2, 1)]) == .fail)
        #expect(verdict(rule, [(0, 1), (0, 10.01), (1, 1), (1, 1)]) == .fail)
    }

    @Test("two triggers that are further apart than twice the next wait reset, success or not")
    func elapsed() {
        let rule = BackoffSchedule.Reset.elapsed(multiple: 2)
        // The third wait would be 2 s; 4.5 s lie between the triggers.
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 3.5), (0, 1)]) == .pass)
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 3.5), (2, 1)]) == .fail)
        #expect(verdict(rule, [(0, 2), (0, 1.5), (1, 2.5), (2, 1)]) == .pass)
    }
}
