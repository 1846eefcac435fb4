import BuiltInProtocols
import Foundation
import Judge
import SuiteLanguage
import Testing
import Trace

@testable import Reporting
@testable import Results

@Suite("The expected reports")
struct GoldenReportTests {
    @Test("JUnit is right for every verdict, every reason and hostile text")
    func junit() throws {
        try Golden.expect(JUnitReport(SampleRun.run).text, matches: "sample.junit.xml")
    }

    @Test("JUnit is right for a run in which everything passes, and for one that is not finished")
    func junitOfPasses() throws {
        var run = SampleRun.passing()
        run.cases.removeLast()
        try Golden.expect(JUnitReport(run).text, matches: "unfinished.junit.xml")
        run = SampleRun.passing()
        run.end(seconds: 2.5)
        try Golden.expect(JUnitReport(run).text, matches: "passing.junit.xml")
    }

    @Test("results.json is right for every verdict, every reason and hostile text")
    func results() throws {
        let bytes = try ResultsFile.bytes(of: SampleRun.run)
        try Golden.expect(String(decoding: bytes, as: UTF8.self), matches: "sample.results.json")
    }

    @Test("summary.md is right for every verdict, and for passes only")
    func summary() throws {
        try Golden.expect(SummaryReport(SampleRun.run).text, matches: "sample.summary.md")
        var run = SampleRun.passing()
        run.end(seconds: 2.5)
        try Golden.expect(SummaryReport(run).text, matches: "passing.summary.md")
    }

    @Test("The console is right without colour")
    func plainConsole() throws {
        try Golden.expect(console(.plain), matches: "sample.console.txt")
    }

    @Test("The console is right in colour and narrow")
    func colouredConsole() throws {
        let style = Style(isTerminal: true, noColor: nil, columns: 72)
        try Golden.expect(console(style), matches: "coloured.console.txt")
    }

    private func console(_ style: Style) -> String {
        let run = SampleRun.run
        let console = ConsoleReport(style: style, folder: run.header.folder)
        let cases = run.casesInPlanOrder
        let lines =
            console.opening(run.header) + cases.map(console.line)
            + cases.flatMap(console.explanation) + console.closing(run)
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("The plan is listed")
    func plan() throws {
        let planned = SampleRun.run.header.planned
        let skips = zip(planned.suffix(3), ["no voice", "no time", "no voice"]).map {
            PlanReport.Skip($0, reason: $1)
        }
        let lines = PlanReport.lines(suites: SampleRun.suites, planned: planned, skips: skips)
        try Golden.expect(lines.joined(separator: "\n") + "\n", matches: "sample.list.txt")
    }

    @Test("A part of the plan lists only its suites, and no unchecked requirements")
    func part() {
        let planned = SampleRun.run.header.planned.filter { $0.suite == "registration-language" }
        let lines = PlanReport.lines(
            suites: SampleRun.suites, planned: Array(planned.prefix(1)), isWhole: false)
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.last?.hasPrefix("1 case of 1 suite; 2 of ") == true)
        let none = PlanReport.lines(suites: SampleRun.suites, planned: [], isWhole: false)
        #expect(none.count == 1 && none[0].hasPrefix("0 cases of 2 suites; 0 of "))
    }

    @Test("Cases are explained in plain sentences", arguments: ["explain", "explain-language"])
    func cases(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let suite = try SuiteLoader(.builtIn).load(
            path: folder.appending(path: "Golden/\(name).yaml").path)
        let lines = suite.cases.flatMap { testCase in
            var testCase = testCase
            testCase.position.file = "\(name).yaml"
            return CaseInWords.lines(of: testCase, in: suite) + [""]
        }
        try Golden.expect(lines.joined(separator: "\n"), matches: "sample.\(name).txt")
    }

