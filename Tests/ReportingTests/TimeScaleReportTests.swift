import SuiteLanguage
import Testing
import Wire

@testable import Reporting

@Suite("Reports of a run at a time scale")
struct TimeScaleReportTests {
    private func texts(_ scale: TimeScale?) throws -> [(name: String, text: String)] {
        var run = SampleRun.passing()
        run.header.timeScale = scale
        let console = ConsoleReport(folder: "Reports/run")
        let results = try ResultsFile.bytes(of: run)
        return [
            ("console", console.opening(run.header).joined(separator: "\n")),
            ("end of the console", console.closing(run).joined(separator: "\n")),
            ("JUnit", JUnitReport(run).text),
            ("results", String(decoding: results, as: UTF8.self)),
            ("summary", SummaryReport(run).text),
            ("page", HTMLReport(run).text),
        ]
    }

    @Test("Each report names a scale other than 1")
    func named() throws {
        for (name, text) in try texts(TimeScale(12.5)) {
            #expect(text.contains("12.5"), "\(name)")
        }
    }

    @Test("No report mentions the scale 1")
    func silent() throws {
        for (name, text) in try texts(nil) {
            #expect(!text.lowercased().contains("time scale"), "\(name)")
            #expect(!text.contains("timeScale"), "\(name)")
        }
    }
}
