import Judge
import Results
import TestBench
import Testing

@testable import Live

@Suite("The number of executions of a case and its folded result")
struct AttemptPolicyTests {
    @Test(
        "The number of further executions follows from the verdicts so far",
        arguments: [
            (AttemptPolicy.once, [], 1), (.once, [.fail], 0),
            (.repeated(3), [], 3), (.repeated(3), [.fail, .pass], 1),
            (.repeated(3), [.pass, .pass, .pass], 0),
            (.untilFailure(atMost: 3), [], 1), (.untilFailure(atMost: 3), [.pass, .pass], 1),
            (.untilFailure(atMost: 3), [.pass, .pass, .pass], 0),
            (.untilFailure(atMost: 3), [.pass, .fail], 0),
            (.untilFailure(atMost: 3), [.inconclusive], 0),
            (.retried(2), [], 1), (.retried(2), [.pass], 0), (.retried(2), [.fail], 1),
            (.retried(2), [.inconclusive, .fail], 1), (.retried(2), [.fail, .fail, .fail], 0),
            (.retried(2), [.fail, .pass], 0), (.retried(2), [.error], 0),
            (.retried(2), [.known], 0),
        ] as [(AttemptPolicy, [Verdict], Int)])
    func wanted(policy: AttemptPolicy, verdicts: [Verdict], expected: Int) {
        #expect(policy.wanted(after: verdicts) == expected)
    }

    @Test("The result of a case that was executed once is unchanged")
    func once() {
        let result = PolicySample.result(.fail)
        #expect(AttemptPolicy.once.folded([result]) == result)
        #expect(AttemptPolicy.retried(2).folded([result]) == result)
        #expect(AttemptPolicy.once.folded([]) == nil)
    }

    @Test(
        "The result of a repeated case is the first of its worst executions, with the failure rate")
    func worstSpeaks() throws {
        let attempts = [
            PolicySample.result(.pass), PolicySample.result(.inconclusive, summary: "lost"),
            PolicySample.result(.fail, summary: "first", seconds: 3),
            PolicySample.result(.fail, summary: "second"), PolicySample.result(.pass),
        ]
        let folded = try #require(AttemptPolicy.repeated(5).folded(attempts))
        #expect(folded.verdict == .fail)
        #expect(folded.reason?.summary == "first")
        #expect(folded.seconds == 3)
        #expect(folded.executions?.map(\.verdict) == attempts.map(\.verdict))
        #expect(folded.remarks.count == 1)
        #expect(folded.remarks.last?.hasPrefix("failed in 2 of 4 runs (50.0 %, 95 %") == true)
        #expect(folded.remarks.last?.hasSuffix("; 1 more could not be judged") == true)
    }

    @Test(
        "The worst verdict decides, in whatever order the executions come",
        arguments: [
            ([.pass, .error, .fail], .fail), ([.known, .error], .error),
            ([.known, .inconclusive], .inconclusive), ([.pass, .known], .known),
            ([.pass, .pass], .pass), ([.pass, .none], .none), ([.known, .fail], .fail),
        ] as [([Verdict], Verdict)])
    func gravest(verdicts: [Verdict], expected: Verdict) {
        for order in [verdicts, verdicts.reversed()] {
            let attempts = order.map { PolicySample.result($0) }
            #expect(AttemptPolicy.repeated(order.count).folded(attempts)?.verdict == expected)
        }
    }

    @Test("A case that passes on a retry is flaky, and its first failure is kept")
    func flaky() throws {
        let attempts = [
            PolicySample.result(.fail, summary: "first", seconds: 3),
            PolicySample.result(.inconclusive, summary: "second"), PolicySample.result(.pass),
        ]
        let folded = try #require(AttemptPolicy.retried(2).folded(attempts))
        #expect(folded.verdict == .flaky)
        #expect(folded.reason == attempts[0].reason)
        #expect(folded.seconds == 3)
        #expect(folded.checks.map(\.verdict) == [.pass, .pass])
        #expect(folded.remarks == ["passed only at attempt 3: fail, inconclusive, pass"])
        #expect(folded.executions?.first?.summary == "first")
    }

