import Foundation
import Runner
import Testing
import Trace
import Verdicts

@testable import Reports

@Suite("The report folder")
struct ReportFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "conform-reports-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path())
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test("All reports are whole after every case, and no draft is left")
    func whole() throws {
        try withFolder { path in
            let done = SampleRun.passing(3)
            var run = RunResult(header: done.header)
            let copy = path + "/elsewhere/copy.xml"
            var folder = try ReportFolder(path: path, header: run.header, junitCopy: copy)
            for result in done.cases {
                folder.caseStarted(CaseReference(result), at: SampleRun.start)
                run.cases.append(result)
                folder.caseEnded(result, result: run)
                let journal = try Journal.run(from: try bytes(path + "/journal.jsonl"))
                #expect(journal.audit.judged.total == run.cases.count, "the journal is never late")
                let stored = try ResultsFile.run(from: try bytes(path + "/results.json"))
                #expect(stored.exit == nil && stored.audit.planned == 3)
                _ = try XMLCheck.parse(try bytes(path + "/junit.xml"))
            }
            run.end(seconds: 1)
            #expect(folder.finish(run) && folder.failures.isEmpty)
            #expect(try ResultsFile.run(from: try bytes(path + "/results.json")) == run)
            #expect(try Journal.run(from: try bytes(path + "/journal.jsonl")) == run)
            #expect(try bytes(path + "/junit.xml") == Array(JUnitReport(run).text.utf8))
            #expect(try bytes(copy) == bytes(path + "/junit.xml"))
            #expect(try bytes(path + "/summary.md") == Array(SummaryReport(run).text.utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(
                names.sorted() == [
                    "captures", "elsewhere", "journal.jsonl", "junit.xml", "logs", "results.json",
                    "summary.md",
                ])
        }
    }

    @Test("A report that cannot be written is told with path, cause and advice, and stops nothing")
    func unwritable() throws {
        try withFolder { path in
            let run = SampleRun.passing(1)
            var folder = try ReportFolder(path: path, header: run.header)
            try FileManager.default.removeItem(atPath: path + "/summary.md")
            try FileManager.default.createDirectory(
                atPath: path + "/summary.md/in-the-way", withIntermediateDirectories: true)
            #expect(!folder.finish(run))
            #expect(!folder.finish(run))
            let failure = try #require(folder.failures.first)
            #expect(folder.failures.count == 1, "each thing is told once")
            #expect(failure.path == path + "/summary.md")
            #expect(failure.description.contains("directory"))
            #expect(failure.advice.contains("--reports"))
            #expect(try ResultsFile.run(from: try bytes(path + "/results.json")).cases == run.cases)
        }
    }

    @Test("A folder that cannot be made is an error with the part that is in the way")
    func inTheWay() throws {
        try withFolder { path in
            try Data().write(to: URL(filePath: path))
            let error = #expect(throws: ReportError.self) {
                try ReportFolder(path: path + "/run", header: SampleRun.header([]))
            }
            #expect(error?.path == path || error?.path == path + "/run")
            #expect(error?.advice.contains("in the way") == true)
        }
    }

    @Test("Two runs that begin at once get two folders")
    func freshNames() throws {
        try withFolder { path in
            let moment = Moment(SampleRun.start)
            let names = try (0..<3).map { _ in try ReportFolder.freshName(in: path, at: moment) }
            #expect(
                names == ["", "-2", "-3"].map { "\(path)/2026-01-02T03-04-05Z\($0)" })
        }
    }

    @Test("Rewriting waits nine times as long as it took")
    func cadence() {
        var cadence = RewriteCadence()
        let start = ContinuousClock.now
        #expect(cadence.isDue(at: start))
        cadence.wrote(from: start, to: start + .milliseconds(10))
        #expect(!cadence.isDue(at: start + .milliseconds(99)))
        #expect(cadence.isDue(at: start + .milliseconds(100)))
    }

    @Test("Two thousand cases are written in no more than a few seconds", .timeLimit(.minutes(1)))
    func speed() throws {
        try withFolder { path in
            let done = SampleRun.passing(2000)
            var run = RunResult(header: done.header)
            var folder = try ReportFolder(path: path, header: run.header)
            let time = ContinuousClock().measure {
                for result in done.cases {
                    run.cases.append(result)
                    folder.caseEnded(result, result: run)
                }
                run.end(seconds: 1)
                folder.finish(run)
            }
            #expect(folder.failures.isEmpty)
            #expect(time < .seconds(20))
            #expect(try Journal.run(from: try bytes(path + "/journal.jsonl")).cases.count == 2000)
        }
    }
}
