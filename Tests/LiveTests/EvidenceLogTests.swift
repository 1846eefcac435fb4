import Judge
import Results
import Testing
import Trace
import Wire

@testable import Live

@Suite("The device's log in the evidence")
struct EvidenceLogTests {
    private func evidence(log: String) -> Evidence {
        let launch = EvidenceMessage(number: 1, name: "device.started", seconds: 0.25)
        var evidence = Evidence(
            origin: Timestamp(nanoseconds: 0), parties: ["device"], messages: [launch])
        evidence.consume(log: Array(log.utf8))
        return evidence
    }

    @Test("A line has its time relative to the launch, its stream and its text")
    func lines() {
        let log = evidence(log: "[1.500000] stdout: a: b\n[2.000000] conform: stopping\nodd\n").log
        #expect(
            log == [
                LogLine(seconds: 1.75, stream: "stdout", text: "a: b"),
                LogLine(seconds: 2.25, stream: "conform", text: "stopping"),
                LogLine(seconds: 0.25, stream: "", text: "odd"),
            ])
    }

    @Test("A long log keeps its first and last lines, and a long line its beginning")
    func bounds() {
        let lines = (0..<2000).map { "[\($0).0] stdout: \($0)" }.joined(separator: "\n")
        let long = evidence(log: lines)
        #expect(long.log.count == 1000 && long.omittedLogLines == 1000)
        #expect(long.log.first?.text == "0" && long.log.last?.text == "1999")
        #expect(long.log[499].text == "499" && long.log[500].text == "1500")
        let wide = evidence(log: "[0.0] stdout: " + String(repeating: "z", count: 5000))
        #expect(wide.log.first?.text.count == 501)
        #expect(evidence(log: "").log.isEmpty)
    }
}
