import Judge
import Live
import Results
import Testing

@testable import Reporting

@Suite("Known failures and repetitions in reports")
struct PolicyReportTests {
    private static let finding =
        "known.yaml:3:5: the known failure \"othr\" of R-1 matches no case; did you mean \"other\"?"

    /// A run in which every case passed and an entry of the list of known failures matched nothing.
    private var run: RunResult {
        let results = SampleRun.run.cases.filter { $0.verdict == .pass }
        var header = SampleRun.header(results.map(SampleRun.planned))
        header.knownFindings = [Self.finding]
        var run = RunResult(header: header, cases: results)
        run.end(seconds: 1)
        return run
    }

    @Test("An entry that matches nothing fails the run, and each report names it")
    func staleEntry() {
        let run = run
        #expect(run.exit == .notConformant)
        let console = ConsoleReport(folder: "").closing(run).joined(separator: "\n")
        #expect(console.contains("known failures that expired or match no case: 1; none failed"))
        #expect(console.contains(Self.finding))
        #expect(SummaryReport(run).text.contains("known.yaml:3:5"))
        let junit = JUnitReport(run).text
        #expect(junit.contains("<testcase name=\"known-failures\" classname=\"conform.run\""))
        #expect(junit.contains("type=\"conform.known-failures\""))
        #expect(junit.contains("failures=\"1\""))
    }

    @Test("Findings and executions are kept in the results file")
    func resultsFile() throws {
        var run = run
        let passes = [run.cases[0], run.cases[0]]
        run.cases[0] = try #require(AttemptPolicy.repeated(2).folded(passes))
        let back = try ResultsFile.run(from: ResultsFile.bytes(of: run))
        #expect(back.header.knownFindings == [Self.finding])
        #expect(back.casesInPlanOrder[0].executions?.count == 2)
    }

    @Test("The console shows the failure rate of a repeated case")
    func rate() throws {
        let passes = [run.cases[0], run.cases[0]]
        let result = try #require(AttemptPolicy.repeated(2).folded(passes))
        let line = ConsoleReport(folder: "").line(result)
        #expect(line.hasSuffix("[failed in 0 of 2 runs (0.0 %, 95 % interval 0.0 % to 65.8 %)]"))
    }

    @Test("JUnit has the failure rate as a property, also of a case that passed")
    func rateInJUnit() throws {
        var run = run
        run.cases[0] = try #require(AttemptPolicy.repeated(2).folded([run.cases[0], run.cases[0]]))
        let property = "<property name=\"conform.executions\" value=\"failed in 0 of 2 runs"
        #expect(JUnitReport(run).text.contains(property))
    }

    @Test("A run with a flaky case does not say that all passed")
    func flaky() throws {
        let pass = run.cases[0]
        var failed = pass
        failed.verdict = .fail
        failed.reason = Reason(.sequence, "no answer")
        var header = run.header
        header.knownFindings = nil
        var flaky = RunResult(
            header: header,
            cases: [try #require(AttemptPolicy.retried(1).folded([failed, pass]))]
                + run.cases.dropFirst())
        flaky.end(seconds: 1)
        #expect(flaky.exit == .conformant)
        let console = ConsoleReport(folder: "").closing(flaky).joined(separator: "\n")
        #expect(console.contains("1 of them flaky"))
        flaky.header.strict = true
        flaky.end(seconds: 1)
        #expect(flaky.exit == .notConformant)
    }
}
