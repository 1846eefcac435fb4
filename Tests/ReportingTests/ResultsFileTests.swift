import Judge
import Results
import SuiteLanguage
import Testing
import Trace

@testable import Reporting

@Suite("results.json and the journal")
struct ResultsFileTests {
    @Test("results.json is read back as the same run")
    func results() throws {
        let run = SampleRun.run
        var back = try ResultsFile.run(from: try ResultsFile.bytes(of: run))
        #expect(back.cases == run.casesInPlanOrder)
        #expect(back.audit == Audit(planned: run.header.planned, results: run.casesInPlanOrder))
        back.cases = run.cases
        #expect(back == run)
    }

    @Test("The stored run does not depend on the order in which the cases ended")
    func order() throws {
        for exit in [SampleRun.run.exit, nil] {
            var run = SampleRun.run
            run.exit = exit
            let bytes = try ResultsFile.bytes(of: run)
            run.cases.reverse()
            #expect(try ResultsFile.bytes(of: run) == bytes)
            #expect(try ResultsFile.bytes(of: ResultsFile.run(from: bytes)) == bytes)
        }
    }

    @Test("A finished run with a missing result is still inconsistent after it is read back")
    func missing() throws {
        var run = SampleRun.passing()
        run.cases.removeLast()
        run.end(seconds: 1)
        let back = try ResultsFile.run(from: try ResultsFile.bytes(of: run))
        #expect(back.audit.discrepancies == run.audit.discrepancies)
        #expect(!back.audit.isConsistent)
    }

    @Test("Numbers that JSON does not have are written and read")
    func infinities() throws {
        var run = SampleRun.passing(1)
        run.cases[0].seconds = .infinity
        run.seconds = -.infinity
        let back = try ResultsFile.run(from: try ResultsFile.bytes(of: run))
        #expect(back.cases[0].seconds == .infinity)
        #expect(back.seconds == -.infinity)
    }

    @Test("A list of numbers takes one line, whatever else is in the file")
    func numbers() throws {
        let value: [String: [String: [Double]]] = [
            "a\"[\n 1,\n 2]": ["n": [1, -2.5, 3e30], "o": []]
        ]
        let bytes = try JSONText.pretty(value)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\"n\" : [1, -2.5, 3e+30]"))
        #expect(text.contains("\"o\" : []"))
        #expect(text.contains("\"a\\\"[\\n 1,\\n 2]\" : {"))
        #expect(try JSONText.decoded([String: [String: [Double]]].self, from: bytes) == value)
        let texts = ["x": ["1", "2"]]
        let listed = try JSONText.pretty(texts)
        #expect(listed.count { $0 == UInt8(ascii: "\n") } == 5)
    }

    @Test("A file that is no run, or of a newer conform, is refused with the reason")
    func refusals() throws {
        #expect(throws: UnreadableReport.self) { try ResultsFile.run(from: []) }
        #expect(throws: UnreadableReport.self) { try ResultsFile.run(from: Array("{}".utf8)) }
        let bytes = try ResultsFile.bytes(of: SampleRun.passing(1))
        let newer = String(decoding: bytes, as: UTF8.self)
            .replacing("\"schema\" : 2", with: "\"schema\" : 3")
        let error = #expect(throws: UnreadableReport.self) {
            try ResultsFile.run(from: Array(newer.utf8))
        }
        #expect(error?.why.contains("newer conform") == true)
    }

    private func journal(_ run: RunResult, exit: Results.ExitStatus?) throws -> [UInt8] {
        var bytes = try Journal.line(.run(run.header))
        for result in run.cases {
            let reference = CaseReference(result)
            bytes += try Journal.line(.caseStarted(reference, at: SampleRun.start))
            bytes += try Journal.line(.caseEnded(result))
        }
        if let exit { bytes += try Journal.line(.runEnded(exit, seconds: run.seconds)) }
        return bytes
    }

    @Test("A complete journal gives the run")
    func wholeJournal() throws {
        let run = SampleRun.run
        let bytes = try journal(run, exit: run.exit)
        #expect(try Journal.run(from: bytes) == run)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 2 + 2 * run.cases.count)
    }

    @Test("The journal of a small run is right")
    func goldenJournal() throws {
        var run = SampleRun.passing(1)
        run.cases.append(SampleRun.result("fails", .fail, .absence, "it came", line: 7))
        run.header.planned = run.cases.map(SampleRun.planned)
        run.end(seconds: 2.5)
        let text = String(decoding: try journal(run, exit: run.exit), as: UTF8.self)
        try Golden.expect(text, matches: "small.journal.jsonl")
    }

    @Test("A journal that is cut at any byte still gives the run up to there")
    func cutJournal() throws {
        let run = SampleRun.passing(2)
        let bytes = try journal(run, exit: .conformant)
        let header = try Journal.line(.run(run.header)).count - 1
        var judged = 0
        for end in 0...bytes.count {
            guard end >= header else {
                // Every cut inside the header fails in the same way, so one cut in ten is enough.
                if end % 10 == 0 {
                    #expect(throws: UnreadableReport.self) {
                        try Journal.run(from: bytes[..<end].asArray)
                    }
                }
                continue
            }
            let cut = try Journal.run(from: bytes[..<end].asArray)
            let audit = cut.audit
            #expect(audit.planned == 2 && audit.judged.total + audit.notRun == 2)
            #expect(audit.isConsistent)
            #expect(audit.judged.total >= judged, "a longer journal never tells less")
            judged = audit.judged.total
            #expect((cut.exit == nil) == (end < bytes.count - 1))
        }
        #expect(judged == 2)
    }

    @Test("A case that ran when the run was killed is distinguished from one that was not reached")
    func killedCases() throws {
        let run = SampleRun.passing(2)
        let bytes =
            try Journal.line(.run(run.header))
            + Journal.line(.caseStarted(CaseReference(run.cases[0]), at: SampleRun.start))
        let back = try Journal.run(from: bytes)
        #expect(
            back.cases.compactMap(\.reason?.summary) == [
                "not run: the run was killed during the case",
                "not run: the run was killed before the case",
            ])
        #expect(back.audit.notRun == 2)
    }

    @Test("A broken line in the middle of a journal is an error with its number")
    func brokenJournal() throws {
        let run = SampleRun.passing(1)
        let bytes =
            try Journal.line(.run(run.header)) + Array("{\"caseEnded\":\n".utf8)
            + Journal.line(.runEnded(.conformant, seconds: 1))
        let error = #expect(throws: UnreadableReport.self) { try Journal.run(from: bytes) }
        #expect(error?.line == 2)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var asArray: [UInt8] { Array(self) }
}
