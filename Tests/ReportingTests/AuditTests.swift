import Judge
import Results
import SuiteLanguage
import Testing

@testable import Reporting

@Suite("The audit and the exit status")
struct AuditTests {
    private func ended(_ change: (inout RunResult) -> Void) -> RunResult {
        var run = SampleRun.passing(3)
        change(&run)
        run.end(seconds: 1)
        return run
    }

    @Test("A run in which everything passes is conformant")
    func conformant() {
        let run = ended { _ in }
        #expect(run.exit == .conformant)
        #expect(run.audit.isConsistent && run.audit.judged.pass == 3 && run.audit.checks == 6)
    }

    @Test("A run with a missing result is never green")
    func dropped() {
        let changes: [(String, (inout RunResult) -> Void)] = [
            ("a result is dropped", { $0.cases.removeLast() }),
            ("all results are dropped", { $0.cases = [] }),
            ("a result comes twice", { $0.cases.append($0.cases[0]) }),
            ("a case is planned twice", { $0.header.planned.append($0.header.planned[0]) }),
            ("a result was not planned", { $0.header.planned.removeLast() }),
            ("a case has no steps", { $0.cases[0].steps = [] }),
            ("a case was planned without steps", { $0.header.planned[0].steps = 0 }),
            ("a case has no checks", { $0.cases[0].checks = [] }),
            ("a case was planned without checks", { $0.header.planned[0].checks = [] }),
            ("a check was dropped", { $0.cases[0].checks.removeLast() }),
            ("a check was not judged", { $0.cases[0].checks[0].verdict = .none }),
            ("a step of a pass failed", { $0.cases[0].steps[1].outcome = .failed }),
            (
                "no step of a pass was done",
                { run in
                    for index in run.cases[0].steps.indices {
                        run.cases[0].steps[index].outcome = .notReached
                    }
                }
            ),
            ("a case ended without a verdict", { $0.cases[0].verdict = .none }),
            ("a case was skipped without a reason", { $0.cases[0].verdict = .skipped }),
            ("a result changed its name", { $0.cases[0].id += "x" }),
        ]
        for (name, change) in changes {
            let run = ended(change)
            #expect(!run.audit.isConsistent, "\(name)")
            #expect(run.exit == .couldNotJudge, "\(name)")
        }
    }

    @Test("A run that executes nothing is never a success")
    func nothing() {
        let skippedAll = ended { run in
            for index in run.cases.indices {
                run.cases[index].verdict = .skipped
                run.cases[index].reason = Reason(.notApplicable, "no such feature")
            }
        }
        #expect(skippedAll.exit == .nothingExecuted)
        #expect(skippedAll.audit.skipped == ["no such feature": 3])
        #expect(ended { $0 = RunResult(header: SampleRun.header([])) }.exit == .nothingExecuted)
        let without = ended {
            $0 = RunResult(header: SampleRun.header([]))
            $0.header.minimum = 0
        }
        #expect(without.exit == .nothingExecuted, "--min 0 does not make nothing a success")
        #expect(ended { $0.header.minimum = 4 }.exit == .nothingExecuted)
        #expect(ended { $0.header.minimum = -1 }.exit == .conformant)
        let notRun = ended { run in
            run.cases = run.header.planned.map { $0.notRun(because: "the disk is full") }
        }
        #expect(notRun.exit == .nothingExecuted)
        let partly = ended { run in
            run.cases[0] = run.header.planned[0].notRun(because: "the disk is full")
        }
        #expect(partly.exit == .couldNotJudge)
    }

