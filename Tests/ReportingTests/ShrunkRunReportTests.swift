import Foundation
import Judge
import TestSupport
import Testing

@testable import Reporting
@testable import Results

@Suite("Shrunk runs and rules in reports")
struct ShrunkRunReportTests {
    private static let line =
        "7 acts to 2: reset; other (vehicle: second); 31 runs in 14.250 s"

    private static var failed: CaseResult {
        var result = SampleRun.result(
            "lives[seed=3,n=17]", .fail, .field, "step 2: a field", line: 8)
        result.shrunk = SampleRun.shrunk
        return result
    }

    private static func run(_ results: [CaseResult]) -> RunResult {
        var run = RunResult(
            header: SampleRun.header(results.map(SampleRun.planned)), cases: results)
        run.end(seconds: 1)
        return run
    }

    @Test("Console, page and summary tell from how many acts to how many, and print the case")
    func everywhere() throws {
        let run = Self.run([Self.failed])
        let console = ConsoleReport(folder: "Reports/x")
        let lines = console.explanation(Self.failed)
        #expect(lines.joined(separator: "\n").contains("7 acts to 2"))
        #expect(lines.contains("      - id: lives-3-17") || lines.contains("    - id: lives-3-17"))
        #expect(lines.contains { $0.hasSuffix("Reports/x/captures/shorter.pcapng") })
        #expect(
            console.shrunk(Self.failed) == [
                "shrunk      registration-language/lives[seed=3,n=17]: \(Self.line)"
            ])
        #expect(SummaryReport(run).text.contains("shrunk: 7 acts to 2"))
        let page = HTMLReport(run).text
        #expect(HTMLCheck(page).faults == [])
        #expect(page.contains("<h5>Shrunk run</h5>") && page.contains("- {do: hu.reset}"))
        #expect(page.contains("captures/shorter.pcapng"))
    }

    @Test("A failure that comes only sometimes has its rate, and a search without time says so")
    func sometimes() {
        var shrunk = SampleRun.shrunk
        (shrunk.drawnRate.failed, shrunk.isMinimal) = (2, false)
        #expect(
            ShrunkText.sentence(shrunk) == Self.line + ", then the time was over; it fails only "
                + "sometimes: the drawn run in 2 of 3 executions, the shrunk run in 3 of 3 executions"
        )
        shrunk.acts = []
        #expect(ShrunkText.sentence(shrunk).hasPrefix("7 acts to none; 31 runs"))
    }

    @Test("The journal and results keep the shrunk run, and the case has one result")
    func stored() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/reports"
        var before = Self.failed
        before.shrunk = nil
        var run = RunResult(header: SampleRun.header([SampleRun.planned(before)]))
        var reports = try ReportFolder(creating: path)
        try reports.begin(run)
        run.cases = [before]
        try reports.ended(before, in: run)
        run.cases = [Self.failed]
        try reports.shrunk(Self.failed, in: run)
        func bytes(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
        }
        let journal = try Journal.run(from: try bytes("journal.jsonl"))
        #expect(journal.cases.map(\.shrunk) == [SampleRun.shrunk])
        let page = String(decoding: try bytes(CaseReference(before).pagePath), as: UTF8.self)
        #expect(page.contains("Shrunk run"))
        run.end(seconds: 1)
        try reports.finish(run)
        var stored = try ResultsFile.run(from: try bytes("results.json"))
        stored.files = nil
        #expect(stored == run)
    }

    @Test("How often rules were exercised is shown, and which were not")
    func rules() {
        var first = SampleRun.result("one", .pass, line: 3)
        first.rules = [
            RuleResult(
                rule: "follows", checks: ["CRM-1"], verdict: .pass, exercised: 2, failed: 0, open: 1
            )
        ]
        var second = SampleRun.result("two", .fail, .field, "wrong", line: 4)
        second.rules = [
            RuleResult(
                rule: "follows", checks: ["CRM-1"], verdict: .fail, exercised: 3, failed: 1, open: 0
            )
        ]
        var run = Self.run([first, second])
        #expect(run.ruleCoverage.rows.isEmpty)
        run.header.suites[0].rules = [
            RuleSummary(id: "follows", checks: ["CRM-1"]),
            RuleSummary(id: "rests", checks: ["CRM-1", "CRM-2"], needs: "sdl.reconnect"),
        ]
        #expect(run.ruleCoverage.rows.map(\.exercised) == [5, 0])
        #expect(run.ruleCoverage.rows.map(\.cases) == [2, 0])
        let lines = ConsoleReport(folder: "").closing(run)
        let place = lines.firstIndex(of: "rules: 1 of 2 exercised") ?? 0
        #expect(
            lines[place...].prefix(3) == [
                "rules: 1 of 2 exercised",
                "  registration-language/rests: not exercised (needs sdl.reconnect)",
                "  registration-language/follows: exercised 5 times in 2 cases, 1 failed",
            ])
        let page = HTMLReport(run).text
        #expect(HTMLCheck(page).faults == [])
        #expect(page.contains("rule follows: exercised 5 times in 2 cases, 1 failed"))
        #expect(page.contains("rule rests: <strong>not exercised (needs sdl.reconnect)</strong>"))
        #expect(SummaryReport(run).text.contains("rules: 1 of 2 exercised"))
    }
}
