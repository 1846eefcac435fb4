import Foundation
import Judge
import Results
import Testing
import Trace
import Wire

@testable import Reporting

@Suite("Annotations at lines of suites")
struct AnnotationTests {
    @Test("Workflow commands of GitHub are right for every verdict and hostile text")
    func github() throws {
        let lines = GitHubAnnotations(SampleRun.run, root: "device").lines
        try Golden.expect(lines.joined(separator: "\n") + "\n", matches: "sample.github.txt")
    }

    @Test("GitLab's code quality report is right for every verdict and hostile text")
    func gitlab() throws {
        try Golden.expect(
            CodeQualityReport(SampleRun.run, root: "device").text,
            matches: "sample.codequality.json")
    }

    @Test("A run in which everything passes has no annotations")
    func nothing() throws {
        var run = SampleRun.passing()
        run.end(seconds: 1)
        #expect(GitHubAnnotations(run).lines.isEmpty)
        #expect(try Value(json: CodeQualityReport(run).text) == .array([]))
    }

    @Test("At most as many annotations as GitHub shows are written, and the rest is counted")
    func bounded() {
        let results = (0..<25).map {
            SampleRun.result("fails-\($0)", .fail, .field, "100% wrong", line: $0 + 1)
        }
        var run = RunResult(
            header: SampleRun.header(results.map(SampleRun.planned)), cases: results)
        run.end(seconds: 1)
        let lines = GitHubAnnotations(run).lines
        #expect(lines.count { $0.hasPrefix("::error ") } == 10)
        #expect(lines.last == "::notice title=conform::15 more, see the reports of the run")
        #expect(lines[0].contains("100%25 wrong"))
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("GitLab distinguishes findings and recognises them in the next run")
    func fingerprints() throws {
        func fingerprints(_ run: RunResult) throws -> [String] {
            let text = Array(CodeQualityReport(run).text.utf8)
            let findings = try Value(json: text.span.bytes).arrayValue ?? []
            return findings.compactMap { $0["fingerprint"]?.stringValue }
        }
        let first = try fingerprints(SampleRun.run)
        #expect(first.count > 10 && Set(first).count == first.count)
        var later = SampleRun.run
        later.header.started = Moment(SampleRun.start + .seconds(1000))
        #expect(try fingerprints(later) == first)
    }

    @Test("A file is named relative to the root of the repository")
    func paths() {
        #expect(AnnotatedCase.path("./Suites/a.yaml", below: "") == "Suites/a.yaml")
        #expect(AnnotatedCase.path("Suites/a.yaml", below: "app") == "app/Suites/a.yaml")
        #expect(AnnotatedCase.path("/tmp/a.yaml", below: "app") == "/tmp/a.yaml")
    }
}
