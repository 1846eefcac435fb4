import Testing
import Trace

@Suite("The clock of the packets")
struct WallClockTests {
    @Test("Its distance to the clock that nobody can set is steady")
    func offset() {
        let first = WallClock.offset
        #expect((0..<50).allSatisfy { _ in abs(WallClock.offset - first) < .milliseconds(1) })
    }

    private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }
}
