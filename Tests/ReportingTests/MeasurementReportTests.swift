import Judge
import Results
import Testing

@testable import Reporting

@Suite("Measurements in reports")
struct MeasurementReportTests {
    private var run: RunResult {
        var run = SampleRun.passing()
        run.cases[0].measurements = [
            Measurement(name: "time to register <over> multisession", seconds: 0.0124),
            Measurement(name: "sessions", count: 2, frames: [3, 9]),
        ]
        run.end(seconds: 1)
        return run
    }

    @Test("The console shows each measurement with its case, and nothing where nothing is measured")
    func console() {
        let console = ConsoleReport(style: .plain, folder: "Reports/sample")
        let lines = console.closing(run).filter { $0.contains("measured: ") }
        #expect(
            lines == [
                "measured: time to register <over> multisession 12 ms "
                    + "(registration-language/passes-0)",
                "measured: sessions 2 messages (registration-language/passes-0)",
            ])
        var other = SampleRun.passing()
        other.end(seconds: 1)
        #expect(!console.closing(other).contains { $0.contains("measured") })
    }

    @Test("JUnit has measurements as properties of the case")
    func junit() {
        let text = JUnitReport(run).text
        #expect(
            text.contains(
                "<property name=\"conform.measured.sessions\" value=\"2 messages\"/>"))
        #expect(
            text.contains(
                "name=\"conform.measured.time to register &lt;over&gt; multisession\""
                    + " value=\"12 ms\""))
    }

    @Test("The pages have a table of measurements")
    func pages() {
        let summary = SummaryReport(run).text
        #expect(summary.contains("| sessions | 2 messages | registration-language/passes-0 |"))
        let page = HTMLReport(run).text
        #expect(page.contains("<th scope=\"row\">sessions</th><td>2 messages</td>"))
        #expect(page.contains("time to register &lt;over&gt; multisession"))
        #expect(!HTMLReport(SampleRun.passing()).text.contains("id=\"measurements\""))
    }
}
