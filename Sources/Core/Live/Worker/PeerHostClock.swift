import Glibc
import SuiteLanguage
import Wire

/// The clock of the peers, in nanoseconds: it runs faster than real time by the device's factor.
struct PeerHostClock {
    private let timeScale: TimeScale
    private let start: Int64

    init(_ timeScale: TimeScale) {
        self.timeScale = timeScale
        start = Self.monotonic
    }

    /// The time by this clock.
    var now: Int64 { start + Int64(Double(Self.monotonic - start) * timeScale.factor) }

    /// Returns what it showed when a message was on the network, at most `delay` ago.
    ///
    /// - Parameters:
    ///   - time: The time of the message.
    ///   - present: The current time of the clock of captures.
    func time(of time: Timestamp, at present: Timestamp) -> Int64 {
        now - here(max(.zero, min(present - time, Self.delay)))
    }

    /// How long after it was sent a message may become known without being late.
    ///
    /// The capture delivers packets up to a millisecond late, and the rest allows for a busy
    /// machine.
    private static let delay: Duration = .milliseconds(20)

    /// Returns the real time until this clock shows a given time; negative if that is past.
    func pause(until time: Int64) -> Duration { timeScale.scaled(.nanoseconds(time - now)) }

    /// Returns a duration of the machine's clock as nanoseconds of this clock.
    func here(_ duration: Duration) -> Int64 {
        Int64(duration / .nanoseconds(1) * timeScale.factor)
    }

    private static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
