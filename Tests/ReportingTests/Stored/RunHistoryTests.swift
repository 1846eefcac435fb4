import Judge
import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Reporting

@Suite("Runs over time, and devices side by side")
struct RunHistoryTests {
    private func run(
        _ number: Int, _ verdicts: [(id: String, verdict: Verdict)], device: String = "reference",
        seconds: Double? = nil
    ) -> RunResult {
        let cases = verdicts.enumerated().map { line, entry in
            var result = SampleRun.result(
                entry.id, entry.verdict, entry.verdict == .pass ? nil : .sequence,
                entry.verdict == .pass ? "" : "it was \(entry.verdict.rawValue)", line: line + 1)
            if let seconds { result.measurements = [Measurement(name: "wait", seconds: seconds)] }
            return result
        }
        var header = SampleRun.header(cases.map(SampleRun.planned))
        header.folder = "Reports/\(number)"
        header.started = Moment(
            Timestamp(nanoseconds: SampleRun.start.nanoseconds + Int64(number) * 1_000_000_000))
        header.device = RunDevice(name: device, version: "1.0", role: "sdl.app")
        var run = RunResult(header: header, cases: cases)
        run.end(seconds: 3)
        return run
    }

    private var history: RunHistory {
        RunHistory([
            run(3, [("breaks", .fail), ("wavers", .pass), ("stays", .pass)], seconds: 0.5),
            run(1, [("breaks", .pass), ("wavers", .pass), ("stays", .pass)], seconds: 0.1),
            run(4, [("breaks", .fail), ("wavers", .fail), ("new", .inconclusive)], seconds: 0.25),
            run(2, [("breaks", .pass), ("wavers", .fail), ("stays", .pass)]),
        ])
    }

    @Test("Runs are in order of time; a case is broken since the first run after its last pass")
    func rows() {
        let rows = Dictionary(uniqueKeysWithValues: history.rows.map { ($0.reference.id, $0) })
        #expect(history.runs.map(\.header.folder) == (1...4).map { "Reports/\($0)" })
        #expect(rows["breaks"]?.words == ["pass", "pass", "fail", "fail"])
        #expect(rows["breaks"]?.remarks == ["broken since run 3", "changed 1 of 3 times"])
        #expect(rows["wavers"]?.remarks == ["broken since run 4", "changed 3 of 3 times"])
        #expect(rows["stays"]?.isSteady == true)
        #expect(rows["stays"]?.words == ["pass", "pass", "pass", nil])
        #expect(rows["new"]?.brokenSince == nil)
        #expect(rows["new"]?.isSteady == false)
    }

    @Test("The number of runs in which a case was flaky is reported")
    func flaky() throws {
        let history = RunHistory([
            run(1, [("a", .flaky)]), run(2, [("a", .pass)]), run(3, [("a", .flaky)]),
            run(4, [("a", .error)]),
        ])
        #expect(history.rows.first?.remarks == ["flaky in 2 of 3 runs"])
        let json = try Value(json: HistoryReport(history).text(.json))
        #expect(json["cases"]?.arrayValue?[0]["flaky"] == 2)
    }

    @Test("A measurement is a series over the runs")
    func series() {
        let series = history.series.first { $0.reference.id == "wavers" }
        #expect(series?.values == [0.1, nil, 0.5, 0.25])
        #expect(series?.range.low == 0.1)
        #expect(series?.range.high == 0.5)
    }

    @Test("A history is written for people, as a page, and as JSON")
    func forms() throws {
        let report = HistoryReport(history)
        let text = report.text(.text)
        #expect(text.contains("✓ ✓ ✗ ✗  registration-language/breaks  (broken since run 3"))
        #expect(text.contains("1 case passed in every run that planned them"))
        #expect(text.contains("wait: 0.100 s, -, 0.500 s, 0.250 s"))
        let page = report.text(.html)
        #expect(page.contains("aria-label=\"from 0.100 s to 0.500 s\""))
        #expect(page.contains("broken since run 3"))
        #expect(page.contains("<h1 id=\"runs-h\">Runs</h1>"))
        // On a telephone runs are below each other, and a table by runs scrolls.
        #expect(page.contains("<table class=\"stack\"><caption class=\"hidden\">Runs"))
        #expect(page.components(separatedBy: "<table class=\"by-run\">").count == 3)
        #expect(page.contains(".by-run tbody th{min-width:8rem}"))
        let json = try Value(json: report.text(.json))
        #expect(json["cases"]?.arrayValue?[0]["brokenSince"] == 2)
        #expect(json["runs"]?.arrayValue?[3]["folder"] == "Reports/4")
    }

    private var matrix: DeviceMatrix {
        DeviceMatrix([
            ("a", run(1, [("same", .pass), ("differs", .pass)], device: "first")),
            ("b", run(2, [("same", .pass), ("differs", .fail), ("own", .pass)], device: "second")),
            ("c", run(3, [("same", .pass), ("differs", .pass)], device: "first")),
        ])
    }

    @Test("Devices are side by side, and two with the same name are distinguished")
    func sideBySide() throws {
        #expect(matrix.columns.map(\.label) == ["first 1.0", "second 1.0", "first 1.0 (2)"])
        let rows = Dictionary(uniqueKeysWithValues: matrix.cases.map { ($0.reference.id, $0.row) })
        #expect(rows["same"]?.isSame == true)
        #expect(rows["differs"]?.words == ["pass", "fail", "pass"])
        #expect(rows["own"]?.words == [nil, "pass", nil])
        #expect(
            DeviceMatrix.gravest(matrix.columns.map { $0.run.exit ?? .couldNotJudge })
                == .notConformant)
        let page = DeviceMatrixPage(matrix: matrix).text
        #expect(page.contains("href=\"b/index.html#case/registration-language/differs\""))
        let json = matrix.json
        #expect(json["devices"]?.arrayValue?[1]["label"] == "second 1.0")
        let xml = JUnitReport.text(of: matrix)
        #expect(xml.contains("<testsuite name=\"second 1.0/registration-language\""))
        _ = try XMLCheck.parse(Array(xml.utf8))
    }
}
