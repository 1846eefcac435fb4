import Synchronization

/// The total time for reading and judging captures (`--limit time=DURATION`); for the whole process.
public enum ReadingTime {
    private struct Limit {
        let length: Duration
        let end: ContinuousClock.Instant
    }

    /// The word of `--limit` for it.
    public static let name = "time"

    private static let limit = Mutex<Limit?>(nil)

    /// Sets the time for reading captures, from now on.
    public static func set(_ length: Duration) {
        limit.withLock { $0 = Limit(length: length, end: .now + length) }
    }

    /// Stops the reading of a file whose time is up; called for each block that is read.
    static func check(_ path: String) throws(CaptureError) {
        guard let limit = limit.withLock({ $0 }), ContinuousClock.now > limit.end else { return }
        throw CaptureError(
            .limit, path,
            "not read to its end within \(limit.length); give more time with --limit \(name)=DURATION"
        )
    }
}
