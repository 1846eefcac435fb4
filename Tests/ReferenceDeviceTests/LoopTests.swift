import Glibc
import Testing

@testable import conform_device

@Suite("Time and waiting")
struct LoopTests {
    @Test("A time scale is a decimal number of at least 1", arguments: ["1", "10", "2.5", "1e3"])
    func scales(text: String) {
        #expect(ClockRate(text)?.factor == (text == "1e3" ? nil : Double(text)))
    }

    @Test(
        "Any other text is not a time scale",
        arguments: ["", "0.99", "0", "-1", "nan", "inf", "0x10", "1 ", ".", "10000000"])
    func badScales(text: String) {
        #expect(ClockRate(text) == nil)
    }

    @Test("Timers fire in the order of their deadlines, once, and never before them")
    func timers() {
        var timers = Timers<String>()
        timers.start("b", deadline: 20)
        timers.start("a", deadline: 10)
        timers.start("c", deadline: 30)
        timers.stop("c")
        #expect(timers.next == 10)
        #expect(timers.takeDue(at: 9) == [])
        #expect(timers.takeDue(at: 25) == ["a", "b"])
        #expect(timers.takeDue(at: 100) == [])
        #expect(timers.next == nil)
    }

    @Test("A scaled clock shortens a wait by the factor, and never ends it early")
    func scaledWait() throws {
        let scale = try #require(ClockRate("20"))
        let reactor = Reactor<Int, String>(input: -1, output: -1, scale: scale)
        let start = ContinuousClock.now
        let deadline = reactor.clock.now + 1_000_000_000
        reactor.start("late", deadline: deadline + 1)
        reactor.start("timer", deadline: deadline)
        guard case .timerFired("timer") = reactor.next() else {
            Issue.record("the first timer does not come first")
            return
        }
        #expect(reactor.clock.now >= deadline)
        let elapsed = ContinuousClock.now - start
        #expect(elapsed >= .milliseconds(49) && elapsed < .seconds(1))
    }

    @Test("A timer that was due but has been stopped since does not fire")
    func stoppedTimer() {
        let reactor = Reactor<Int, String>(input: -1, output: -1)
        reactor.start("a", deadline: 0)
        reactor.start("b", deadline: 1)
        guard case .timerFired("a") = reactor.next() else {
            Issue.record("a does not come first")
            return
        }
        reactor.stop("b")
        reactor.start("c", milliseconds: 1)
        guard case .timerFired("c") = reactor.next() else {
            Issue.record("b came out after it was stopped")
            return
        }
    }
}
