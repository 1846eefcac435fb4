import Foundation
import Judge
import SuiteLanguage
import TestSupport
import Testing

@testable import Reporting
@testable import Results

/// A run of 5,000 cases.
///
/// `CONFORM_SCALE=FOLDER` writes it to that folder and prints time and size.
@Suite("A large run")
struct HTMLScaleTests {
    /// Returns a run of cases in ten suites, all with evidence.
    ///
    /// One case in `every` fails.
    static func run(_ count: Int, failing every: Int) -> RunResult {
        let cases = (0..<count).map { number -> CaseResult in
            let fails = number % every == 0
            var result = SampleRun.result(
                "case-\(number)[language=DE-DE]", fails ? .fail : .pass, fails ? .field : nil,
                fails ? "step 2: expected params.language DE-DE, got EN-US (frame 12)" : "",
                line: number + 1)
            result.suite = "suite-\(number / 500)"
            result.title = "Case \(number) of a large run, with a title of usual length"
            return EvidenceSample.withEvidence(result, text: "sdl.ChangeRegistration.request")
        }
        var header = SampleRun.header(cases.map(SampleRun.planned))
        header.suites = (0..<10).map {
            SuiteSummary(
                id: "suite-\($0)", title: "Suite \($0)", file: "Suites/\($0).yaml",
                requirements: SampleRun.requirements)
        }
        var run = RunResult(header: header, cases: cases)
        run.end(seconds: 60)
        return run
    }

    @Test(
        "The page of 5,000 cases, of which 250 or all failed, stays under 3 MB", arguments: [20, 1])
    func size(every: Int) throws {
        let run = Self.run(5000, failing: every)
        let report = HTMLReport(run, pages: Set(run.cases.map(CaseReference.init)))
        let start = ContinuousClock.now
        let text = report.text
        let took = start.duration(to: .now)
        #expect(text.utf8.count < 3_000_000)
        #expect(took < .seconds(60), "two seconds in a release build; this may be a debug one")
        guard let folder = ProcessInfo.processInfo.environment["CONFORM_SCALE"] else { return }
        let path = "\(folder)/\(every == 1 ? "all" : "some")"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try text.write(toFile: "\(path)/index.html", atomically: true, encoding: .utf8)
        let results = try ResultsFile.bytes(of: run)
        print("\(path): \(took), \(text.utf8.count) bytes; results.json \(results.count) bytes")
    }

    @Test("Beyond 5,000 cases the rows continue on further pages, with links to them")
    func furtherPages() throws {
        let run = Self.run(HTMLReport.rowCountMax + 7, failing: 20)
        let report = HTMLReport(run, pages: [])
        let further = report.furtherCases
        #expect(further.map(\.name) == ["cases-2.html"])
        let page = try #require(further.first)
        #expect(HTMLCheck(page.text).faults == [])
        #expect(page.text.contains("case-5006[language=DE-DE]"))
        #expect(!report.text.contains("id=\"case/suite-10/case-5006"))
        #expect(report.text.contains("href=\"cases-2.html#case/suite-10/case-5000"))
        #expect(report.text.contains("href=\"cases-2.html\">from 5001</a>"))
    }

    @Test(
        "5,000 cases open in a second and filter in a tenth, and 320 green ones print on 4 pages",
        .enabled(
            if: ["chromedriver", "python3"].allSatisfy { ExternalTool.path(of: $0) != nil },
            "needs the Debian packages chromium and chromium-driver"))
    func browser() throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let pages = try [("large", 5000, 20), ("green", 320, 1000)].map { name, count, every in
            let run = Self.run(count, failing: every)
            let green = run.cases.filter { $0.verdict == .pass }
            var shown = RunResult(header: run.header, cases: every == 20 ? run.cases : green)
            shown.end(seconds: 60)
            let path = "\(scratch.path)/\(name).html"
            let report = HTMLReport(shown, pages: Set(run.cases.map(CaseReference.init)))
            try report.text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let script = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Browser/scale.py").path
        let python = try #require(ExternalTool.path(of: "python3"))
        let outcome = try ExternalTool.run([python, script] + pages)
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
