import FoundationEssentials
import Judge
import Results
import SuiteLanguage
import TestSupport
import Testing
import Trace
import Wire

@testable import Reporting

@Suite("Rows of judged cases")
struct RowFileTests {
    private let folder = TemporaryFolder()

    private func result(
        _ id: String, on capture: String, _ verdict: Verdict = .pass, _ sentence: String = ""
    ) -> CaseResult {
        var result = CaseResult(
            suite: "s", id: id, title: id,
            position: SourcePosition(file: "s.yaml", line: 1, column: 1), verdict: verdict,
            reason: verdict == .pass ? nil : Reason(.field, sentence),
            checks: ["R-1", "R-2"].map {
                CheckResult(requirement: $0, verdict: $0 == "R-1" ? verdict : .pass)
            }, started: Timestamp(nanoseconds: 1_700_000_000_123_456_789), seconds: 1.5)
        result.subject = CaseSubject(testCase: id, capture: capture)
        return result
    }

    /// Creates a capture with this number of bytes.
    private func capture(_ name: String, bytes: Int = 3) throws -> String {
        let path = "\(folder.path)/\(name)"
        try Data(count: bytes).write(to: URL(filePath: path))
        return path
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("JSON Lines have every column, and one line for each judged case")
    func json() throws {
        let (path, capture) = (folder.path + "/rows.jsonl", try capture("a,\"b\".pcap"))
        let file = try RowFile(path, order: "f00", resuming: nil)
        try file.add(result("one", on: capture, .fail, "not \"this\",\nbut that"))
        try file.add(result("two", on: capture, .skipped))
        try file.add(result("three", on: capture))
        #expect(try lines(path).isEmpty)
        file.end([capture], at: WallClock.now)
        let rows = try lines(path).map { try Value(json: $0) }
        #expect(rows.count == 2)
        #expect(rows[0].objectValue?.map(\.name) == CaseRow.columns)
        #expect(rows[0]["case"] == "one" && rows[1]["case"] == "three")
        #expect(rows[0]["capture"]?.stringValue == capture)
        #expect(rows[0]["sentence"] == "not \"this\",\nbut that")
        #expect(rows[0]["requirements"] == ["R-1", "R-2"] && rows[0]["broken"] == ["R-1"])
        #expect(rows[0]["started"] == "2023-11-14T22:13:20.123456Z")
        #expect(rows[0]["seconds"] == 1.5 && rows[0]["rows"] == 2 && rows[0]["bytes"] == 3)
        #expect(rows[1]["verdict"] == "pass" && rows[1]["broken"] == [])
    }

    @Test("CSV has a header, quotes what needs it, and has a line for each judged case")
    func csv() throws {
        let path = folder.path + "/rows.csv"
        let file = try RowFile(path, order: "f00", resuming: nil)
        try file.add(result("one", on: "x", .fail, "not \"this\",\nbut that"))
        file.end(["x"], at: WallClock.now)
        let rows = try lines(path)
        #expect(rows.count == 2)
        #expect(rows[0] == CaseRow.columns.joined(separator: ","))
        #expect(
            rows[1].hasPrefix(
                #"s,one,x,,fail,field,"not ""this"",\x0Abut that",R-1 R-2,R-1,2023-11-14T22:13:20.123456Z,1.5,"#
            ), "\(rows[1])")
    }

    /// Writes rows of three captures, changes the file by `spoil`, and resumes it.
    ///
    /// One capture is an error, and one has grown since.
    private func resume(
        _ name: String, order: String = "f00", spoil: (inout String) -> Void = { _ in }
    ) throws -> (concluded: [Bool], cases: [String]) {
        let path = folder.path + "/" + name
        let captures = try ["good", "bad", "grown"].map { try capture("\($0).pcap") }
        do {
            let file = try RowFile(path, order: "f00", resuming: nil)
            for (capture, verdict) in zip(captures, [Verdict.fail, .error, .pass]) {
                try file.add(result("one", on: capture, verdict, "a, \"b\""))
                try file.add(result("two", on: capture))
                file.end([capture], at: WallClock.now)
            }
        }
        _ = try capture("grown.pcap", bytes: 9)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        spoil(&text)
        try Data(text.utf8).write(to: URL(filePath: path))
        let file = try RowFile(path, order: order, resuming: captures.map { [$0] })
        #expect(file.earlier.counts == [.fail: 1, .pass: 1])
        try file.add(result("new", on: "other"))
        file.end(["other"], at: WallClock.now)
        let cases = try lines(path).compactMap { line -> String? in
            ["one", "two", "new"].first { line.contains("\"\($0)\"") || line.contains(",\($0),") }
        }
        return (captures.map { file.earlier.isConcluded([$0]) }, cases)
    }

    @Test(
        "A capture with an error or another size is left out and judged again",
        arguments: ["rows.jsonl", "rows.csv"])
    func concluded(name: String) throws {
        let (concluded, cases) = try resume(name)
        #expect(concluded == [true, false, false])
        #expect(cases == ["one", "two", "new"])
    }

    @Test(
        "The rows of a capture that a killed process left incomplete are removed",
        arguments: ["rows.jsonl", "rows.csv"], [1, 40, 600])
    func cutOff(name: String, count: Int) throws {
        let (concluded, cases) = try resume(name) { $0.removeLast(min(count, $0.count / 2)) }
        #expect(concluded == [true, false, false])
        #expect(cases == ["one", "two", "new"])
    }

    @Test("Rows of another suite, and lines that are no rows, are refused")
    func refused() throws {
        #expect(throws: UnreadableReport.self) { try resume("rows.jsonl", order: "other") }
        #expect(throws: UnreadableReport.self) { try resume("rows.jsonl") { $0 = "{}\n" + $0 } }
        #expect(throws: UnreadableReport.self) { try resume("rows.csv") { $0 += "a,b\n" } }
    }

    @Test("Two processes cannot write one file")
    func claimed() throws {
        let path = folder.path + "/rows.jsonl"
        let first = try RowFile(path, order: "f00", resuming: nil)
        try first.add(result("one", on: "x"))
        first.end(["x"], at: WallClock.now)
        #expect(throws: ReportError.self) { try RowFile(path, order: "f00", resuming: nil) }
        #expect(throws: ReportError.self) { try RowFile(path, order: "f00", resuming: []) }
        #expect(try lines(path).count == 1)
    }

    @Test("A cell that a spreadsheet would take for a formula begins with an apostrophe")
    func formula() throws {
        let path = "\(folder.path)/rows.csv"
        for name in ["=HYPERLINK(1)", "@x", "+1", "-1", "'x", "x=1"] {
            let source = name
            let rows = try RowFile(path, order: "o", resuming: nil)
            try rows.add(result("c", on: source))
            rows.end([source], at: Timestamp(nanoseconds: 5))
            try rows.finish()
            let row = try #require(try lines(path).last)
            #expect(row.contains(name == "x=1" ? ",x=1," : ",'\(name),"), "\(row)")
            #expect(StoredRow(Array(row.utf8), isCSV: true)?.capture == source)
        }
    }
}
