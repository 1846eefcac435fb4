import Foundation
import Judge
import Results
import System
import TestSupport
import Testing

@testable import Reporting

@Suite("Evidence in separate files")
struct EvidenceFilesTests {
    /// Writes the folder of a run step by step, as a live run does, and removes it after `body`.
    private func withRun(
        isFinished: Bool = true, _ body: (String, RunResult) throws -> Void
    ) throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let path = scratch.path + "/run"
        let sample = EvidenceSample.run
        var run = RunResult(header: sample.header)
        run.header.folder = path
        var folder = try ReportFolder(
            creating: path,
            further: RequestedReports(named: ["gitlab": path + "/quality.json"])
        )
        try folder.begin(run)
        for result in sample.cases {
            try folder.started(CaseReference(result), at: SampleRun.start)
            run.cases.append(result.stored)
            try folder.ended(result, in: run)
        }
        if isFinished {
            run.end(seconds: 12.5, interruption: .interrupt)
            try folder.finish(run)
        }
        try body(path, run)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Returns the files of a folder by their path in it.
    private func files(in path: String) throws -> [String: String] {
        var files: [String: String] = [:]
        let names = try #require(FileManager.default.enumerator(atPath: path))
        for case let name as String in names where !FilePath.isFolder("\(path)/\(name)") {
            files[name] = try text("\(path)/\(name)")
        }
        return files
    }

    @Test("Every report is drawn again from the stored run, byte for byte")
    func redrawn() throws {
        try withRun { path, _ in
            let before = try files(in: path)
            #expect(before.keys.count { $0.hasPrefix("evidence/") } == 3)
            #expect(before.keys.count { $0.hasPrefix("cases/") } > 10)
            for name in before.keys where name.hasSuffix(".html") {
                try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            }
            let stored = try StoredRun(path)
            #expect(try ReportFile.redrawPages(of: stored) == path + "/index.html")
            #expect(try files(in: path) == before)
            let run = stored.run
            #expect(JUnitReport(run).text == before["junit.xml"])
            #expect(SummaryReport(run).text == before["summary.md"])
            #expect(CodeQualityReport(run).text == before["quality.json"])
            let results = try ResultsFile.bytes(of: run)
            #expect(String(decoding: results, as: UTF8.self) == before["results.json"])
        }
    }

    @Test("Neither results nor journal contain evidence; both name its file")
    func stored() throws {
        try withRun { path, run in
            let sample = EvidenceSample.run.cases
            for name in ["results.json", "journal.jsonl"] {
                #expect(try !text("\(path)/\(name)").contains("omittedMessages"))
                let stored = try StoredRun("\(path)/\(name)")
                #expect(stored.run.cases.count { $0.evidenceFile != nil } == 3)
                for original in sample {
                    let result = try #require(
                        stored.run.cases.first { CaseReference($0) == CaseReference(original) })
                    #expect(try stored.evidence.evidence(of: result) == original.evidence)
                }
            }
            #expect(run.cases.allSatisfy { $0.evidence == nil }, "the run does not hold it either")
        }
    }

    @Test("A run that was killed keeps the evidence of the cases that had ended")
    func killed() throws {
        try withRun(isFinished: false) { path, _ in
            let stored = try StoredRun(path + "/journal.jsonl")
            #expect(stored.run.exit == nil)
            for original in EvidenceSample.run.cases where original.evidence != nil {
                let result = try #require(
                    stored.run.cases.first { CaseReference($0) == CaseReference(original) })
                #expect(try stored.evidence.evidence(of: result) == original.evidence)
            }
        }
    }

    @Test(
        "The pages report a file that is missing, damaged or another case's, with the cause",
        arguments: [
            (nil, "No such file or directory"), ("", "it is empty"),
            ("{\"id\": \"", "it is cut off"),
            ("{}", "has no "), ("other", "it is the evidence of registration-language/passes"),
        ])
    func missing(content: String?, cause: String) throws {
        try withRun { path, run in
            let failed = try #require(
                run.cases.first { $0.verdict == .fail && $0.evidenceFile != nil })
            let passed = try #require(run.cases.first { $0.verdict == .pass })
            let file = "\(path)/\(try #require(failed.evidenceFile))"
            let other = "\(path)/\(try #require(passed.evidenceFile))"
            switch content {
            case nil: try FileManager.default.removeItem(atPath: file)
            case "other": try text(other).write(toFile: file, atomically: true, encoding: .utf8)
            case let content?:
                try content.write(toFile: file, atomically: true, encoding: .utf8)
            }
            _ = try ReportFile.redrawPages(of: try StoredRun(path))
            for name in ["index.html", CaseReference(failed).pagePath] {
                let page = HTMLCheck(try text("\(path)/\(name)"))
                #expect(page.faults == [])
                #expect(page.text.contains("No messages can be shown"), "\(name)")
                #expect(page.text.contains(cause), "\(name)")
            }
            let whole = HTMLCheck(try text("\(path)/\(CaseReference(passed).pagePath)"))
            #expect(!whole.text.contains("No messages can be shown"))
        }
    }

    @Test("Merging keeps the evidence of the newest run")
    func merged() throws {
        try withRun { path, run in
            let target = path + "-merged"
            let merge = try RunMerge([try StoredRun(path)], folder: target, command: [])
            var folder = try ReportFolder(creating: target)
            try folder.publish(merge.run, copying: merge.copies)
            try FileManager.default.removeItem(atPath: path)
            let stored = try StoredRun(target)
            for original in EvidenceSample.run.cases {
                let result = try #require(
                    stored.run.cases.first { CaseReference($0) == CaseReference(original) })
                #expect(try stored.evidence.evidence(of: result) == original.evidence)
            }
            let before = try files(in: target)
            _ = try ReportFile.redrawPages(of: stored)
            #expect(try files(in: target) == before)
        }
    }

    @Test("Results of the first form, which contain the evidence, are still drawn completely")
    func firstForm() throws {
        let original = try #require(EvidenceSample.run.cases.first { $0.evidence != nil })
        let bytes = try JSONText.line(original)
        let result = try JSONText.decoded(CaseResult.self, from: bytes)
        #expect(try EvidenceFiles(in: "/nowhere").evidence(of: result) == original.evidence)
    }
}
