import Judge
import Offline
import Results
import TestBench
import Testing

@testable import Live

@Suite("The number of cases that run in parallel")
struct JobPaceTests {
    @Test("A given number does not change")
    func fixed() {
        var pace = JobPace(fixed: 3)
        pace.consume(idle: 1)
        pace.consume(idle: 0)
        #expect(pace.limit == 3 && !pace.isAdaptive)
        #expect(JobPace(fixed: 0).limit == 1)
    }

    @Test("More cases run while processors are idle, fewer when they are busy, within bounds")
    func adapts() {
        var pace = JobPace(processors: 2, memory: 8 << 30)
        #expect(pace.limit == 8)
        pace.consume(idle: 0.9)
        #expect(pace.limit == 10)
        pace.consume(idle: 0.2)
        #expect(pace.limit == 10)
        pace.consume(idle: 0.01)
        #expect(pace.limit == 9)
        for _ in 0..<100 { pace.consume(idle: 0) }
        #expect(pace.limit == 8)
        for _ in 0..<100 { pace.consume(idle: 1) }
        #expect(pace.limit == 64)
        pace.consume(idle: 0.01)
        #expect(pace.limit == 56)
    }

    @Test("Memory limits the number, and one case always runs")
    func memory() {
        #expect(JobPace(processors: 8, memory: 640 << 20).limit == 10)
        #expect(JobPace(processors: 8, memory: 1 << 20).limit == 1)
        #expect(JobPace(processors: 2, memory: nil).limit == 8)
    }

    @Test("After a case for which the harness was late, half as many cases run")
    func late() throws {
        let bench = try WorkBench()
        var pace = JobPace(processors: 4, memory: 8 << 30)
        func result(_ code: ReasonCode) -> CaseResult {
            CaseResult(
                suite: bench.suite, testCase: bench.testCase, verdict: .inconclusive,
                reason: Reason(code, "x"))
        }
        pace.consume(result(.setup))
        #expect(pace.limit == 16)
        pace.consume(result(.lateHarness))
        #expect(pace.limit == 8)
        for _ in 0..<10 { pace.consume(result(.lateHarness)) }
        #expect(pace.limit == 4)
        pace.consume(idle: 0)
        #expect(pace.limit == 4)
    }

    @Test("Only the kernel's line of processor times is accepted")
    func times() throws {
        let first = try #require(ProcessorTimes("cpu  100 0 50 800 50 0 0 0 0 0"))
        let second = try #require(ProcessorTimes("cpu  150 0 50 840 60 0 0 0 0 0"))
        #expect(second.idleShare(since: first) == 0.5)
        #expect(first.idleShare(since: first) == nil)
        for line in ["", "cpu0 1 2 3 4 5", "cpu", "cpu a b c d e f"] {
            #expect(ProcessorTimes(line) == nil, "\(line)")
        }
        #expect(ProcessorTimes.now != nil && (AvailableMemory.bytes ?? 0) > 0)
    }
}