    @Test("A case that never passes keeps its worst verdict")
    func neverPasses() throws {
        let attempts = [
            PolicySample.result(.inconclusive, summary: "lost"),
            PolicySample.result(.fail, summary: "broken"),
        ]
        let folded = try #require(AttemptPolicy.retried(1).folded(attempts))
        #expect(folded.verdict == .fail)
        #expect(folded.reason?.summary == "broken")
        #expect(folded.remarks == ["not passed in 2 attempts: inconclusive, fail"])
    }
}

@Suite("The ledger of executions")
struct AttemptLedgerTests {
    private typealias Turn = AttemptLedger.Turn

    @Test("Repetitions start at once, and the result follows the last of them")
    func repetitions() {
        var ledger = AttemptLedger(policy: .repeated(2), cases: 2)
        let round = ledger.nextRound()
        #expect(
            round == [
                Turn(place: 0, number: 1), Turn(place: 0, number: 2), Turn(place: 1, number: 1),
                Turn(place: 1, number: 2),
            ])
        #expect(ledger.nextRound().isEmpty)
        #expect(ledger.consume(PolicySample.result(.pass), of: round[1]) == nil)
        let folded = ledger.consume(PolicySample.result(.fail), of: round[0])
        #expect(folded?.verdict == .fail)
        #expect(folded?.executions?.map(\.verdict) == [.fail, .pass])
    }

    @Test("Only the cases that failed are retried")
    func retries() {
        var ledger = AttemptLedger(policy: .retried(1), cases: 2)
        let round = ledger.nextRound()
        #expect(ledger.consume(PolicySample.result(.fail), of: round[0]) == nil)
        #expect(ledger.consume(PolicySample.result(.pass), of: round[1])?.verdict == .pass)
        let second = ledger.nextRound()
        #expect(second == [Turn(place: 0, number: 2)])
        #expect(ledger.consume(PolicySample.result(.pass), of: second[0])?.verdict == .flaky)
        #expect(ledger.nextRound().isEmpty)
        #expect(ledger.close().isEmpty)
    }

    @Test("The steps of the first pass are those of a case that always passes")
    func stepsOfFirstPass() {
        var ledger = AttemptLedger(policy: .repeated(2), cases: 1)
        let round = ledger.nextRound()
        var pass = PolicySample.result(.pass)
        pass.steps = [
            StepResult(part: .body, text: "expect", position: pass.position, outcome: .done)
        ]
        #expect(ledger.consume(pass, of: round[1]) == nil)
        let folded = ledger.consume(pass, of: round[0])
        #expect(folded?.steps == pass.steps)
        #expect(folded?.verdict == .pass)
    }

    private func late(_ verdict: Verdict = .inconclusive) -> CaseResult {
        PolicySample.result(verdict, summary: "the harness was late", code: .lateHarness)
    }

    @Test(
        "An execution that the machine was too busy to judge is replaced, under each policy",
        arguments: [AttemptPolicy.once, .repeated(1), .untilFailure(atMost: 1), .retried(1)])
    func lateIsReplaced(policy: AttemptPolicy) {
        var ledger = AttemptLedger(policy: policy, lateRetries: 2, cases: 1)
        for number in 1...2 {
            let round = ledger.nextRound()
            #expect(round == [Turn(place: 0, number: number)])
            #expect(ledger.consume(late(), of: round[0]) == nil)
        }
        let last = ledger.nextRound()
        #expect(last == [Turn(place: 0, number: 3)])
        var pass = PolicySample.result(.pass)
        pass.steps = [
            StepResult(part: .body, text: "expect", position: pass.position, outcome: .done)
        ]
        let result = ledger.consume(pass, of: last[0])
        #expect(result?.verdict == .pass)
        #expect(result?.steps == pass.steps, "without steps the audit would not accept a pass")
        #expect(result?.remarks.last?.hasPrefix("executed again, because the machine") == true)
        #expect(ledger.nextRound().isEmpty)
    }

    @Test("On a machine that is always too busy, a case is executed only the given number of times")
    func alwaysLate() {
        var ledger = AttemptLedger(policy: .once, lateRetries: 1, cases: 1)
        #expect(ledger.consume(late(), of: ledger.nextRound()[0]) == nil)
        #expect(ledger.consume(late(), of: ledger.nextRound()[0])?.verdict == .inconclusive)
        #expect(ledger.nextRound().isEmpty)
    }

    @Test("Only an inconclusive execution is replaced, and only for a late harness")
    func onlyLateIsReplaced() {
        let others =
            [late(.fail), late(.error)] + [.inconclusive, .fail].map { PolicySample.result($0) }
        for other in others {
            var ledger = AttemptLedger(policy: .once, lateRetries: 2, cases: 1)
            #expect(ledger.consume(other, of: ledger.nextRound()[0])?.verdict == other.verdict)
        }
        var ledger = AttemptLedger(policy: .once, cases: 1)
        #expect(ledger.consume(late(), of: ledger.nextRound()[0])?.verdict == .inconclusive)
    }

    @Test("Late repetitions are executed again, and a failure among the repetitions is kept")
    func lateRepetition() {
        var ledger = AttemptLedger(policy: .repeated(2), lateRetries: 2, cases: 1)
        let round = ledger.nextRound()
        #expect(ledger.consume(late(), of: round[0]) == nil)
        #expect(ledger.consume(PolicySample.result(.fail), of: round[1]) == nil)
        let second = ledger.nextRound()
        #expect(second == [Turn(place: 0, number: 3)])
        let result = ledger.consume(PolicySample.result(.pass), of: second[0])
        #expect(result?.verdict == .fail)
        #expect(result?.executions?.map(\.verdict) == [.fail, .pass])
    }

    @Test("A late execution that waits for another one is not lost when the run is cut short")
    func lateAndCutShort() {
        var ledger = AttemptLedger(policy: .once, lateRetries: 2, cases: 1)
        #expect(ledger.consume(late(), of: ledger.nextRound()[0]) == nil)
        _ = ledger.nextRound()
        #expect(ledger.close().map(\.verdict) == [.inconclusive])
    }

    @Test("A failure that waits for its retry is not lost when the run is cut short")
    func cutShort() {
        var ledger = AttemptLedger(policy: .retried(1), cases: 2)
        let round = ledger.nextRound()
        #expect(ledger.consume(PolicySample.result(.fail), of: round[0]) == nil)
        #expect(ledger.close().map(\.verdict) == [.fail])
    }
}

