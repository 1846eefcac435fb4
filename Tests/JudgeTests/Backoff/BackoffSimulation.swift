import Glibc
import SuiteLanguage
import TestSupport
import Testing
import Trace

@testable import Judge

/// A benchmark of how often correct clients are refused and wrong ones are found.
///
/// `Benchmarks/backoff` runs it; ordinary test runs skip it.
@Suite(
    "Simulation of clients",
    .enabled(if: getenv("CONFORM_SIMULATE") != nil, "a benchmark: Benchmarks/backoff"), .serialized)
struct BackoffSimulation {
    private static let rightCount = 10_000
    private static let wrongCount = 5000
    private static let tolerance = ", early: 5ms, late: 30ms"

    /// A way of drawing waits wrongly, or of waiting wrongly.
    private enum Mistake: String, CaseIterable {
        case constant, half, sorted, alternating, growth, early, late, offByOne

        /// The mistakes of a client whose waits are drawn by chance, or of other clients.
        static func all(isDrawn: Bool) -> [Mistake] {
            isDrawn
                ? [.constant, .half, .sorted, .alternating, .growth]
                : [.growth, .early, .late, .offByOne]
        }
    }

    private static let models: [(name: String, keys: String)] = [
        ("fixed", "model: fixed, base: 2s"),
        ("linear", "model: linear, base: 1s, step: 1s, cap: 8s"),
        ("exponential", "model: exponential, base: 1s, cap: 30s"),
        ("quadratic", "growth: base * n^2, base: 1s, cap: 60s"),
        ("full jitter", "model: exponential, base: 1s, cap: 20s, jitter: full"),
        ("equal jitter", "model: exponential, base: 1s, cap: 20s, jitter: equal"),
        (
            "plus-minus 20 %",
            "model: exponential, base: 1s, factor: 1.6, cap: 20s, jitter: plus-minus, spread: 20%"
        ),
        ("plus 100 %", "model: exponential, base: 1s, cap: 20s, jitter: plus, spread: 100%"),
        (
            "plus-minus 50 %, capped after",
            """
            model: exponential, base: 1s, cap: 20s, capped: after-jitter, jitter: plus-minus,
                spread: 50%
            """
        ),
        (
            "plus-minus 15 %, floor",
            """
            model: exponential, base: 1s, cap: 20s, capped: both, floor: 1s, jitter: plus-minus,
                spread: 15%
            """
        ),
        ("decorrelated", "model: exponential, base: 1s, cap: 20s, jitter: decorrelated"),
        ("ranges", "model: list, waits: [{min: 1s, max: 2s}, {min: 2s, max: 6s}]"),
    ]

    private static func schedule(_ keys: String, _ count: Int) throws -> BackoffSchedule {
        try ScheduleText.schedule("\(keys), attempts: \(count)\(tolerance)")
    }

    /// The waits of a client, in seconds, each up to 5 ms late.
    private static func waits(
        _ schedule: BackoffSchedule, _ count: Int, _ mistake: Mistake?,
        _ random: inout SeededGenerator
    ) -> [Double] {
        var places = (0..<count).map { _ in Double.random(in: 0...1, using: &random) }
        switch mistake {
        case .constant: places = places.map { _ in 0.5 }
        case .half: places = places.map { $0 / 2 }
        case .sorted: places.sort()
        case .alternating:
            places = zip(places, 0...).map { $1.isMultiple(of: 2) ? $0 / 2 : 0.5 + $0 / 2 }
        default: break
        }
        var waits: [Double] = []
        var previous: Duration?
        for (index, place) in places.enumerated() {
            let number =
                mistake == .growth ? 1 : mistake == .offByOne ? index + 2 : index + 1
            let bounds = schedule.bounds(ofWait: number, after: previous)
            let (lower, uncut) = (lowest(schedule, bounds, number), bounds.uncut / .seconds(1))
            var wait = lower + place * (uncut - lower)
            if let floor = schedule.floor { wait = max(wait, floor / .seconds(1)) }
            if let cap = schedule.cap,
                schedule.capPlace != .beforeJitter || isDecorrelated(schedule)
            {
                wait = min(wait, cap / .seconds(1))
            }
            if mistake == .early { wait *= 0.9 }
            if mistake == .late { wait *= 1.2 }
            wait += Double.random(in: 0...0.005, using: &random)
            previous = .seconds(wait)
            waits.append(wait)
        }
        return waits
    }

    /// The shortest wait before a floor raises it.
    private static func lowest(
        _ schedule: BackoffSchedule, _ bounds: WaitBounds, _ number: Int
    ) -> Double {
        var free = schedule
        free.floor = nil
        return free.bounds(ofWait: number, after: nil).lower / .seconds(1)
    }

    private static func isDecorrelated(_ schedule: BackoffSchedule) -> Bool {
        if case .decorrelated = schedule.jitter { true } else { false }
    }

    /// Whether a client with these waits is refused.
    private static func isRefused(_ waits: [Double], _ schedule: BackoffSchedule) -> Bool {
        func message(_ name: String, _ seconds: Double) -> TraceMessage {
            TraceMessage(
                number: 1, time: Cast.time(seconds), frames: [], flow: nil,
                content: FakeMessage(name: name, fields: [:]))
        }
        var follower = ScheduleFollower(watching: schedule, at: Cast.start)
        follower.begin(origin: Cast.start, after: message("tcp.SYN", 0), as: .attempt)
        var time = 0.0
        for wait in waits {
            time += 0.0001
            _ = follower.consume(message("tcp.refused", time), as: .failure)
            time += wait
            if case .violated = follower.consume(message("tcp.SYN", time), as: .attempt) {
                return true
            }
        }
        return false
    }

