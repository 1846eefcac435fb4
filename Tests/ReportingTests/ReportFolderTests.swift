import Foundation
import Judge
import Results
import TestSupport
import Testing
import Trace

@testable import Reporting

@Suite("The report folder")
struct ReportFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        try body(folder.path + "/reports")
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test("All reports are complete after every case, and no draft is left")
    func whole() throws {
        try withFolder { path in
            let done = SampleRun.passing(3)
            var run = RunResult(header: done.header)
            let copy = path + "/elsewhere/copy.xml"
            var folder = try ReportFolder(
                creating: path,
                further: RequestedReports(
                    junit: copy, named: ["gitlab": path + "/elsewhere/quality.json"]))
            try folder.begin(run)
            for var result in done.cases {
                result.evidenceFile = CaseReference(result).evidencePath
                try folder.started(CaseReference(result), at: SampleRun.start)
                run.cases.append(result)
                try folder.ended(result, in: run)
                let journal = try Journal.run(from: try bytes(path + "/journal.jsonl"))
                #expect(journal.audit.judged.total == run.cases.count, "the journal is never late")
                let stored = try ResultsFile.run(from: try bytes(path + "/results.json"))
                #expect(stored.exit == nil && stored.audit.planned == 3)
                _ = try XMLCheck.parse(try bytes(path + "/junit.xml"))
                let page = String(decoding: try bytes(path + "/index.html"), as: UTF8.self)
                #expect(HTMLCheck(page).faults == [] && page.hasSuffix("</html>\n"))
                let own = try bytes("\(path)/\(CaseReference(result).pagePath)")
                #expect(HTMLCheck(String(decoding: own, as: UTF8.self)).faults == [])
            }
            run.end(seconds: 1)
            try folder.finish(run)
            var stored = try ResultsFile.run(from: try bytes(path + "/results.json"))
            #expect(stored.files?["journal.jsonl"] != nil)
            stored.files = nil
            #expect(stored == run)
            #expect(try Journal.run(from: try bytes(path + "/journal.jsonl")) == run)
            #expect(try bytes(path + "/junit.xml") == Array(JUnitReport(run).text.utf8))
            #expect(try bytes(copy) == bytes(path + "/junit.xml"))
            #expect(try bytes(path + "/summary.md") == Array(SummaryReport(run).text.utf8))
            #expect(
                try bytes(path + "/elsewhere/quality.json")
                    == Array(CodeQualityReport(run).text.utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(
                names.sorted() == [
                    "captures", "cases", "elsewhere", "evidence", "index.html", "journal.jsonl",
                    "junit.xml",
                    "logs", "results.json", "summary.md",
                ])
        }
    }

    @Test("An unwritable report is an error with path, cause and advice; others are written")
    func unwritable() throws {
        try withFolder { path in
            let run = SampleRun.passing(1)
            var folder = try ReportFolder(creating: path)
            try folder.begin(run)
            for name in ["junit.xml", "journal.jsonl"] {
                try FileManager.default.removeItem(atPath: "\(path)/\(name)")
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(name)/in-the-way", withIntermediateDirectories: true)
            }
            let error = #expect(throws: ReportError.self) { try folder.finish(run) }
            #expect(error?.path == path + "/junit.xml")
            #expect(error?.cause.contains("directory") == true)
            #expect(error?.description.contains("--reports DIR") == true)
            #expect(try ResultsFile.run(from: try bytes(path + "/results.json")).cases == run.cases)
            #expect(try bytes(path + "/summary.md") == Array(SummaryReport(run).text.utf8))
        }
    }

    @Test("A folder that cannot be created is an error with the part that is in the way")
    func inTheWay() throws {
        try withFolder { path in
            try Data().write(to: URL(filePath: path))
            let error = #expect(throws: ReportError.self) {
                try ReportFolder(creating: path + "/run")
            }
            #expect(error?.path == path || error?.path == path + "/run")
            #expect(error?.advice.contains("in the way") == true)
        }
    }

    @Test("Rewriting takes a twentieth of the time, although it takes longer each time")
    func cadence() {
        var cadence = RewriteCadence()
        let start = ContinuousClock.now
        #expect(cadence.isDue(at: start, caseCount: 0))
        cadence.wrote(from: start, to: start + .milliseconds(10), caseCount: 1)
        #expect(!cadence.isDue(at: start + .milliseconds(399), caseCount: 1))
        #expect(cadence.isDue(at: start + .milliseconds(400), caseCount: 1))
        #expect(!cadence.isDue(at: start + .milliseconds(400), caseCount: 2))
        var slow = RewriteCadence()
        slow.wrote(from: start, to: start + .milliseconds(20), caseCount: 0)
        #expect(slow.isDue(at: start + .milliseconds(800), caseCount: 50), "what is fixed stays")
        var (spent, count) = (Duration.milliseconds(10), 1)
        for second in 1...3600 {
            let now = start + .seconds(second)
            guard cadence.isDue(at: now, caseCount: second) else { continue }
            // It takes one millisecond per case.
            let length = Duration.milliseconds(second)
            cadence.wrote(from: now, to: now + length, caseCount: second)
            (spent, count) = (spent + length, count + 1)
            #expect(spent <= .seconds(second) / 20)
        }
        #expect(count > 8)
    }

    @Test("A report that takes long compared with the cases is rarely written before the end")
    func fastCases() {
        var cadence = RewriteCadence()
        let start = ContinuousClock.now
        cadence.wrote(from: start, to: start + .milliseconds(1), caseCount: 0)
        var count = 0
        for number in 1...2000
        where cadence.isDue(
            at: start + .milliseconds(10 * number), caseCount: number)
        {
            let now = start + .milliseconds(10 * number)
            cadence.wrote(from: now, to: now + .milliseconds(number), caseCount: number)
            count += 1
        }
        #expect(count < 5)
    }

    @Test(
        "The time to write five hundred cases does not grow with their square",
        .timeLimit(.minutes(1)))
    func speed() throws {
        try withFolder { path in
            let done = SampleRun.passing(500)
            var run = RunResult(header: done.header)
            var folder = try ReportFolder(creating: path)
            try folder.begin(run)
            let time = try ContinuousClock().measure {
                for result in done.cases {
                    run.cases.append(result)
                    try folder.ended(result, in: run)
                }
                run.end(seconds: 1)
                try folder.finish(run)
            }
            #expect(time < .seconds(10))
            #expect(try Journal.run(from: try bytes(path + "/journal.jsonl")).cases.count == 500)
        }
    }
}
