import Foundation
import Judge
import TestSupport
import Testing
import Trace
import Wire

@testable import Reporting
@testable import Results

@Suite("Runs that are read back")
struct StoredRunTests {
    /// Creates a folder with the reports of a run, and removes it after `body`.
    private func withReports(
        of run: RunResult, _ body: (String) throws -> Void
    ) throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let url = URL(filePath: scratch.path)
        let path = url.appending(path: "run").path
        var folder = try ReportFolder(creating: path)
        try folder.publish(run)
        try body(path)
    }

    private func refusal(_ path: String) -> String {
        do throws(UnreadableReport) {
            _ = try StoredRun(path)
            return "(none)"
        } catch {
            return error.description
        }
    }

    @Test("Folder, results and journal give the same run, with the place where it was found")
    func sources() throws {
        var run = SampleRun.passing(3)
        run.end(seconds: 2)
        try withReports(of: run) { path in
            var expected = run
            expected.header.folder = path
            for name in ["", "/", "/results.json", "/journal.jsonl"] {
                let stored = try StoredRun(path + name)
                var run = stored.run
                run.files = nil
                #expect(run == expected, "\(name)")
                #expect(stored.folder == path)
            }
        }
    }

    @Test(
        "A number that is out of range is refused, and nothing is calculated with it",
        arguments: ["-9223372036854775808", "9223372036854775807", "-4000000000000000000"])
    func numbers(_ number: String) throws {
        var run = SampleRun.passing(1)
        run.end(seconds: 2)
        let text = String(decoding: try ResultsFile.bytes(of: run), as: UTF8.self)
        for member in ["started", "step", "column", "nanoseconds"] {
            let pattern = "\"\(member)\" : "
            guard let place = text.range(of: pattern) else { continue }
            let rest = text[place.upperBound...].drop { $0.isNumber || $0 == "." || $0 == "-" }
            guard rest.startIndex != place.upperBound else { continue }
            let damaged = text[..<place.upperBound] + number + rest
            #expect(throws: UnreadableReport.self, "\(member)") {
                try ResultsFile.run(from: Array(damaged.utf8))
            }
        }
        #expect(StoredNumbers.firstOutOfRange(in: Array("{\n\"a\": \(number)}".utf8)) == 2)
        #expect(
            StoredNumbers.firstOutOfRange(in: Array("{\"\(number)\": 1763860000000000000}".utf8))
                == nil)
    }

    @Test("For a killed run the journal is read, which contains more than the results")
    func killed() throws {
        let done = SampleRun.passing(3)
        try withReports(of: RunResult(header: done.header)) { path in
            var journal = try Journal.line(.run(done.header))
            journal += try Journal.line(.caseEnded(done.cases[0]))
            journal += Array("{\"caseEnded\":{\"sui".utf8)
            try Data(journal).write(to: URL(filePath: path + "/journal.jsonl"))
            var unfinished = RunResult(header: done.header)
            unfinished.cases = []
            try Data(ResultsFile.bytes(of: unfinished))
                .write(to: URL(filePath: path + "/results.json"))
            let stored = try StoredRun(path)
            #expect(stored.file.hasSuffix("journal.jsonl"))
            #expect(stored.run.audit.judged.pass == 1 && stored.run.audit.notRun == 2)
            #expect(stored.run.exit == nil)
        }
    }

    @Test("A file that is no run is refused with the file, the reason and what to do")
    func refusals() throws {
        var run = SampleRun.passing(1)
        run.end(seconds: 1)
        try withReports(of: run) { path in
            let results = path + "/results.json"
            let whole = try Data(contentsOf: URL(filePath: results))
            func expect(_ content: String, _ words: String...) throws {
                try Data(content.utf8).write(to: URL(filePath: results))
                let text = refusal(results)
                #expect(text.hasPrefix(results + ": "), "\(text)")
                for word in words { #expect(text.contains(word), "\(word): \(text)") }
            }
            let text = String(decoding: whole, as: UTF8.self)
            try expect("", "empty")
            try expect(" \n", "only white space")
            try expect("<testsuites/>", "XML")
            try expect("hello", "not JSON")
            try expect("[1, 2]", "not JSON")
            try expect("{}", "not the results of a run of conform")
            try expect("{\"schema\": 2, \"cases\": []}", "not the results of a run of conform")
            try expect("{\"schema\": 1, \"run\": {}}", "run", "has no ")
            try expect("{\"a\" 1}", "not JSON that can be read")
            try expect(
                text.replacing("\"schema\" : 2", with: "\"schema\" : 7"), "newer conform",
                "schema is 7",
                "use a conform that is at least as new")
            for count in [2, 100, whole.count - 20, whole.count - 2] {
                try expect(
                    String(decoding: whole.prefix(count), as: UTF8.self),
                    "cut off after \(count) bytes",
                    "the journal next to it may be complete: \(path)/journal.jsonl")
            }
            #expect(refusal(path + "/nothing.json").contains("No such file"))
            #expect(refusal(path + "/captures").contains("neither a results.json nor a journal"))
        }
    }

    @Test("A journal of a newer conform, or broken in the middle, is refused with its line")
    func journals() throws {
        var run = SampleRun.passing(2)
        run.end(seconds: 1)
        try withReports(of: run) { path in
            let journal = path + "/journal.jsonl"
            let text = try String(contentsOfFile: journal, encoding: .utf8)
            try text.replacing("\"schema\":2", with: "\"schema\":9")
                .write(toFile: journal, atomically: true, encoding: .utf8)
            #expect(refusal(journal).contains("journal.jsonl:1: "))
            #expect(refusal(journal).contains("newer conform"))
            var lines = text.split(separator: "\n").map(String.init)
            lines[1] = String(lines[1].prefix(50))
            try lines.joined(separator: "\n").write(
                toFile: journal, atomically: true, encoding: .utf8)
            #expect(refusal(journal).contains("journal.jsonl:2: it is cut off after 50 bytes"))
        }
    }

    @Test("A run is the same after writing and reading, whatever is in it", arguments: 1...40)
    func roundTrip(seed: UInt64) throws {
        var generator = RandomRun(seed: seed)
        let run = generator.run()
        let bytes = try ResultsFile.bytes(of: run)
        let back = try ResultsFile.run(from: bytes)
        #expect(back == run, "seed \(seed)")
        #expect(try ResultsFile.bytes(of: back) == bytes, "seed \(seed)")
        var journal = try Journal.line(.run(run.header))
        for result in run.cases { journal += try Journal.line(.caseEnded(result)) }
        if let exit = run.exit {
            journal += try Journal.line(.runEnded(exit, seconds: run.seconds))
            #expect(try Journal.run(from: journal) == run, "seed \(seed)")
        }
    }
}

