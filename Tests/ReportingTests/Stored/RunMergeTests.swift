import Foundation
import Judge
import Live
import Results
import TestSupport
import Testing
import Trace
import Wire

@testable import Reporting

@Suite("Shards and reruns merged into one run")
struct RunMergeTests {
    private static let plan = (0..<10).map {
        SampleRun.planned(SampleRun.result("case-\($0)", .pass, line: 10 + $0))
    }

    private func result(_ number: Int, _ verdict: Verdict = .pass, _ text: String = "")
        -> CaseResult
    {
        SampleRun.result(
            "case-\(number)", verdict, verdict == .pass ? nil : .sequence, text, line: 10 + number)
    }

    /// Returns a stored run with these results, started this many seconds after the sample.
    private func stored(
        _ results: [CaseResult], after seconds: Int = 0, file: String,
        _ change: (inout RunResult) -> Void = { _ in }
    ) throws -> StoredRun {
        let ids = Set(results.map(\.id))
        var run = RunResult(
            header: SampleRun.header(Self.plan.filter { ids.contains($0.id) }), cases: results)
        run.header.started = Moment(SampleRun.start + .seconds(seconds))
        change(&run)
        if run.exit == nil { run.end(seconds: 2) }
        return try Self.stored(run, file)
    }

    /// Returns the run as it is read from a file that is then removed.
    private static func stored(_ run: RunResult, _ file: String) throws -> StoredRun {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let folder = URL(filePath: scratch.path)
        let path = folder.appending(path: file).path
        try FileManager.default.createDirectory(
            atPath: folder.appending(path: file).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        try Data(ResultsFile.bytes(of: run)).write(to: URL(filePath: path))
        var stored = try StoredRun(path)
        stored.file = file
        return stored
    }

    private func shard(_ index: Int, of total: Int, _ change: (inout RunResult) -> Void = { _ in })
        throws -> StoredRun
    {
        let number = try #require(ShardNumber(index: index, total: total))
        let numbers = (0..<10).filter { number.holds(Self.plan[$0].reference) }
        return try stored(numbers.map { result($0) }, file: "shard-\(index)/results.json") { run in
            run.header.shard = RunShard(index: index, total: total, plan: Self.plan)
            change(&run)
        }
    }

    private func merge(_ runs: [StoredRun]) throws -> RunMerge {
        try RunMerge(runs, folder: "Reports/merged", command: ["conform", "report", "merge"])
    }

    @Test("All shards of a plan are the whole run, in the order of the plan", arguments: 1...5)
    func shards(total: Int) throws {
        let shards = try (1...total).map { try shard($0, of: total) }
        let merged = try merge(shards.reversed())
        #expect(merged.run.exit == .conformant)
        #expect(merged.run.header.planned == Self.plan)
        #expect(merged.run.cases.map(\.id) == Self.plan.map(\.id))
        #expect(merged.run.header.shard == nil && merged.remarks.isEmpty)
        #expect(merged.run.audit.isConsistent)
        #expect(merged.run.seconds == Double(2 * total))
    }

    @Test("The audit reports the cases of a missing shard, and the shard is named")
    func missingShard() throws {
        let merged = try merge([shard(1, of: 3), shard(3, of: 3)])
        #expect(merged.remarks == ["shard 2/3 is missing: its cases have no result"])
        #expect(merged.run.exit == .couldNotJudge)
        #expect(merged.run.audit.planned == 10 && merged.run.audit.notRun > 0)
        #expect(!merged.run.audit.isConsistent)
        let whole = try stored((0..<10).map { result($0) }, file: "whole/results.json")
        #expect(try merge([shard(1, of: 3), whole]).remarks.isEmpty, "a whole run has its cases")
    }

    @Test("A shard that was killed leaves the cases that it did not reach without a verdict")
    func killedShard() throws {
        var killed = try shard(2, of: 2)
        killed.run.exit = nil
        killed.run.cases.removeLast()
        let merged = try merge([shard(1, of: 2), killed])
        #expect(merged.run.exit == .couldNotJudge && merged.run.audit.notRun == 1)
        #expect(merged.remarks.isEmpty)
    }

    @Test("The newer verdict of a rerun counts, and the older one is kept")
    func rerun() throws {
        let first = try stored(
            [result(0), result(1, .fail, "was wrong"), result(2, .inconclusive, "no start")],
            file: "first/results.json")
        let second = try stored(
            [result(1), result(2, .fail, "is wrong now")], after: 60, file: "second/results.json")
        let merged = try merge([second, first]).run
        #expect(merged.cases.map(\.verdict) == [.pass, .pass, .fail])
        #expect(merged.exit == .notConformant && merged.audit.planned == 3)
        #expect(merged.cases[0].executions == nil)
        #expect(merged.cases[1].executions?.map(\.verdict) == [.fail, .pass])
        #expect(merged.cases[1].executions?.first?.summary == "was wrong")
        #expect(merged.cases[2].executions?.map(\.verdict) == [.inconclusive, .fail])
        #expect(
            merged.cases[1].remarks.last
                == "the verdict of the latest of 2 runs: fail, then pass")
        #expect(JUnitReport(merged).text.contains("rerunFailure"))
    }

