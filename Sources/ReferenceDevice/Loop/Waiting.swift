import Glibc

/// A set of descriptors as `pselect` takes it.
struct DescriptorSet {
    /// The first descriptor that does not fit.
    static let capacity = Int32(FD_SETSIZE)

    private(set) var system = fd_set()
    private(set) var highest: Int32 = -1

    /// Adds a descriptor; one that does not fit is left out.
    mutating func insert(_ descriptor: Int32) {
        guard (0..<DescriptorSet.capacity).contains(descriptor) else { return }
        withUnsafeMutableBytes(of: &system) {
            $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        }
        highest = max(highest, descriptor)
    }

    func contains(_ descriptor: Int32) -> Bool {
        guard (0..<DescriptorSet.capacity).contains(descriptor) else { return false }
        return withUnsafeBytes(of: system) {
            $0[Int(descriptor) / 8] & 1 << UInt8(descriptor % 8) != 0
        }
    }

    /// Waits until a descriptor is ready, a signal comes or the time is over, and leaves only the
    /// ready descriptors in the sets.
    ///
    /// Signals that the process blocks are let in while it waits, so none is missed.
    ///
    /// - Parameter nanoseconds: How long to wait at most; without limit if `nil`.
    static func wait(
        reading: inout DescriptorSet, writing: inout DescriptorSet, nanoseconds: Int64?
    ) -> WaitResult {
        let count = max(reading.highest, writing.highest) + 1
        var none = sigset_t()
        sigemptyset(&none)
        var limit = timespec()
        if let nanoseconds {
            limit.tv_sec = Int(nanoseconds / 1_000_000_000)
            limit.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        let ready =
            nanoseconds == nil
            ? pselect(count, &reading.system, &writing.system, nil, nil, &none)
            : pselect(count, &reading.system, &writing.system, nil, &limit, &none)
        guard ready <= 0 else { return .ready }
        reading = DescriptorSet()
        writing = DescriptorSet()
        return ready == 0 ? .timeout : .interrupted
    }
}

/// Why a wait has ended.
enum WaitResult {
    case ready, timeout, interrupted
}

/// The timers that run, by when they run out on the monotonic clock.
struct Timers {
    private var deadlines: [LifecycleTimer: Int64] = [:]

    /// Nanoseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    mutating func start(_ timer: LifecycleTimer, milliseconds: Int) {
        deadlines[timer] = Timers.now + Int64(milliseconds) * 1_000_000
    }

    mutating func stop(_ timer: LifecycleTimer) {
        deadlines[timer] = nil
    }

    /// Nanoseconds until the next timer runs out; `nil` if none runs.
    var untilNext: Int64? {
        deadlines.values.min().map { max(0, $0 - Timers.now) }
    }

    /// Takes the timers that have run out, earliest first.
    mutating func takeDue() -> [LifecycleTimer] {
        let now = Timers.now
        let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
        for (timer, _) in due { deadlines[timer] = nil }
        return due.map(\.key)
    }
}

/// The signals that ask the process to end.
enum EndSignals {
    /// Lets them interrupt a wait of `DescriptorSet.wait` and nothing else.
    static func interruptWaitsOnly() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] {
            sigaddset(&signals, number)
            signal(number) { _ in }
        }
        sigprocmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }
}