    @Test("The table of mutants is right")
    func proof() throws {
        let proofs = [
            MutantProof(mutant: nil, requirements: [], killers: [], outcome: .survived),
            MutantProof(
                mutant: "sends-early", requirements: ["CRM-3", "CRM-7"],
                killers: ["language/before-response", "language/other"], outcome: .killed),
            MutantProof(
                mutant: "sends-twice", requirements: ["CRM-5"], killers: [], outcome: .survived),
            MutantProof(
                mutant: "any-language", requirements: ["CRM-1"], killers: [], outcome: .wrongCase),
        ]
        let lines = ProofReport.lines(proofs)
        try Golden.expect(lines.joined(separator: "\n") + "\n", matches: "sample.prove.txt")
        #expect(
            ProofReport.line(proofs[1], done: 2, total: 4)
                == "2 of 4 devices: sends-early: killed by language/before-response (+1)")
        #expect(
            ProofReport.line(proofs[2], done: 3, total: 4)
                == "3 of 4 devices: sends-twice: \(MutantProof.Outcome.survived.rawValue)")
    }

    @Test("Mutants that are left out are named")
    func leftOut() {
        #expect(ProofReport.hidden([]).isEmpty)
        let mutants = ["opens-anything", "asks-for-more"].map {
            Mutant(name: $0, role: "sdl.app", requirements: ["CRM-1"])
        }
        let lines = ProofReport.hidden(mutants)
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix("on this carrier: opens-anything, asks-for-more"))
    }

    @Test("Colour needs a terminal and no NO_COLOR")
    func colour() {
        #expect(Style(isTerminal: true, noColor: nil).colour)
        #expect(Style(isTerminal: true, noColor: "").colour)
        #expect(!Style(isTerminal: true, noColor: "1").colour)
        #expect(!Style(isTerminal: false, noColor: nil).colour)
    }

    @Test("No shown text can control a terminal")
    func noControl() {
        let text = console(.plain) + SummaryReport(SampleRun.run).text
        let control = text.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202E}")
        }
        #expect(control.isEmpty)
    }

    @Test("Seconds have three decimals and a point, also for odd values")
    func seconds() {
        #expect(NumberText.seconds(0.0005) == "0.001")
        #expect(NumberText.seconds(1.9996) == "2.000")
        #expect(NumberText.seconds(12_345.678) == "12345.678")
        #expect(NumberText.seconds(.nan) == "0.000")
        #expect(NumberText.seconds(.infinity) == "0.000")
        #expect(NumberText.seconds(-1) == "0.000")
        #expect(NumberText.seconds(1e300) == "9000000000000.000")
    }

    @Test("Wrapped text loses only the blanks where it is cut")
    func wrapping() {
        let text =
            "one two \u{1F600}\u{1F600}\u{1F600} threefourfivesixseven eight \u{4E2D}\u{6587}"
        for width in 2...60 {
            let pieces = Columns.wrapped(text, to: width)
            #expect(pieces.allSatisfy { Columns.width(of: $0) <= width })
            #expect(pieces.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }

    @Test(
        "Text is wrapped between words, and within a long word at a joint",
        arguments: [
            (
                "expect: sdl.RegisterAppInterface.request {within: 5s}", 38,
                ["expect:", "sdl.RegisterAppInterface.request", "{within: 5s}"]
            ),
            (
                "sdl.StartService {params.protocolVersion: 5.4.0}", 38,
                ["sdl.StartService", "{params.protocolVersion: 5.4.0}"]
            ),
            ("{params.protocolVersion: 5.4.0}", 16, ["{params.", "protocolVersion:", "5.4.0}"]),
            (
                "one sdl.RegisterAppInterface.request", 26,
                ["one sdl.", "RegisterAppInterface.", "request"]
            ),
            (
                "sdl.RegisterAppInterface.request {params.languageDesired: EN-US}", 23,
                [
                    "sdl.", "RegisterAppInterface.", "request {params.", "languageDesired: EN-US}",
                ]
            ),
            (
                "sdl.Start {params.languageDesired: a}", 20,
                ["sdl.Start {params.", "languageDesired: a}"]
            ),
            ("abcdefgh ij", 8, ["abcdefgh", "ij"]),
            ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ])
    func wrappingPlaces(text: String, width: Int, pieces: [String]) {
        #expect(Columns.wrapped(text, to: width) == pieces)
    }
}