    @Test("Known failures alone are not conformant, and --min counts passes")
    func passes() {
        let known = ended { run in
            for index in run.cases.indices { run.cases[index].verdict = .known }
        }
        #expect(known.exit == .nothingExecuted)
        #expect(
            Outcome.sentence(known, known.audit)
                == "too few passed: 0 passed of 3 planned cases, at least 1 required (exit 4)")
        let two = ended { run in
            run.cases[0].verdict = .known
            run.header.minimum = 2
        }
        #expect(two.exit == .conformant)
        let three = ended { run in
            run.cases[0].verdict = .known
            run.header.minimum = 3
        }
        #expect(three.exit == .nothingExecuted)
    }

    @Test("planned = judged + skipped + not run, also for the run of all verdicts")
    func sum() {
        let audit = SampleRun.run.audit
        #expect(audit.planned == audit.judged.total + audit.skippedTotal + audit.notRun)
        #expect(audit.isConsistent)
        #expect(audit.notRun == 1 && audit.judged.known == 1 && audit.judged.flaky == 1)
    }

    @Test("During a run, cases that have not run yet are no discrepancy")
    func unfinished() {
        var run = SampleRun.passing(3)
        run.cases.removeLast(2)
        #expect(run.audit.isConsistent && run.audit.notRun == 2)
        run.end(seconds: 1, interruption: .terminate)
        #expect(run.exit == .terminated)
        #expect(run.audit.isConsistent && run.audit.notRun == 2 && run.cases.count == 3)
    }

    /// Tests all combinations of causes against the precedence that the design lists.
    @Test("The exit status follows the precedence signal, 2, 1, 3, 5, 4, 0", arguments: 0..<64)
    func precedence(bits: Int) {
        let (invalid, fails, unjudged) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
        let (reportFailed, tooFew, flaky) = (bits & 8 != 0, bits & 16 != 0, bits & 32 != 0)
        var results = [SampleRun.result("pass", .pass, line: 1)]
        if fails { results.append(SampleRun.result("fail", .fail, .field, "x", line: 2)) }
        if unjudged { results.append(SampleRun.result("error", .error, .setup, "x", line: 3)) }
        if flaky { results.append(SampleRun.result("flaky", .flaky, .timing, "x", line: 4)) }
        let audit = Audit(planned: results.map(SampleRun.planned), results: results)
        for strict in [false, true] {
            for signal in [nil, Interruption.interrupt, .terminate] {
                let status = Results.ExitStatus(
                    audit: audit, minimum: tooFew ? 9 : 1, interruption: signal, invalid: invalid,
                    reportFailed: reportFailed, strict: strict)
                let table: [(Bool, Int32)] = [
                    (signal == .interrupt, 130), (signal == .terminate, 143), (invalid, 2),
                    (fails || (strict && flaky), 1), (unjudged, 3), (reportFailed, 5), (tooFew, 4),
                    (true, 0),
                ]
                #expect(status.rawValue == table.first { $0.0 }?.1)
            }
        }
    }

    @Test("Each verdict leads to its exit status", arguments: Verdict.allCases)
    func verdicts(verdict: Verdict) {
        let status = ended { run in
            for index in run.cases.indices {
                run.cases[index].verdict = verdict
                run.cases[index].reason = Reason(.field, "reason")
            }
        }.exit
        let expected: Results.ExitStatus =
            switch verdict {
            case .pass, .flaky: .conformant
            case .known: .nothingExecuted
            case .fail: .notConformant
            case .inconclusive, .error, .none: .couldNotJudge
            case .skipped: .nothingExecuted
            }
        #expect(status == expected)
    }

    @Test("Coverage takes the worst verdict on each requirement and adds no verdict of its own")
    func coverage() {
        var run = SampleRun.passing(2)
        func verdict(_ id: String) -> Verdict? {
            run.coverage.rows.first { $0.requirement == id }?.verdict
        }
        #expect(run.coverage.rows.map(\.requirement) == ["CRM-1", "CRM-2", "CRM-3", "CRM-4"])
        #expect(verdict("CRM-1") == .pass && verdict("CRM-2") == Verdict.none)
        #expect(run.coverage.concluded == 2)
        run.cases[0].verdict = .fail
        run.cases[0].checks[0].verdict = .fail
        #expect(verdict("CRM-1") == .fail && verdict("CRM-3") == .pass)
        run.cases[0].verdict = .known
        #expect(verdict("CRM-1") == .known)
        for verdict in [Verdict.error, .inconclusive] {
            for index in run.cases.indices {
                run.cases[index].verdict = verdict
                run.cases[index].checks = run.cases[index].checks.map {
                    CheckResult(requirement: $0.requirement, verdict: verdict)
                }
            }
            #expect(run.coverage.concluded == 0 && run.coverage.rows.count == 4)
            #expect(run.audit.checks == 0)
            let console = ConsoleReport(folder: "r").closing(run)
            #expect(console.contains("requirements: 0 of 4 concluded"))
        }
        run.cases[1].checks.append(CheckResult(requirement: "X-1", verdict: .pass))
        #expect(run.coverage.rows.last?.requirement == "X-1")
    }

    @Test("The time is written in UTC, also before 1970")
    func moments() {
        #expect(Moment(SampleRun.start).utc == "2026-01-02T03:04:05Z")
        #expect(Moment(.init(nanoseconds: -1)).utc == "1969-12-31T23:59:59Z")
        #expect(Moment(.init(nanoseconds: 951_782_400_999_999_999)).utc == "2000-02-29T00:00:00Z")
    }
}
