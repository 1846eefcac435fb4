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

    /// What it showed when a message was on the wire, at most `delay` ago.
    ///
    /// - Parameters:
    ///   - time: The time of the message.
    ///   - present: What the clock of captures shows now.
    func time(of time: Timestamp, at present: Timestamp) -> Int64 {
        now - here(max(.zero, min(present - time, Self.delay)))
    }

    /// How much later than it was sent a message may be known without being late: the capture hands
    /// packets over up to a millisecond late, and the rest allows for a busy machine.
    private static let delay: Duration = .milliseconds(20)

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
