import Foundation
import Testing
import Wire

private let suite = "Suites/backoff-timing.yaml"

/// The suite of back-off timing on the reference client, five times faster than real time.
///
/// On a machine that does not let the client run in time a case is inconclusive. These tests
/// accept that, but no worse verdict.
@Suite("conform run of the timing suite, as a user runs it", .serialized)
struct BackoffTimingTests {
    private func run(_ words: [String]) throws -> JudgedRun {
        try JudgedRun(suite, ["--time-scale", "5"] + words)
    }

    @Test("The reference client passes every case, and each capture gives the live verdict")
    func reference() throws {
        let run = try run(["--jobs", "3"])
        // What is judged of clients whose times are those of the document does not apply to it.
        let faults = run.faults.filter {
            !$0.contains("-of-the-document") || !$0.contains(": skipped")
        }
        #expect(faults.isEmpty, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count >= 26)
        #expect(run.results.passCount * 2 > run.results.verdicts.count, "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test("A client that breaks a rule fails the case for it")
    func mutants() throws {
        let expected = [
            ("maximum-of-six", "refused-attempts", "BOR-3"),
            ("waits-from-attempt-start", "black-hole", "BOR-4"),
            ("resets-as-coded", "short-connections", "BOR-7"),
            ("resets-as-written", "reset-as-coded", "BOR-7c"),
            ("new-session-instead-of-resume", "same-session*", "BOR-9"),
            ("goes-on-after-timeout", "reconnection-timeout", "BOR-10"),
            ("pings-in-background", "background-is-silent", "BOR-15"),
        ]
        for (mutant, testCase, requirement) in expected {
            let run = try run(["--device", "reference:\(mutant)", "--case", testCase])
            let isCaught = run.results.failedRequirements.contains(requirement)
            let isUndecided = run.results.verdicts.keys.allSatisfy(run.isUndecided)
            #expect(isCaught || isUndecided, "\(mutant): \(run.outcome.output)")
        }
    }

    @Test("No case fails on a machine whose processors are kept busy")
    func busyMachine() throws {
        let run = try ConformProgram.onBusyMachine {
            try self.run(["--case", "refused-attempts", "--case", "black-hole", "--repeat", "3"])
        }
        #expect(run.faults.isEmpty, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.status == 0 || run.outcome.status == 3)
    }
}
