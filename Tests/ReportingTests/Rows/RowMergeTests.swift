import Foundation
import Results
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import Reporting

@Suite("Rows of several processes")
struct RowMergeTests {
    private let folder = TemporaryFolder()

    /// Creates a file of rows: for each capture the cases `one` and `two`.
    private func rows(
        _ name: String, order: String = "f00", judged second: Int64 = 0,
        _ captures: [(name: String, verdicts: [Verdict])]
    ) throws -> String {
        let path = folder.path + "/" + name
        let file = try RowFile(path, order: order, resuming: nil)
        for capture in captures {
            for (id, verdict) in zip(["one", "two"], capture.verdicts) {
                var result = CaseResult(
                    suite: "s", id: id, title: id,
                    position: SourcePosition(file: "s.yaml", line: 1, column: 1),
                    verdict: verdict, started: Timestamp(nanoseconds: 0), seconds: 1)
                result.subject = CaseSubject(testCase: id, capture: capture.name)
                try file.add(result)
            }
            file.end(
                [capture.name],
                at: Timestamp(nanoseconds: (1_800_000_000 + second) * 1_000_000_000))
        }
        return path
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("They are joined unchanged", arguments: ["jsonl", "csv"])
    func together(form: String) throws {
        let first = try rows("1.\(form)", [("a", [.pass, .fail]), ("b", [.pass, .pass])])
        let second = try rows("2.\(form)", [("c", [.inconclusive, .pass])])
        let merge = try RowMerge([first, second])
        #expect(merge.counts == [.pass: 4, .fail: 1, .inconclusive: 1])
        #expect(merge.cases["two"] == [.pass: 2, .fail: 1])
        #expect(merge.captureCount == 3 && merge.cutOff.isEmpty && merge.repeatedCount == 0)
        #expect(merge.exit == .notConformant)
        #expect(merge.missing(of: [["a"], ["x"], ["c"], ["y"]]) == ["x", "y"])
        let all = folder.path + "/all.\(form)"
        try merge.write(to: all)
        let head = form == "csv" ? 1 : 0
        #expect(try lines(all) == lines(first) + lines(second).dropFirst(head))
        // A merged file can be resumed, and merged again.
        let again = try RowMerge([all])
        #expect(again.counts == merge.counts)
        let resumed = try RowFile(all, order: "f00", resuming: [["x"]])
        #expect(resumed.earlier.isConcluded(["a"]) && !resumed.earlier.isConcluded(["x"]))
    }

    @Test("For one capture, those of the latest process that judged it completely are taken")
    func repeated() throws {
        let first = try rows(
            "1.jsonl", judged: 1, [("a", [.fail, .pass]), ("b", [.pass, .pass])])
        let second = try rows(
            "2.jsonl", judged: 2, [("a", [.pass, .pass]), ("b", [.fail, .fail])])
        let whole = try lines(second)
        // The second process was ended while it wrote its last row.
        try Data((whole[..<3].joined(separator: "\n") + "\n" + whole[3].prefix(9)).utf8)
            .write(to: URL(filePath: second))
        for paths in [[first, second], [second, first]] {
            let merge = try RowMerge(paths)
            #expect(merge.counts == [.pass: 4] && merge.exit == .conformant)
            #expect(merge.repeatedCount == 2 && merge.cutOff.isEmpty)
            let all = folder.path + "/all.jsonl"
            try merge.write(to: all)
            #expect(try Set(lines(all)) == Set(lines(first)[2...] + whole[..<2]))
        }
        let alone = try RowMerge([second])
        #expect(alone.cutOff == ["b"] && alone.captureCount == 2)
        #expect(alone.counts == [.pass: 2, .fail: 1])
    }

    @Test("Rows with an error are replaced by rows with a verdict, whichever are later")
    func errors() throws {
        let judged = try rows("1.jsonl", judged: 1, [("a", [.pass, .pass])])
        let error = try rows("2.jsonl", judged: 2, [("a", [.error, .pass])])
        #expect(try RowMerge([judged, error]).counts == [.pass: 2])
        #expect(try RowMerge([error, judged]).counts == [.pass: 2])
        #expect(try RowMerge([error]).exit == .couldNotJudge)
    }

    @Test("Rows of other suites, other forms and other programs are refused with their place")
    func refused() throws {
        let first = try rows("1.jsonl", [("a", [.pass, .pass])])
        let other = try rows("2.jsonl", order: "other", [("b", [.pass, .pass])])
        let table = try rows("3.csv", [("c", [.pass, .pass])])
        let text = folder.path + "/4.jsonl"
        try Data("{\"no\": 1}\n".utf8).write(to: URL(filePath: text))
        for (path, line, words) in [
            (other, 1, "judged with another suite"), (table, nil, "its format differs"),
            (text, 1, "not a row of conform check"),
        ] {
            let error = #expect(throws: UnreadableReport.self) { try RowMerge([first, path]) }
            #expect(error?.what == path && error?.line == line, "\(error as Any)")
            #expect(error?.why.contains(words) == true, "\(error as Any)")
        }
    }

    @Test("Rows that are given twice count once")
    func many() throws {
        let captures = (0..<20_000).map { (name: "c\($0).pcap", verdicts: [Verdict.pass, .pass]) }
        let path = try rows("many.jsonl", captures)
        let merge = try RowMerge([path, path])
        #expect(merge.counts == [.pass: 40_000])
        #expect(merge.captureCount == 20_000 && merge.repeatedCount == 20_000)
    }
}
