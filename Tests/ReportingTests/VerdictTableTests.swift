import Judge
import Results
import Testing

@testable import Reporting

@Suite("The table of cases by captures")
struct VerdictTableTests {
    private func result(
        _ testCase: String, _ capture: String, _ verdict: Verdict, connection: String? = nil
    ) -> CaseResult {
        let id = "\(testCase)@\(capture)" + (connection.map { " \($0)" } ?? "")
        var result = SampleRun.result(
            id, verdict, verdict == .pass ? nil : .sequence, verdict == .pass ? "" : "it is wrong",
            line: 10)
        result.subject = CaseSubject(
            testCase: testCase, capture: capture, connection: connection)
        return result
    }

    private func run(_ results: [CaseResult], folder: String = "") -> RunResult {
        var run = RunResult(header: SampleRun.header(results.map(SampleRun.planned)))
        run.header.folder = folder
        run.header.command = ["conform", "check", "a.yaml", "captures"]
        run.cases = results
        run.end(seconds: 1)
        return run
    }

    /// Returns every case on every capture; some fail, are inconclusive, or do not apply.
    private func results(cases: Int, captures: Int) -> [CaseResult] {
        (0..<captures).flatMap { capture in
            (0..<cases).map { number in
                let verdict: Verdict =
                    capture % 10 == 3 && number == 2
                    ? .fail : capture % 4 == 1 && number > 5 ? .inconclusive : .pass
                return result(
                    "case-\(number)", "traces/day/trace-\(capture).pcapng",
                    number == cases - 1 ? .skipped : verdict)
            }
        }
    }

    private func console(
        _ run: RunResult, _ level: LiveConsole.Level, folder: String = "", style: Style = .plain
    ) -> String {
        var console = LiveConsole(
            ConsoleReport(style: style, folder: folder), level: level, isLive: false,
            isTabled: true)
        let lines = run.cases.map { console.consume(.ended($0), elapsed: 0) }.joined()
        return lines + console.closing(run)
    }

    @Test("The console is right for several captures")
    func golden() throws {
        var results = results(cases: 7, captures: 12)
        results[3].verdict = .error
        results.append(result("only-here", "traces/own.pcap", .known))
        try Golden.expect(console(run(results), .normal), matches: "captures.console.txt")
        let style = Style(isTerminal: true, noColor: nil, columns: 60)
        try Golden.expect(
            console(run(results), .quiet, folder: "Reports/x", style: style),
            matches: "captures.coloured.console.txt")
    }

    @Test("A hundred captures by twelve cases fit three screens with --quiet, and each is named")
    func quiet() {
        let results = results(cases: 12, captures: 106)
        let text = console(run(results), .quiet)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 3 * 40)
        #expect(VerdictTable(results).lines(.plain).allSatisfy { $0.count <= 100 })
        for capture in 0..<106 {
            #expect(text.contains("trace-\(capture).pcapng"), "\(capture)")
        }
        #expect(text.contains("12 cases by 106 captures in traces/day/\n"))
        #expect(text.contains("totals: 1272 verdicts: 11 fail, "))
    }

    @Test("Each judged case and capture has a line; --verbose also shows explanations")
    func levels() {
        let run = run(results(cases: 4, captures: 5))
        let lines = console(run, .normal).split(separator: "\n")
        #expect(lines.count { $0.contains(" s  ") && $0.contains("@traces/day/") } == 15)
        #expect(!lines.contains { $0.contains("expected    ") })
        #expect(lines.contains { $0.hasPrefix("explanations: --verbose prints them, --reports") })
        let verbose = console(run, .verbose)
        #expect(verbose.contains("expected    ") && verbose.contains("4 cases by 5 captures"))
        let quiet = console(run, .quiet, folder: "Reports/x").split(separator: "\n")
        #expect(!quiet.contains { $0.contains(" s  ") })
        #expect(
            quiet.contains { $0 == "explanations: --verbose prints them; the reports have them" })
    }

    @Test("The row of a failure comes first, and captures with the same verdicts share a row")
    func rows() {
        let lines = VerdictTable(results(cases: 12, captures: 106)).lines(.plain)
        let rows = lines.filter { $0.contains(" x  ") }
        #expect(rows.count == 4)
        #expect(rows[0].contains("F") && rows[1].contains("F") && !rows[2].contains("F"))
        let counts = rows.map { Int($0.split(separator: " ")[0]) ?? 0 }
        #expect(counts.reduce(0, +) == 106)
    }

    @Test("Connections of one capture share a row, with their number")
    func connections() {
        let results = (0..<30).map {
            result("holds", "a.pcap", $0 == 7 ? .fail : .pass, connection: "tcp.stream \($0)")
        }
        let text = VerdictTable(results).lines(.plain).joined(separator: "\n")
        #expect(text.contains("1 x  F  a.pcap (tcp.stream 7)"))
        #expect(text.contains("29 x  .  a.pcap (29 connections, the first tcp.stream 0)"))
        #expect(text.contains("1 case by 1 capture\n"))
    }

    @Test("Columns that do not fit a line are split into lines, and none is lost")
    func wide() {
        let verdicts: [Verdict] = [.pass, .fail, .inconclusive, .error, .skipped, .known, .flaky]
        let results = (0..<4).flatMap { capture in
            (0..<130).map { number in
                var place = number
                for _ in 0..<capture { place /= 7 }
                return result("c\(number)", "x\(capture).pcap", verdicts[place % 7])
            }
        }
        let lines = VerdictTable(results).lines(.plain)
        #expect(lines.allSatisfy { $0.count <= 100 })
        for number in 0..<130 {
            #expect(lines.contains { $0.hasSuffix("  c\(number)") }, "\(number)")
        }
        let signs = lines.filter { $0.contains(" x  ") }.compactMap {
            $0.split(separator: "x  ").last
        }
        #expect(signs.count == 4 && signs.allSatisfy { $0.count == 54 })
    }

    @Test("A run of live cases has no table")
    func live() {
        #expect(VerdictTable(SampleRun.cases).lines(.plain).isEmpty)
        #expect(ConsoleReport(folder: "").table(SampleRun.run).isEmpty)
    }
}
