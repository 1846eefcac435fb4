import Foundation
import Judge
import SuiteLanguage
import Testing

@testable import Reporting
@testable import Results

@Suite("Markdown")
struct SummaryReportTests {
    @Test("The comment is right for every verdict, reason and hostile text")
    func comment() throws {
        try Golden.expect(
            SummaryReport(SampleRun.run, for: .comment).text, matches: "sample.comment.md")
    }

    @Test("The page and the comment stay within their limits, and say what they leave out")
    func limits() {
        let long = String(repeating: "wrong | `text` @someone ", count: 100)
        let results = (0..<500).map { number in
            var result = SampleRun.result("case-\(number)", .fail, .field, long, line: number)
            result.reason?.explanation?.requirements[0].text = long
            return result
        }
        var header = SampleRun.header(results.map(SampleRun.planned))
        header.suites[0].requirements = (0..<2000).map { number in
            var requirement = SampleRun.requirements[0]
            requirement.id = "R-\(number)"
            requirement.text = long
            return requirement
        }
        header.knownFindings = (0..<1000).map { "known.yaml:\($0):1: \(long)" }
        var run = RunResult(header: header, cases: results)
        run.end(seconds: 1)
        for (place, limit) in [(SummaryReport.Place.job, 1_048_576), (.comment, 65_536)] {
            let text = SummaryReport(run, for: place).text
            #expect(text.utf8.count < limit)
            #expect(text.utf8.count > limit / 8)
            #expect(text.contains("not conformant: 500 failed of 500 planned cases"))
            #expect(text.contains("| 500 | 500 | 500 |"), "the audit is always there")
            #expect(text.contains("more in `results.json`"))
            #expect(!text.contains("@someone"), "nobody is mentioned")
        }
    }

    @Test("A text that is longer than the page does not displace the verdict")
    func oneLongText() {
        let long = String(repeating: "x", count: 2_000_000)
        let result = SampleRun.result("long", .fail, .field, long, line: 1)
        var run = RunResult(
            header: SampleRun.header([SampleRun.planned(result)]), cases: [result])
        run.end(seconds: 1)
        for place in SummaryReport.Place.allCases {
            let text = SummaryReport(run, for: place).text
            #expect(text.utf8.count < (place == .job ? 1_048_576 : 65_536))
            #expect(text.contains("not conformant"))
        }
    }

    @Test("In a CI job the page links to the job and, where the engine has them, to the files")
    func links() {
        var run = SampleRun.run
        run.header.job = RunJob(page: "https://ci.example/job/7")
        #expect(SummaryReport(run).text.contains("[The job](https://ci.example/job/7)"))
        run.header.job = RunJob(page: "https://x/7", artifacts: "https://x/7/artifacts/file/")
        let text = SummaryReport(run).text
        #expect(text.contains("(https://x/7/artifacts/file/Reports/sample/junit.xml)"))
        #expect(text.contains("(https://x/7/artifacts/file/Reports/sample/captures/registration"))
        run.header.job = RunJob(page: "https://x/)oops(")
        #expect(!SummaryReport(run).text.contains("oops"))
    }

    @Test(
        "The job is recognised by its engine's variables",
        arguments: [
            (["CI_JOB_URL": "https://l/1"], "https://l/1", "https://l/1/artifacts/file/"),
            (
                [
                    "GITHUB_SERVER_URL": "https://g", "GITHUB_REPOSITORY": "a/b",
                    "GITHUB_RUN_ID": "5",
                ], "https://g/a/b/actions/runs/5", nil
            ),
            (
                ["JENKINS_URL": "https://j/", "BUILD_URL": "https://j/job/x/3/"],
                "https://j/job/x/3/", "https://j/job/x/3/artifact/"
            ),
            (["BUILD_URL": "https://j/job/x/3/"], nil, nil), (["CI_JOB_URL": ""], nil, nil),
        ] as [([String: String], String?, String?)])
    func job(variables: [String: String], page: String?, artifacts: String?) {
        let job = RunJob { variables[$0] }
        #expect(job?.page == page && job?.artifacts == artifacts)
    }

    @Test("The page of a shard says so")
    func shard() {
        var run = SampleRun.passing(2)
        var plan = run.header.planned
        plan.append(SampleRun.planned(SampleRun.result("elsewhere", .pass, line: 9)))
        run.header.shard = RunShard(index: 2, total: 3, plan: plan)
        run.end(seconds: 1)
        let words = "shard 2/3 of a plan of 3 cases, 1 of them in the other shards"
        #expect(SummaryReport(run).text.contains(words))
        #expect(JUnitReport(run).text.contains(words))
        let console = ConsoleReport(folder: "x").closing(run).joined(separator: "\n")
        #expect(console.contains(words))
        #expect(console.contains("all 2 planned cases of shard 2/3 passed"))
    }

    @Test("Parties that broke a protocol have the same order, whatever order cases ended in")
    func violations() {
        func result(_ id: String, _ party: String) -> CaseResult {
            var result = SampleRun.result(id, .pass, line: 1)
            result.violations = [
                ProtocolViolation(
                    party: party, isOfDevice: false, message: "sdl.Show.request", text: "wrong",
                    count: 2, frames: [1])
            ]
            return result
        }
        let cases = [result("a", "phone"), result("b", "hu"), result("c", "phone")]
        let line = "protocol: hu: 2 violations in 1 case; phone: 4 violations in 2 cases"
        var header = SampleRun.run.header
        header.command = ["conform", "check", "s.yaml", "c.pcapng"]
        #expect(ViolationText.line(cases, of: header) == line)
        #expect(ViolationText.line(cases.reversed(), of: header) == line)
        header.command = ["conform", "run", "s.yaml"]
        #expect(ViolationText.line(cases, of: header) == nil, "peers of conform do as suites want")
    }
}
