import Judge
import Results
import Trace

/// How many cases run in parallel: a number that the user gave, or as many as the machine can run.
///
/// Cases mostly wait, for a device or for silence. So the number is raised while processors are
/// idle, and lowered again when they are not. Only a case that could not be judged because the
/// harness was late lowers it below the number at the start. Busy processors alone do not, because
/// other programs may keep them busy. The number never decides a verdict.
struct JobPace {
    /// How many cases may run now.
    private(set) var limit: Int
    private let bounds: ClosedRange<Int>
    /// The number below which a busy machine alone does not lower the limit.
    private let start: Int
    /// By how much the number is raised at a time.
    private let step: Int
    private var last: ProcessorTimes?
    private var nextLook = ContinuousClock.now

    /// Cases for each processor at the start.
    private static let atStart = 4
    /// Cases for each processor at most.
    private static let atMost = 32
    /// Bytes of memory that a case with its device may use.
    private static let memoryOfCase = 64 << 20
    /// How often the load of the processors is measured.
    static let interval: Duration = .milliseconds(200)
    /// The share of idle time above which the number is raised.
    private static let idle = 0.4
    /// The share of idle time below which it is lowered.
    private static let busy = 0.1

    /// Creates a pace with a fixed number.
    init(fixed: Int) {
        limit = max(1, fixed)
        bounds = limit...limit
        start = limit
        step = 0
    }

    /// Creates a pace with as many cases as the machine can run.
    ///
    /// - Parameters:
    ///   - processors: How many there are.
    ///   - memory: How many bytes are available; `nil` if that is not known.
    init(processors: Int = Processors.count, memory: Int? = AvailableMemory.bytes) {
        let fitting = memory.map { $0 / Self.memoryOfCase } ?? .max
        let most = max(1, min(processors * Self.atMost, fitting))
        bounds = min(processors, most)...most
        start = min(processors * Self.atStart, most)
        limit = start
        step = processors
    }

    /// The most cases that ever run in parallel on this machine.
    static var mostCases: Int { Processors.count * atMost }

    /// Whether the number may change.
    var isAdaptive: Bool { bounds.count > 1 }

    /// Measures the load of the processors, if that is due.
    mutating func update(at now: ContinuousClock.Instant = .now) {
        guard isAdaptive, now >= nextLook else { return }
        nextLook = now + Self.interval
        let times = ProcessorTimes.now
        defer { last = times }
        guard let last, let times, let share = times.idleShare(since: last) else { return }
        consume(idle: share)
    }

    /// Adapts the number to the share of idle time of the processors.
    mutating func consume(idle: Double) {
        if idle > Self.idle {
            set(limit + step)
        } else if idle < Self.busy, limit > start {
            // Faster than it rises: several runs may share the machine, and all find it busy.
            set(max(start, limit - max(1, limit / 8)))
        }
    }

    /// Adapts the number to the result of a case: after a late harness fewer cases run.
    mutating func consume(_ result: CaseResult) {
        guard isAdaptive, result.reason?.code == .lateHarness else { return }
        set(limit / 2)
    }

    private mutating func set(_ number: Int) {
        limit = min(max(number, bounds.lowerBound), bounds.upperBound)
    }
}

/// Times of the processors since the machine was started, in clock ticks (proc(5)).
struct ProcessorTimes {
    let idle: Int64
    let all: Int64

    /// The current times; `nil` without `/proc/stat`.
    static var now: ProcessorTimes? {
        KernelFile.line(of: "/proc/stat") { _ in true }.flatMap(ProcessorTimes.init)
    }

    /// Reads `cpu  USER NICE SYSTEM IDLE IOWAIT ...`.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.first == "cpu", words.count > 5 else { return nil }
        let ticks = words.dropFirst().prefix(8).compactMap { Int64($0) }
        guard ticks.count > 4 else { return nil }
        idle = ticks[3].addingReportingOverflow(ticks[4]).partialValue
        all = ticks.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }

    /// Returns the share of idle time since `other`; `nil` if no time has passed.
    func idleShare(since other: ProcessorTimes) -> Double? {
        let passed = all.subtractingReportingOverflow(other.all).partialValue
        guard passed > 0 else { return nil }
        return Double(idle.subtractingReportingOverflow(other.idle).partialValue) / Double(passed)
    }
}

/// The memory available to programs without swapping (proc(5), `MemAvailable`).
enum AvailableMemory {
    /// In bytes; `nil` without `/proc/meminfo`.
    static var bytes: Int? {
        let line = KernelFile.line(of: "/proc/meminfo") { $0.hasPrefix("MemAvailable:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }
            .flatMap { Int($0) }.flatMap {
                let (bytes, isTooLarge) = $0.multipliedReportingOverflow(by: 1024)
                return isTooLarge ? nil : bytes
            }
    }
}
