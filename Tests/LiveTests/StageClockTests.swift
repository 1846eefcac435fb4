import SuiteLanguage
import Testing
import Wire

@testable import Live

@Suite("The clock of peers")
struct StageClockTests {
    @Test("The clock runs faster by the device's time scale, and returns pauses in real time")
    func faster() throws {
        let clock = PeerHostClock(try #require(TimeScale(50)))
        let machine = ContinuousClock()
        let (from, begun) = (clock.now, machine.now)
        var passed: Int64 = 0
        while passed < 500_000_000 { passed = clock.now - from }
        let real = begun.duration(to: machine.now)
        // Fifty times ten milliseconds; a delay between the two readings only makes it longer.
        #expect(real >= .milliseconds(9))
        #expect(Double(passed) <= real / .nanoseconds(1) * 50 + 1e6)
        let pause = clock.pause(until: clock.now + 5_000_000_000)
        #expect(pause <= .milliseconds(100) && pause > .milliseconds(0))
        #expect(clock.pause(until: from) < .zero)
        #expect(clock.here(.milliseconds(1)) == 50_000_000)
    }

    @Test("A message has the clock's time when it was sent, at most the capture's delay ago")
    func messages() throws {
        let clock = PeerHostClock(try #require(TimeScale(50)))
        let present = Timestamp(nanoseconds: 1_000_000_000_000)
        for (pause, most) in [(1, 1), (3_000, 20), (-3_000, 0)] {
            let before = clock.now
            let time = clock.time(of: present - .milliseconds(pause), at: present)
            let after = clock.now
            let back = clock.here(.milliseconds(most))
            #expect(time >= before - back && time <= after - back)
        }
    }
}
