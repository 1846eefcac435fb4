import Foundation
import Judge
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import Reporting
@testable import Results

@Suite("The notes of a case, the time line of a run, and links to the repository")
struct CaseNotesTests {
    private let text: [Substring] = [
        "cases:", "  - expect: a", "    within: 1s", "    where: {b: 1}", "  - expect: c", "",
    ]

    private func position(_ line: Int, _ column: Int) -> SourcePosition {
        SourcePosition(file: "Suites/a b.yaml", line: line, column: column)
    }

    @Test("An excerpt has the line before, the line itself and the rest of its element")
    func excerpt() throws {
        let excerpt = try #require(SourceExcerpt(of: text, at: position(2, 5)))
        #expect(excerpt.first == 1)
        #expect(
            excerpt.lines == ["cases:", "  - expect: a", "    within: 1s", "    where: {b: 1}"])
        let last = try #require(SourceExcerpt(of: text, at: position(5, 5)))
        #expect(last.first == 4 && last.lines == ["    where: {b: 1}", "  - expect: c"])
        #expect(SourceExcerpt(of: text, at: position(7, 1)) == nil)
        #expect(SourceExcerpt(of: text, at: position(0, 1)) == nil)
        #expect(SourceExcerpt(of: [], at: position(1, 1)) == nil)
    }

    @Test("A caret is under the column of the failure")
    func caret() {
        let notes = CaseNotes(source: SourceExcerpt(of: text, at: position(2, 5)))
        let html = CaseNotesHTML(notes: notes).source
        #expect(
            html.contains(
                "<b>2 |   - expect: a</b>\n<b class=\"fail\">  |     ^</b>\n3 |     within"))
        #expect(HTMLCheck(html).faults == [])
    }

    @Test("The evidence of a case has the sentences of its definition and earlier verdicts")
    func noted() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let done = SampleRun.passing(2)
        func execute(_ name: String, _ started: Int64, _ mutant: String?) throws -> Evidence {
            var run = RunResult(header: done.header)
            run.header.id = name
            run.header.started = Moment(Timestamp(nanoseconds: started * 1_000_000_000))
            run.header.device.mutant = mutant
            var reporting = try RunReporting(folder: folder.path + "/\(name)", run: run)
            var result = done.cases[0]
            result.evidence = Evidence(origin: SampleRun.start, parties: ["device"])
            result.evidenceFile = CaseReference(result).evidencePath
            run.cases = [result.stored]
            reporting.consume(.ended(result), at: SampleRun.start, in: run)
            _ = reporting.finish(run, seconds: 1, interruption: nil)
            #expect(reporting.failures == [])
            let stored = try StoredRun(folder.path + "/\(name)").run.cases[0]
            return try #require(
                try EvidenceFiles(in: folder.path + "/\(name)").evidence(of: stored))
        }
        #expect(try execute("first", 100, nil).notes?.earlier == [])
        #expect(try execute("other", 150, "sends-early").notes?.earlier == [])
        #expect(try execute("second", 200, nil).notes?.earlier.map(\.run) == ["first"])
        let third = try #require(try execute("third", 300, nil).notes)
        #expect(third.earlier.map(\.run) == ["first", "second"])
        #expect(third.earlier.map(\.verdict) == [.pass, .pass])
        #expect(third.demands == [] && third.source == nil)
        // A run that is older than the others does not know them.
        #expect(try execute("late", 50, nil).notes?.earlier == [])
    }

    @Test(
        "CI engines name the repository",
        arguments: [
            (
                [
                    "CI_JOB_URL": "https://l/j/1", "CI_PROJECT_URL": "https://l/g/p",
                    "CI_COMMIT_SHA": "abc", "CI_PROJECT_DIR": "/builds/p",
                ], "https://l/g/p/-/blob/abc/tests/{file}#L{line}"
            ),
            (
                [
                    "GITHUB_SERVER_URL": "https://g", "GITHUB_REPOSITORY": "a/b",
                    "GITHUB_RUN_ID": "5", "GITHUB_SHA": "abc",
                    "GITHUB_WORKSPACE": "/builds/p/tests",
                ], "https://g/a/b/blob/abc/{file}#L{line}"
            ),
            (
                [
                    "GITHUB_SERVER_URL": "https://g", "GITHUB_REPOSITORY": "a/b",
                    "GITHUB_RUN_ID": "5", "GITHUB_SHA": "abc", "GITHUB_WORKSPACE": "/elsewhere",
                ], nil
            ),
            (["CI_JOB_URL": "https://l/j/1"], nil),
        ] as [([String: String], String?)])
    func repository(variables: [String: String], source: String?) {
        #expect(RunJob(in: "/builds/p/tests") { variables[$0] }?.source == source)
    }

    @Test("A position is a link if the job names the repository, and only for a file inside it")
    func links() {
        var job = RunJob(page: "x", source: "https://g/a/b/blob/abc/{file}#L{line}")
        #expect(
            FilePlace.html(position(7, 1), job)
                == "<a href=\"https://g/a/b/blob/abc/Suites/a%20b.yaml#L7\">Suites/a b.yaml:7</a>")
        #expect(FilePlace.html(position(7, 1), nil) == "Suites/a b.yaml:7")
        let outside = SourcePosition(file: "../x.yaml", line: 1, column: 1)
        #expect(FilePlace.html(outside, job) == "../x.yaml:1")
        job.source = "javascript:{file}"
        #expect(FilePlace.html(position(7, 1), job) == "Suites/a b.yaml:7")
    }

    @Test("Cases that overlap are below each other on the time line")
    func timeLine() {
        var run = SampleRun.passing(4)
        for (index, times) in [(0, 2.0), (1, 3.0), (2, 0.5), (9, 1)].enumerated() {
            run.cases[index].started = Timestamp(nanoseconds: Int64(times.0) * 1_000_000_000)
            run.cases[index].seconds = times.1
        }
        let line = RunTimeLine(HTMLReport(run))
        #expect(line.bars.map(\.lane) == [0, 1, 0, 0])
        #expect(line.bars.map(\.start) == [0, 1, 2, 9])
        #expect(line.html.contains("4 cases over time, at most 2 at once"))
        #expect(HTMLCheck(line.html).faults == [])
        run.cases.removeLast(3)
        #expect(RunTimeLine(HTMLReport(run)).html.isEmpty)
    }

    @Test("The executions of a case have a column each")
    func executions() {
        var result = SampleRun.passing(1).cases[0]
        #expect(ExecutionsTable(result) { $0 }.html.isEmpty)
        var failed = result
        failed.verdict = .fail
        failed.reason = Reason(.field, "wrong <value>")
        result.executions = [Execution(failed), Execution(result)]
        let html = ExecutionsTable(result) { "link \($0)" }.html
        #expect(
            html.contains("<th scope=\"col\">Execution 1</th><th scope=\"col\">Execution 2</th>"))
        #expect(html.contains("<th scope=\"row\">Reason</th><td>wrong &lt;value&gt;</td><td></td>"))
        #expect(HTMLCheck(html).faults == [])
    }

    @Test("Labels of the ladder are whole, whatever their length")
    func labels() throws {
        let words = (0..<40).map { "word\($0)" }.joined(separator: " ")
        var step = StepResult(
            part: .body, text: "expect: m {where: {a: \(words)}}", position: position(1, 1),
            outcome: .failed, act: StepAct(.expect, name: "m", from: "device", to: "hu"))
        var line = LadderLine(kind: .row(.missing), step: (1, step))
        line.isDivergence = true
        let short = LadderLine(kind: .row(.notReached), step: (2, step))
        func drawn(_ lines: [LadderLine], rule: String? = nil) -> String {
            LadderDrawing(
                lines, parties: ["device", "hu"], rule: rule, spacing: .byOrder, anchor: "x"
            ).svg(id: "i")
        }
        let svg = drawn([line, short])
        for number in 0..<40 { #expect(svg.contains("word\(number)")) }
        var broken = LadderLine(kind: .row(.extra))
        broken.isDivergence = true
        let rule = drawn([broken], rule: "never: m {where: {\(words)}}")
        for number in 0..<40 { #expect(rule.contains("word\(number)")) }
        step.text = #"send: tcp.bytes {text: "GET 9"} {from: client}"#
        #expect(StepText.conditions(step) == #"{text: "GET 9"} {from: client}"#)
        step.text = "expect: m {within: 2s, where: {a: {min: 1}}}"
        #expect(StepText.conditions(step) == "within: 2s, where: {a: {min: 1}}")
    }
}
