import Foundation
import Judge
import Live
import Results
import Testing
import Wire

@testable import Reporting

@Suite("Two runs compared")
struct RunComparisonTests {
    private func run(_ results: [(id: String, verdict: Verdict, seconds: Double)]) -> RunResult {
        let cases = results.enumerated().map { line, entry in
            var result = SampleRun.result(
                entry.id, entry.verdict, entry.verdict == .pass ? nil : .sequence,
                entry.verdict == .pass ? "" : "it was \(entry.verdict.rawValue)", line: line + 1)
            result.seconds = entry.seconds
            return result
        }
        var run = RunResult(header: SampleRun.header(cases.map(SampleRun.planned)), cases: cases)
        run.end(seconds: 3)
        return run
    }

    private var comparison: RunComparison {
        var before = run([
            ("stays", .pass, 1), ("breaks", .pass, 1), ("is-mended", .fail, 1),
            ("still-broken", .fail, 1), ("lost", .pass, 1), ("gone", .pass, 1),
            ("slows", .pass, 1), ("slows-a-little", .pass, 0.1), ("excused", .known, 1),
            ("wavers", .pass, 1),
        ])
        before.header.folder = "Reports/before"
        var after = run([
            ("stays", .pass, 1.2), ("breaks", .fail, 1), ("is-mended", .pass, 9),
            ("still-broken", .fail, 1), ("lost", .inconclusive, 1), ("slows", .pass, 1.9),
            ("slows-a-little", .pass, 0.4), ("excused", .known, 1), ("wavers", .flaky, 1),
            ("new", .pass, 1), ("new-and-broken", .fail, 1),
        ])
        after.header.folder = "Reports/after"
        return RunComparison(before, after)
    }

    @Test("Each case is listed under its changes, and only there")
    func changes() {
        let comparison = comparison
        let found = Dictionary(
            uniqueKeysWithValues: comparison.rows.map { ($0.reference.id, $0.changes) })
        #expect(
            found == [
                "stays": [], "breaks": [.newlyFailing], "is-mended": [.newlyPassing],
                "still-broken": [.stillFailing], "lost": [.noLongerJudged], "gone": [.removed],
                "slows": [.slower], "slows-a-little": [], "excused": [], "wavers": [.flaky],
                "new": [.added], "new-and-broken": [.added, .newlyFailing],
            ])
        #expect(comparison.rows.last?.reference.id == "gone")
        #expect(comparison.unchanged == 3)
    }

    @Test("A run compared with itself has no change")
    func same() {
        let run = SampleRun.run
        let rows = RunComparison(run, run).rows
        #expect(rows.count == run.header.planned.count)
        let kinds = Set(rows.flatMap(\.changes))
        #expect(kinds.isSubset(of: [.stillFailing, .flaky]))
    }

    @Test("Executions that differ within one run are flaky, a rerun with another verdict is too")
    func flaky() throws {
        let pass = SampleRun.result("x", .pass, line: 1)
        let fail = SampleRun.result("x", .fail, .field, "wrong", line: 1)
        let folded = try #require(AttemptPolicy.repeated(2).folded([pass, fail]))
        var after = RunResult(
            header: SampleRun.header([SampleRun.planned(pass)]), cases: [folded])
        after.end(seconds: 1)
        let rows = RunComparison(after, after).rows(.flaky)
        #expect(rows.map(\.reference.id) == ["x"])
    }

    @Test("The comparison is written as lines for people")
    func text() throws {
        try Golden.expect(
            ComparisonReport(comparison).text(.text), matches: "sample.compare.txt")
    }

    @Test("The comparison is a page of Markdown, within the limit of a comment")
    func markdown() throws {
        try Golden.expect(
            ComparisonReport(comparison).text(.markdown), matches: "sample.compare.md")
        let before = run((0..<3000).map { ("case-\($0)", .pass, 1) })
        let after = run((0..<3000).map { ("case-\($0)", .fail, 1) })
        let page = ComparisonReport(RunComparison(before, after)).text(.markdown)
        #expect(page.utf8.count < 65_536 && page.contains("- and "))
        #expect(page.contains("### newly failing: 3000"))
    }

    @Test("The comparison is one object for machines")
    func json() throws {
        try Golden.expect(
            ComparisonReport(comparison).text(.json), matches: "sample.compare.json")
    }
}
