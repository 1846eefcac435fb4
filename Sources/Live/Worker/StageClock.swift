import Glibc
import Suites
import Wire

/// The clock that peers live by, in nanoseconds: it runs as much faster as the device does.
struct StageClock {
    private let timeScale: TimeScale
    private let start: Int64

    init(_ timeScale: TimeScale) {
        self.timeScale = timeScale
        start = Self.monotonic
    }

    /// The time by this clock.
    var now: Int64 { start + Int64(Double(Self.monotonic - start) * timeScale.factor) }

    /// How long it is by the machine's clock until this one shows a time; negative if it is past.
    func pause(until time: Int64) -> Duration { timeScale.scaled(.nanoseconds(time - now)) }

    /// How long something takes by this clock that takes so long by the machine's.
    func here(_ duration: Duration) -> Int64 {
        Int64(duration / .nanoseconds(1) * timeScale.factor)
    }

    private static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