@Suite("The failure rate")
struct FailureRateTests {
    private func rate(_ failures: Int, of count: Int) -> FailureRate {
        FailureRate(
            Array(repeating: Verdict.fail, count: failures)
                + Array(repeating: Verdict.pass, count: count - failures))
    }

    @Test(
        "The interval is Wilson's",
        arguments: [
            (0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634),
            (10, 10, 0.7225, 1.0), (2, 100, 0.0055, 0.0700),
        ])
    func interval(failures: Int, count: Int, low: Double, high: Double) {
        let interval = rate(failures, of: count).interval
        #expect(abs(interval.lowerBound - low) < 0.0001, "\(interval)")
        #expect(abs(interval.upperBound - high) < 0.0001, "\(interval)")
    }

    @Test("The interval always contains the rate, and is 0 to 1 if no execution was judged")
    func holdsTheRate() {
        for count in 1...60 {
            for failures in 0...count {
                let interval = rate(failures, of: count).interval
                #expect(interval.contains(Double(failures) / Double(count)))
            }
        }
        #expect(FailureRate([.error, .inconclusive]).interval == 0...1)
        #expect(
            FailureRate([.error]).description
                == "failed in 0 of 0 runs; 1 more could not be judged")
    }

    @Test("A known failure counts as a failure")
    func knownCounts() {
        #expect(FailureRate([.known, .pass]).failures == 1)
        #expect(
            FailureRate([.known]).description
                == "failed in 1 of 1 run (100.0 %, 95 % interval 20.7 % to 100.0 %)")
    }
}
