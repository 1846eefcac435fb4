import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

@Suite("The part of a trace that is kept for reports")
struct EvidenceTests {
    private struct Ping: DissectedMessage {
        let name = "fake.Ping"
        let fields: Value
        let anomalies = [Anomaly(.violation, "it is odd", specification: "section 1")]
        let bytes: [UInt8]
        var fieldPlaces: [String: Range<Int>] { ["head.size": 1..<3] }
    }

    private func message(_ number: Int) -> TraceMessage {
        let content = Ping(
            fields: [
                "head": ["size": 7, "list": [1, ["deep": "x"]]], "empty": [:],
                "long": .string(String(repeating: "y", count: 5000)),
                "data": .bytes(Array(repeating: 0xAB, count: 5000)),
            ], bytes: Array(repeating: 0x41, count: 2000))
        return TraceMessage(
            number: number, time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000),
            frames: [number * 2], flow: 0, content: content)
    }

    private func judgement(_ verdict: Verdict, rows: [EvidenceRow]) -> Judgement {
        Judgement(
            verdict: verdict, reason: nil, checks: [], steps: [], ignored: [:], comments: [:],
            takenCount: 0, rows: rows)
    }

    private func recorder() -> EvidenceRecorder {
        EvidenceRecorder(start: Timestamp(nanoseconds: 0))
    }

    @Test("A long trace keeps its beginning, the time before its end and a little after it")
    func bounds() {
        var recorder = recorder()
        for number in 1...10_000 { recorder.see(message(number), isOver: number > 9000) }
        let rows = [
            EvidenceRow(.match, step: 1, message: 2), EvidenceRow(.match, step: 2, message: 5000),
            EvidenceRow(.missing, step: 3), EvidenceRow(.extra, message: 9000),
        ]
        var descriptions = MessageDescriptions()
        let evidence = recorder.evidence(
            of: judgement(.fail, rows: rows), parties: Parties(peers: [:]), &descriptions)
        let numbers = evidence.messages.map(\.number)
        let tail = EvidenceRecorder.tailCountMax
        #expect(numbers.prefix(120).elementsEqual(1...120))
        #expect(numbers.suffix(10 + tail).elementsEqual((9001 - tail)...9010))
        #expect(evidence.omittedMessages == 10_000 - numbers.count)
        #expect(evidence.rows.map(\.message) == [2, nil, 9000], "a row without its message goes")
        #expect(evidence.origin == Timestamp(nanoseconds: 1_000_000_000))
        #expect(evidence.messages[1].seconds == 1)
    }

    @Test("A message has its fields with their places, its first bytes and its anomalies")
    func details() throws {
        var recorder = recorder()
        for number in 1...2 { recorder.see(message(number), isOver: false) }
        let rows = [EvidenceRow(.missing, step: 1, message: 1)]
        var descriptions = MessageDescriptions()
        let evidence = recorder.evidence(
            of: judgement(.fail, rows: rows), parties: Parties(peers: [:]), &descriptions)
        let first = try #require(evidence.messages.first)
        #expect(first.fields[0] == EvidenceField("head.size", "7", offset: 1, length: 2))
        #expect(first.fields[2] == EvidenceField("head.list[1].deep", "x"))
        #expect(first.fields.map(\.name).contains("empty"))
        #expect(first.fields.allSatisfy { $0.value.count < 300 })
        #expect(first.hex == String(repeating: "41", count: 512) && first.byteCount == 2000)
        #expect(first.anomalies == ["violation: it is odd (section 1)"])
        #expect(first.frames == [2])
        #expect(evidence.messages[1].hex.count == 2 * 96, "what is not compared is shown in brief")
        let passed = recorder.evidence(
            of: judgement(.pass, rows: rows), parties: Parties(peers: [:]), &descriptions)
        #expect(passed.messages[0].hex.count == 2 * 96, "described anew with less")
    }
}
