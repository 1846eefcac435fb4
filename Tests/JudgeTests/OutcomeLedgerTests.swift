import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Outcomes of very many parts of a trace.
@Suite struct OutcomeLedgerTests {
    private func outcome(_ language: String) throws -> Judge.Outcome {
        let tried = testCase([
            expect("sdl.A", where: ["params.language": equals(.string("DE-DE"))])
        ])
        var judge = Judge(
            [PreparedCase(tried, requirements: requirements)], parties: Cast.parties,
            start: Cast.start)
        for message in Line.messages([sent("sdl.A", 0.1, ["language": .string(language)])]) {
            _ = judge.consume(message)
        }
        return try #require(judge.finish(at: Cast.time(10), cause: .captureEnded).first)
    }

    @Test("The gravest outcome stands for all beyond the limit, and they are counted")
    func further() throws {
        let (good, bad) = (try outcome("DE-DE"), try outcome("EN-US"))
        #expect(good.judgement.verdict == .pass && bad.judgement.verdict == .fail)
        var ledger = OutcomeLedger(listedMax: 2, caseCount: 1)
        #expect(ledger.take([bad]).map(\.judgement.verdict) == [.fail])
        #expect(ledger.take([good]).map(\.judgement.verdict) == [.pass])
        #expect(ledger.further.isEmpty)
        for one in [good, bad, good] { #expect(ledger.take([one]).isEmpty) }
        let further = try #require(ledger.further.first)
        #expect(ledger.further.count == 1 && further.judgement.verdict == .fail)
        #expect(further.standsFor == [.pass: 2, .fail: 1])
        #expect(further.judgement.reason?.summary == bad.judgement.reason?.summary)
        #expect(further.judgement.reason?.explanation == nil)
    }
}