    private static func refused(
        _ schedule: BackoffSchedule, _ count: Int, _ mistake: Mistake?, of clients: Int,
        seed: UInt64
    ) -> Int {
        var random = SeededGenerator(seed: seed)
        return (0..<clients).count { _ in
            isRefused(waits(schedule, count, mistake, &random), schedule)
        }
    }

    @Test("Correct clients pass, and the wrong ones found are counted", arguments: models.indices)
    func model(index: Int) throws {
        let (name, keys) = Self.models[index]
        let count = 30
        let schedule = try Self.schedule(keys, count)
        let isDrawn = schedule.bounds(ofWait: 1, after: nil).isDrawn
        let right = Self.refused(schedule, count, nil, of: Self.rightCount, seed: UInt64(index))
        // A schedule that does not grow allows no mistakes of growth.
        let grows = schedule.bounds(ofWait: 2, after: nil) != schedule.bounds(ofWait: 1, after: nil)
        let mistakes = Mistake.all(isDrawn: isDrawn).filter {
            grows || ![.growth, .offByOne].contains($0)
        }
        let found = mistakes.map { mistake in
            let number = Self.refused(
                schedule, count, mistake, of: Self.wrongCount / mistakes.count,
                seed: 1000 + UInt64(index))
            return "\(mistake.rawValue) \(number)"
        }
        print("| \(name) | \(count) | \(right) | \(found.joined(separator: ", ")) |")
        #expect(right == 0)
    }

    @Test("The wrong clients found are counted by the number of waits")
    func counts() throws {
        let keys = "model: exponential, base: 1s, cap: 20s, jitter: full"
        for mistake in [Mistake.constant, .half, .sorted, .alternating] {
            let found = try [4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60].map { count in
                let schedule = try Self.schedule(keys, count)
                let number = Self.refused(schedule, count, mistake, of: 500, seed: UInt64(count))
                return "\(count): \(Double(number) / 5) %"
            }
            print("| \(mistake.rawValue) | \(found.joined(separator: ", ")) |")
        }
    }

    @Test("Clients that repeat their waits after each reset are found, correct ones pass")
    func lives() throws {
        let schedule = try ScheduleText.schedule(
            """
            model: exponential, base: 1s, cap: 20s, jitter: full, reset: success,
                success: tcp.established, attempts: 24\(Self.tolerance)
            """)
        func isRefused(_ waits: [Double]) -> Bool {
            var trace = ConnectionTrace()
            var time = 0.0
            trace.attempt(time)
            for (index, wait) in waits.enumerated() {
                if index.isMultiple(of: 6), index > 0 {
                    trace.accept(time + 0.0001)
                    trace.reset(time + 0.1)
                    time += 0.1
                } else {
                    time += 0.0001
                    trace.refuse(time)
                }
                time += wait
                trace.attempt(time)
            }
            return trace.judgement(schedule).verdict == .fail
        }
        var random = SeededGenerator(seed: 9)
        func places() -> [Double] { (0..<6).map { _ in Double.random(in: 0...1, using: &random) } }
        func waits(_ places: [Double]) -> [Double] {
            zip(places, 0...).map { place, index in
                place * min(20, pow(2, Double(index % 6)))
                    + Double.random(in: 0...0.005, using: &random)
            }
        }
        let right = (0..<2000).count { _ in
            isRefused(waits((0..<4).flatMap { _ in places() }))
        }
        let wrong = (0..<500).count { _ in
            let once = places()
            return isRefused(waits((0..<4).flatMap { _ in once }))
        }
        print("| the same waits in 4 lives of 6 | right \(right) of 2000 | found \(wrong) of 500 |")
        #expect(right == 0)
    }

    @Test("Correct clients pass over several executions, and the wrong ones found are counted")
    func pools() throws {
        let level = BackoffSchedule.usualLevel
        var random = SeededGenerator(seed: 11)
        func samples(_ count: Int, _ most: Double) -> [SpreadTest.Sample] {
            (1...count).map { number in
                let upper = min(20, pow(2, Double(number - 1)))
                return SpreadTest.Sample(
                    measured: upper * Double.random(in: 0...most, using: &random)
                        + Double.random(in: 0...0.005, using: &random),
                    lower: 0, upper: upper, uncut: upper, early: 0.005, late: 0.03,
                    dependsOnHistory: false, number: number)
            }
        }
        /// Whether a test after one of the executions finds a fault, each test at its own level.
        func isRefused(_ executions: [[SpreadTest.Sample]]) -> Bool {
            (2...executions.count).contains { count in
                let look = Double(count - 1)
                let part = level / (look * (look + 1))
                return SpreadTest(of: Array(executions.prefix(count)), level: part).fault != nil
            }
        }
        let right = (0..<2000).count { _ in isRefused((0..<10).map { _ in samples(8, 1) }) }
        let half = (0..<500).count { _ in isRefused((0..<10).map { _ in samples(8, 0.5) }) }
        let alone = (0..<500).count { _ in
            (0..<10).contains { _ in SpreadTest(samples(8, 0.5), level: level).fault != nil }
        }
        let same = (0..<500).count { _ in
            let once = samples(8, 1)
            return isRefused([once, once])
        }
        print(
            "| 10 executions of 8 waits | right \(right) of 2000 | half \(half) of 500 together, "
                + "\(alone) alone | the same 8 waits in 2 executions \(same) of 500 |")
        #expect(right == 0)
    }
}
