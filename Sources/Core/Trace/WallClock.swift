import Glibc
import Wire

/// The clock of the kernel's packet timestamps (`CLOCK_REALTIME`).
public enum WallClock {
    /// The current time.
    public static var now: Timestamp {
        Timestamp(nanoseconds: read(CLOCK_REALTIME))
    }

    /// How far this clock is ahead of the monotonic clock, which nobody can set.
    ///
    /// Both are slewed alike, so that the difference changes only when somebody sets the clock. Of
    /// several readings the one that was interrupted the least counts.
    package static var offset: Duration {
        let readings = (0..<5).map { _ in
            let (before, wall, after) = (
                read(CLOCK_MONOTONIC), read(CLOCK_REALTIME), read(CLOCK_MONOTONIC)
            )
            return (width: after - before, offset: wall - (before + (after - before) / 2))
        }
        return .nanoseconds(readings.min { $0.width < $1.width }?.offset ?? 0)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