    @Test("A case that failed on one capture and passed on another counts as two, in either order")
    func differentCaptures() throws {
        func checked(_ verdict: Verdict, _ capture: String, after seconds: Int) throws -> StoredRun
        {
            var judged = result(0, verdict, "was wrong")
            judged.subject = CaseSubject(testCase: judged.id, capture: capture)
            return try stored([judged], after: seconds, file: "\(seconds)/results.json")
        }
        for (first, second) in [(Verdict.fail, Verdict.pass), (.pass, .fail)] {
            let merged = try merge([
                checked(first, "a.pcap", after: 0), checked(second, "b.pcap", after: 9),
            ])
            #expect(merged.run.exit == .notConformant && merged.run.audit.isConsistent)
            #expect(merged.run.cases.map(\.id) == ["case-0@a.pcap", "case-0@b.pcap"])
            #expect(merged.run.cases.map(\.verdict) == [first, second])
            #expect(merged.run.header.planned.count == 2)
        }
        let again = try merge([
            checked(.fail, "a.pcap", after: 0), checked(.pass, "a.pcap", after: 9),
        ])
        #expect(again.run.cases.map(\.id) == ["case-0"], "the same capture, judged again")
        #expect(again.run.cases[0].executions?.map(\.verdict) == [.fail, .pass])
    }

    @Test("A rerun that was interrupted removes no verdict")
    func interruptedRerun() throws {
        let first = try stored([result(0), result(1)], file: "first/results.json")
        let second = try stored([result(0, .fail, "now")], after: 60, file: "second/results.json") {
            $0.header.planned = Array(Self.plan.prefix(2))
            $0.end(seconds: 1, interruption: .interrupt)
        }
        let merged = try merge([first, second]).run
        #expect(merged.cases.map(\.verdict) == [.fail, .pass])
        #expect(merged.audit.notRun == 0)
    }

    @Test("Retries within a run and its reruns form one history")
    func history() throws {
        let flaky = try #require(
            AttemptPolicy.retried(1).folded([result(0, .fail, "late"), result(0)]))
        let first = try stored([flaky], file: "first/results.json")
        let second = try stored([result(0)], after: 60, file: "second/results.json")
        let merged = try merge([first, second]).run
        #expect(merged.cases[0].verdict == .pass)
        #expect(merged.cases[0].executions?.map(\.verdict) == [.fail, .pass, .pass])
    }

    @Test("Two results of one case in one run still contradict the plan")
    func duplicates() throws {
        let odd = try stored([result(0), result(1)], file: "odd/results.json") { run in
            run.cases.append(run.cases[0])
            run.end(seconds: 1)
        }
        let merged = try merge([odd]).run
        #expect(!merged.audit.isConsistent && merged.exit == .couldNotJudge)
    }

    @Test("Runs that do not belong together are refused with both names")
    func refusals() throws {
        func refusal(_ runs: [StoredRun]) -> String {
            do throws(MergeError) {
                _ = try RunMerge(runs, folder: "x", command: [])
                return "(none)"
            } catch {
                return error.description
            }
        }
        let other = try shard(2, of: 2) { $0.header.device.mutant = "forgets-app-name" }
        let text = refusal([try shard(1, of: 2), other])
        #expect(
            text.contains("shard-2/results.json is about reference 1.0 [mutant forgets-app-name]"))
        #expect(text.contains("conform report compare"))
        #expect(
            refusal([try shard(1, of: 2), try shard(2, of: 3)]).contains("different divisions"))
        func limited(_ index: Int, _ limit: String) throws -> StoredRun {
            try shard(index, of: 2) {
                $0.header.parameters = [
                    RunParameter(suite: "s", name: "limit", value: limit, origin: .commandLine)
                ]
            }
        }
        #expect(refusal([try limited(1, "1s"), try limited(2, "10s")]).contains("limit = 10s"))
        #expect(refusal([try limited(1, "1s"), try limited(2, "1s")]) == "(none)")
        let changed = try shard(2, of: 2) { run in
            run.header.shard?.plan.removeLast()
        }
        let plans = refusal([try shard(1, of: 2), changed])
        #expect(plans.contains("divide different plans"))
        #expect(plans.contains("registration-language/case-9"))
        #expect(refusal([]).contains("nothing to merge"))
    }

    @Test("Captures and logs are copied under names that never collide")
    func capturesAndLogs() throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let base = URL(filePath: scratch.path)
        var runs: [StoredRun] = []
        for (number, verdict) in [Verdict.fail, .fail, .pass].enumerated() {
            let path = base.appending(path: "run-\(number)").path
            var run = RunResult(
                header: SampleRun.header([Self.plan[0]]), cases: [result(0, verdict, "x")])
            run.header.started = Moment(SampleRun.start + .seconds(number))
            run.cases[0].capture = "captures/same.pcapng"
            run.cases[0].log = number == 1 ? "logs/missing.log" : nil
            run.end(seconds: 1)
            var folder = try ReportFolder(creating: path)
            try folder.publish(run)
            try Data("packets \(number)".utf8).write(
                to: URL(filePath: path + "/captures/same.pcapng"))
            runs.append(try StoredRun(path))
        }
        let target = base.appending(path: "merged").path
        let merge = try RunMerge(runs, folder: target, command: [])
        var folder = try ReportFolder(creating: target)
        try folder.publish(merge.run, copying: merge.copies)
        let result = try StoredRun(target).run.cases[0]
        func content(_ path: String?) throws -> String {
            try String(contentsOfFile: target + "/" + (path ?? "?"), encoding: .utf8)
        }
        #expect(try content(result.capture) == "packets 2")
        let executions = try #require(result.executions)
        #expect(try executions.map { try content($0.capture) } == (0..<3).map { "packets \($0)" })
        #expect(executions.allSatisfy { $0.log == nil }, "a log that is not there is not linked")
        #expect(Set(executions.compactMap(\.capture)).count == 3)
    }
}