/// Random runs, always the same for one seed.
struct RandomRun {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    private mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func number(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    private mutating func text() -> String {
        let pool: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "é",
            "\u{5E9}", "\u{202E}", "\u{FFFF}", "\u{1F600}", "<", "&", "]", "$", "{", "}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<number(12) { text.append(pool[number(pool.count)]) }
        return String(text)
    }

    private mutating func maybe<Content>(_ make: (inout RandomRun) -> Content) -> Content? {
        number(2) == 0 ? nil : make(&self)
    }

    private mutating func list<Content>(_ make: (inout RandomRun) -> Content) -> [Content] {
        var list: [Content] = []
        for _ in 0..<number(4) { list.append(make(&self)) }
        return list
    }

    private mutating func seconds() -> Double {
        [0, 0.1, 1e-9, 12.3456789, 1e300, -1, .infinity, -.infinity][number(8)]
    }

    private mutating func element<Content>(_ all: [Content]) -> Content { all[number(all.count)] }

    private mutating func reason() -> Reason {
        let row = AlignmentRow(
            element([.match, .missing, .extra, .ignored, .notReached, .unjudged]),
            expected: maybe { $0.text() },
            actual: maybe { $0.text() }, seconds: maybe { $0.seconds() },
            frames: list { $0.number(99) })
        let explanation = Explanation(
            requirements: list { _ in SampleRun.requirements[0] }, step: maybe { $0.number(9) },
            position: SampleRun.position(number(1000)), expected: text(), actual: text(),
            nearestMiss: maybe {
                NearestMiss(message: $0.text(), frames: [1], differences: $0.list { $0.text() })
            }, frames: list { $0.number(99) }, alignment: list { _ in row })
        return Reason(
            element(ReasonCode.allCases), text(), explanation: maybe { _ in explanation })
    }

    private mutating func result(_ id: Int) -> CaseResult {
        var result = CaseResult(
            suite: element(["one", "two"]), id: "\(id) \(text())", title: text(),
            position: SampleRun.position(id), verdict: element(Verdict.allCases),
            reason: maybe { $0.reason() },
            checks: list {
                CheckResult(requirement: $0.text(), verdict: $0.element(Verdict.allCases))
            },
            steps: list {
                StepResult(
                    part: $0.element([.preamble, .body]), text: $0.text(),
                    position: SampleRun.position(1),
                    outcome: $0.element([.done, .failed, .notReached]), frames: [1, 2],
                    seconds: $0.maybe { $0.seconds() })
            }, ignored: [text(): number(9)],
            counts: TrafficCounts(packets: number(99), dropped: number(3), messages: 1, taken: 1),
            started: maybe { Timestamp(nanoseconds: Int64(bitPattern: $0.next()) / 8) },
            seconds: seconds(), capture: maybe { $0.text() }, log: maybe { $0.text() },
            reproduce: maybe { $0.text() }, remarks: list { $0.text() })
        let attempts = [Execution(result), Execution(result)]
        result.executions = maybe { _ in attempts }
        return result
    }

    mutating func run() -> RunResult {
        var cases: [CaseResult] = []
        for id in 0..<number(6) { cases.append(result(id)) }
        var header = SampleRun.header(cases.map(SampleRun.planned), strict: number(2) == 0)
        header.started = Moment(Timestamp(nanoseconds: Int64(bitPattern: next()) / 8))
        header.seed = next()
        header.command = list { $0.text() }
        header.device.mutant = maybe { $0.text() }
        header.knownFindings = maybe { $0.list { $0.text() } }
        header.job = maybe { RunJob(page: $0.text(), artifacts: $0.maybe { $0.text() }) }
        let plan = header.planned
        header.shard = maybe { _ in RunShard(index: 1, total: 2, plan: plan) }
        return RunResult(
            header: header, cases: cases, seconds: seconds(),
            exit: maybe { $0.element(Results.ExitStatus.allCases) })
    }
}
