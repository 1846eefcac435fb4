import Testing
import Trace

@Suite("The clock of packet times")
struct WallClockTests {
    @Test("Its distance to the monotonic clock is steady")
    func offset() {
        let first = WallClock.offset
        #expect((0..<50).allSatisfy { _ in abs(WallClock.offset - first) < .milliseconds(1) })
    }

    private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }
}
