import Glibc

/// The factor by which a device is faster than real time: all its waits are divided by it.
public struct ClockRate: Sendable, Hashable {
    /// The environment variable that contains it.
    public static let variable = "CONFORM_TIME_SCALE"
    /// Real time.
    public static let one = ClockRate(factor: 1)

    /// The factor, 1 or more.
    public let factor: Double

    private init(factor: Double) { self.factor = factor }

    /// Parses a decimal number from 1 to 1000000; returns `nil` for anything else.
    public init?(_ text: String) {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isDecimal, let factor = Double(text), factor >= 1, factor <= 1e6 else { return nil }
        self.factor = factor
    }

    /// Returns the rate that the environment specifies; real time if it specifies none.
    public static func ofEnvironment() throws(UsageError) -> ClockRate {
        guard let value = getenv(variable) else { return .one }
        let text = String(cString: value)
        guard let scale = ClockRate(text) else {
            throw UsageError("\(variable) \"\(text)\" is not a decimal number from 1 to 1000000")
        }
        return scale
    }
}

/// The clock of a device, in nanoseconds since it was created.
struct DeviceClock: Sendable {
    private let scale: ClockRate
    private let start: Int64

    init(scale: ClockRate) {
        self.scale = scale
        start = DeviceClock.monotonic
    }

    /// Nanoseconds of the system's monotonic clock.
    private static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time by this clock.
    var now: Int64 { Int64(Double(DeviceClock.monotonic - start) * scale.factor) }

    /// Returns the real nanoseconds until this clock shows a time, rounded up; 0 if it is past.
    func realNanoseconds(until deadline: Int64) -> Int64 {
        let left = Double(deadline - now) / scale.factor
        return left > 0 ? Int64(left.rounded(.up)) : 0
    }
}
