import Glibc
import Trace

/// The clock that the kernel stamps packets with (`CLOCK_REALTIME`).
public enum WallClock {
    /// The present.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
