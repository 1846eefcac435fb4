import Testing
import Trace

@testable import Judge
@testable import SuiteLanguage

/// Which rule of a schedule is broken, and which requirement belongs to that rule.
struct ScheduleBlameTests {
    private static func document(_ attempts: Int) -> BackoffSchedule {
        var schedule = ScheduleTests.document(attempts)
        schedule.immediate = .milliseconds(50)
        schedule.checks = BackoffSchedule.Rule.allCases.map {
            BackoffSchedule.RuleChecks(rule: $0, requirements: ["R-\($0.rawValue)"])
        }
        return schedule
    }

    /// Returns a connection that ends, then attempts after these waits, each failing after a time.
    ///
    /// A failure that is not seen is one that only the client itself notices.
    private static func outage(
        _ waits: [Double], failing: Double = 0.0001, isSeen: Bool = true
    ) -> ConnectionTrace {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.accept(0.001)
        var time = 2.0
        trace.reset(time)
        for wait in waits {
            time += wait
            trace.attempt(time)
            time += failing
            if isSeen { trace.refuse(time) }
        }
        return trace
    }

    /// Returns connections that last for these times, each followed by an attempt after that wait.
    private static func falls(_ lives: [(stands: Double, wait: Double)]) -> ConnectionTrace {
        var trace = ConnectionTrace()
        trace.attempt(0)
        trace.accept(0.001)
        var time = 0.001
        for life in lives {
            time += life.stands
            trace.reset(time)
            time += life.wait
            trace.attempt(time)
            time += 0.001
            trace.accept(time)
        }
        return trace
    }

    private func blamed(_ trace: ConnectionTrace, _ schedule: BackoffSchedule) -> [String] {
        let finding = trace.judgement(schedule, first: ["tcp.SYN", "tcp.established"], end: 90)
        guard finding.verdict == .fail else { return [finding.sentence] }
        return BackoffSchedule.Rule.allCases.map(\.rawValue).filter {
            finding.sentence.contains("\($0) (")
        }
    }

    @Test(
        "In an outage the length of a wait shows which rule is broken",
        arguments: [
            ([0.2], ["immediacy"]), ([1.0], ["immediacy"]),
            ([0, 0.4], ["delay"]), ([0, 1, 1], ["delay"]), ([0, 1, 2, 4], ["delay"]),
            ([0, 1, 2, 3, 4, 4], ["delay"]), ([0, 0.002], ["delay"]),
            ([0, 1, 2, 3, 4, 5, 6], ["cap"]), ([0, 1, 2, 3, 4, 5.8], ["cap"]),
            ([0, 0.95], ["leeway"]), ([0, 1.2], ["leeway"]), ([0, 1, 2.8], ["leeway"]),
            ([0, 0.0001], ["delay", "single"]), ([0, 1, 2, 0.002], ["outage"]),
            ([0, 1, 2, 3, 4, 5, 0.01], ["outage"]), ([0, 1], ["end"]), ([], ["immediacy", "end"]),
        ] as [([Double], [String])])
    func outages(waits: [Double], rules: [String]) {
        #expect(blamed(Self.outage(waits), Self.document(9)) == rules)
    }

    @Test("Attempts that take long show what a wait counts from")
    func longAttempts() {
        var schedule = Self.document(5)
        schedule.timeout = .milliseconds(700)
        let fromStart = Self.outage([0, 0.3], failing: 0.7)
        #expect(blamed(fromStart, Self.document(5)) == ["detection"])
        let late = Self.outage([0, 1.7], failing: 0.7, isSeen: false)
        #expect(blamed(late, schedule) == ["detection"])
        let twice = Self.outage([0, 0], failing: 0.0002, isSeen: false)
        #expect(blamed(twice, schedule) == ["single"])
        schedule.timeout = .seconds(4)
        let over = Self.outage([0, 0.001], failing: 4, isSeen: false)
        #expect(blamed(over, schedule) == ["delay", "detection", "outage"])
    }

    @Test(
        "After an established connection the wait shows whether the reset rule is broken",
        arguments: [
            ([(1, 0), (3, 0.001)], ["delay", "reset"]), ([(1, 0), (3, 1), (3, 0.001)], ["reset"]),
            ([(1, 0), (3, 1), (11, 2)], ["reset"]),
            ([(1, 0), (3, 1), (3, 1)], ["delay", "reset"]),
            ([(1, 0), (3, 1), (11, 0.2)], ["immediacy"]), ([(1, 0), (3, 1.2)], ["leeway"]),
            ([(1, 1)], ["immediacy"]),
        ] as [([(Double, Double)], [String])])
    func resets(lives: [(Double, Double)], rules: [String]) {
        var schedule = Self.document(6)
        schedule.reset = .stable(.seconds(10))
        #expect(blamed(Self.falls(lives), schedule) == rules)
    }

    @Test("Only the requirements of the broken rule fail; the first attempt has its own bound")
    func requirements() throws {
        func failed(_ waits: [Double]) throws -> [String] {
            let step = Step(
                verb: .backoff(Self.document(4)), position: at(20),
                checks: BackoffSchedule.Rule.allCases.map { "R-\($0.rawValue)" })
            let trace = Self.outage(waits)
            let judgement = judged(
                testCase([expect("tcp.SYN", within: .seconds(100)), step], checks: []),
                on: trace.messages, end: Cast.time(60))
            #expect(judgement.checks.count == BackoffSchedule.Rule.allCases.count)
            return judgement.checks.filter { $0.verdict == .fail }.map(\.requirement)
        }
        #expect(try failed([0.045, 1, 1]) == ["R-delay"])
        #expect(try failed([0.055]) == ["R-immediacy"])
        #expect(try failed([0, 1.15]) == ["R-leeway"])
        #expect(try failed([0, 1, 2, 3]).isEmpty)
    }
}
