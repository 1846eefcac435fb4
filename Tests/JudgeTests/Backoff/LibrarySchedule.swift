import BuiltInProtocols
import SuiteLanguage
import Testing

@testable import Judge

/// Reads steps from the text of a suite.
enum ScheduleText {
    private static let head = """
        conform: 1
        suite: made-up
        requirements: [catalogue.yaml]
        device: {role: session.client}
        peers:
          hu: {is: tcp.server}
          hu2: {is: tcp.server, port: 1884}
        cases:
          - id: one
            checks: [A-1]
            steps:

        """
    private static let catalogue = """
        conform-requirements: 1
        document: Made up
        source: nowhere
        requirements:
          A-1: {section: "1", text: The client waits.}
        """

    /// Returns the schedules of the steps of a case with these lines.
    static func steps(_ lines: String) throws -> [Step] {
        let indented = lines.split(separator: "\n").map { "      \($0)\n" }.joined()
        let suite = try SuiteLoader(.builtIn).load(path: "suite.yaml", searchPath: []) {
            (path) throws(InvalidInput) -> String in
            path == "catalogue.yaml" ? catalogue : head + indented
        }
        return try #require(suite.cases.first).steps
    }

    /// Returns the schedule with these keys.
    static func schedule(_ keys: String) throws -> BackoffSchedule {
        let step = try #require(try steps("- backoff: {\(keys)}").first)
        guard case .backoff(let schedule) = step.verb else { throw InvalidInput([]) }
        return schedule
    }
}

/// The waits that a library documents, with clients that keep them and clients that do not.
struct LibrarySchedule: Sendable, CustomTestStringConvertible {
    typealias Generator = PropertyTests.Generator
    /// The waits of a client, in seconds.
    typealias Client = @Sendable (inout Generator) -> [Double]

    let name: String
    let keys: String
    let right: Client
    let wrong: Client

    var testDescription: String { name }

    private static func drawn(_ range: ClosedRange<Double>, _ random: inout Generator) -> Double {
        Double.random(in: range, using: &random)
    }

    private static func plain(_ waits: [Double]) -> Client { { _ in waits } }

    private static func doubling(_ base: Double, _ cap: Double, _ count: Int) -> [Double] {
        var waits: [Double] = []
        var wait = base
        for _ in 0..<count {
            waits.append(min(wait, cap))
            wait *= 2
        }
        return waits
    }

    static let all: [LibrarySchedule] = [
        LibrarySchedule(
            name: "wget", keys: "model: linear, base: 1s, step: 1s, cap: 10s, attempts: 12",
            right: plain([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]),
            wrong: plain([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])),
        LibrarySchedule(
            name: "curl", keys: "model: exponential, base: 1s, cap: 10m, attempts: 6",
            right: plain([1, 2, 4, 8, 16, 32]), wrong: plain([1, 2, 3, 4, 5, 6])),
        LibrarySchedule(
            name: "autossh",
            keys: "model: list, waits: [0s, 0s, 0s, 0s, 0s, 2s, 8s, 18s], attempts: 8",
            right: plain([0, 0, 0, 0, 0, 2, 8, 18]), wrong: plain([0, 0, 0, 0, 0, 0, 0, 0])),
        LibrarySchedule(
            name: "a quadratic back-off",
            keys: "growth: base * n^2, base: 2s, cap: 30s, attempts: 5",
            right: plain([2, 8, 18, 30, 30]), wrong: plain([2, 4, 8, 16, 30])),
        LibrarySchedule(
            name: "a Fibonacci back-off",
            keys: "model: list, waits: [1s, 1s, 2s, 3s, 5s, 8s, 13s], cap: 10s, attempts: 7",
            right: plain([1, 1, 2, 3, 5, 8, 10]), wrong: plain([1, 2, 3, 5, 8, 10, 10])),
        LibrarySchedule(
            name: "paho C",
            keys: """
                model: exponential, base: 1s, cap: 60s, jitter: plus-minus, spread: 20%,
                    attempts: 20
                """,
            right: { random in doubling(1, 60, 20).map { $0 * drawn(0.84...1.19, &random) } },
            wrong: plain(doubling(1, 60, 20))),
        LibrarySchedule(
            name: "paho Python", keys: "model: exponential, base: 1s, cap: 120s, attempts: 9",
            right: plain(doubling(1, 120, 9)), wrong: plain(doubling(1, 200, 9))),
        LibrarySchedule(
            name: "MQTT.js", keys: "model: fixed, base: 1s, attempts: 5",
            right: plain([1, 1, 1, 1, 1]), wrong: plain([1, 1, 1, 2, 1])),
        LibrarySchedule(
            name: "nats.py", keys: "model: fixed, base: 2s, attempts: 5",
            right: plain([2, 2, 2, 2, 2]), wrong: plain([2, 0.1, 2, 2, 2])),
        LibrarySchedule(
            name: "NATS",
            keys: "model: fixed, base: 2s, jitter: plus, spread: 1s, attempts: 20",
            right: { random in (0..<20).map { _ in drawn(2...3, &random) } },
            wrong: { random in (0..<20).map { _ in drawn(1.5...2.5, &random) } }),
        LibrarySchedule(
            name: "Phoenix",
            keys: """
                model: list, waits: [10ms, 50ms, 100ms, 150ms, 200ms, 250ms, 500ms, 1s, 2s, 5s],
                    attempts: 11
                """,
            right: plain([0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1, 2, 5, 5]),
            wrong: plain([0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1, 2, 5, 10])),
        LibrarySchedule(
            name: "SignalR",
            keys: "model: list, waits: [0s, 2s, 10s, 30s], attempts: 4, silence: 60s",
            right: plain([0, 2, 10, 30]), wrong: plain([0, 2, 10, 30, 30])),
        LibrarySchedule(
            name: "AWS SDK",
            keys: "model: exponential, base: 1s, cap: 20s, jitter: full, attempts: 25",
            right: { random in doubling(1, 20, 25).map { $0 * drawn(0...1, &random) } },
            wrong: plain(doubling(1, 20, 25))),
        LibrarySchedule(
            name: "redis-py",
            keys: "model: exponential, base: 200ms, cap: 10s, jitter: equal, attempts: 25",
            right: { random in doubling(0.2, 10, 25).map { $0 * drawn(0.5...1, &random) } },
            wrong: { random in doubling(0.2, 10, 25).map { $0 * drawn(0...1, &random) } }),
        LibrarySchedule(
            name: "Finagle",
            keys: """
                model: exponential, base: 1s, jitter: decorrelated, cap: 30s, attempts: 25
                """,
            right: { random in
                var previous = 1.0
                return (0..<25).map { _ in
                    previous = min(30, drawn(1...previous * 3, &random))
                    return previous
                }
            },
            wrong: { _ in (0..<25).map { $0 == 0 ? 2 : $0 == 1 ? 8 : 30 } }),
        LibrarySchedule(
            name: "tenacity, random exponential",
            keys: "model: exponential, base: 1s, cap: 60s, jitter: full, attempts: 25",
            right: { random in doubling(1, 60, 25).map { $0 * drawn(0...1, &random) } },
            wrong: { random in doubling(1, 60, 25).map { $0 * drawn(0.4...0.6, &random) } }),
        LibrarySchedule(
            name: "tenacity, exponential and jitter",
            keys: """
                model: exponential, base: 1s, cap: 60s, capped: after-jitter, jitter: plus,
                    spread: 1s, attempts: 9
                """,
            right: { random in doubling(1, 60, 9).map { min(60, $0 + drawn(0...1, &random)) } },
            wrong: { random in doubling(1, 60, 9).map { $0 + drawn(1.2...2, &random) } }),
        LibrarySchedule(
            name: "gRPC",
            keys: """
                model: exponential, base: 1s, factor: 1.6, cap: 120s, jitter: plus-minus,
                    spread: 20%, reset: success, from: attempt-start, timeout: 20s, attempts: 6
                """,
            right: { random in
                (0..<6).map { pow16($0) * drawn(0.81...1.19, &random) }
            },
            wrong: { _ in doubling(1, 120, 6) }),
        LibrarySchedule(
            name: "Kafka, one broker",
            keys: """
                model: exponential, base: 50ms, cap: 1s, jitter: plus-minus, spread: 20%,
                    attempts: 12
                """,
            right: { random in doubling(0.05, 1, 12).map { $0 * drawn(0.8...1.2, &random) } },
            wrong: { random in doubling(0.05, 3, 12).map { $0 * drawn(0.8...1.2, &random) } }),
        LibrarySchedule(
            name: "socket.io",
            keys: """
                model: exponential, base: 1s, cap: 5s, jitter: plus-minus, spread: 50%,
                    attempts: 25
                """,
            right: { random in doubling(1, 5, 25).map { $0 * drawn(0.5...1.5, &random) } },
            wrong: plain(doubling(1, 5, 25))),
        LibrarySchedule(
            name: "Google HTTP client",
            keys: """
                model: exponential, base: 500ms, factor: 1.5, cap: 60s, jitter: plus-minus,
                    spread: 50%, attempts: 12, maxElapsed: 30s
                """,
            right: { random in elapsing(30, 12) { grown(0.5, 1.5, $0) * drawn(0.5...1.5, &random) }
            },
            wrong: { random in elapsing(90, 12) { grown(0.5, 1.5, $0) * drawn(0.5...1.5, &random) }
            }),
        LibrarySchedule(
            name: "DataStax",
            keys: """
                model: exponential, base: 1s, cap: 60s, capped: both, floor: 1s,
                    jitter: plus-minus, spread: 15%, attempts: 20
                """,
            right: { random in
                doubling(1, 60, 20).map { min(60, max(1, $0 * drawn(0.85...1.15, &random))) }
            },
            wrong: { random in
                doubling(1, 60, 20).map { min(60, $0 * drawn(0.85...0.9, &random)) }
            }),
        LibrarySchedule(
            name: "client-go",
            keys: """
                model: exponential, base: 1s, cap: 30s, jitter: plus, spread: 100%, attempts: 20
                """,
            right: { random in doubling(1, 30, 20).map { $0 * drawn(1...2, &random) } },
            wrong: { random in doubling(1, 30, 20).map { $0 * drawn(0.5...1.5, &random) } }),
        LibrarySchedule(
            name: "node-redis",
            keys: """
                model: exponential, base: 50ms, cap: 2s, jitter: plus, spread: 200ms, attempts: 20
                """,
            right: { random in doubling(0.05, 2, 20).map { $0 + drawn(0...0.2, &random) } },
            wrong: { random in doubling(0.05, 2, 20).map { $0 - drawn(0...0.2, &random) / 3 } }),
        LibrarySchedule(
            name: "reconnecting-websocket",
            keys: """
                model: exponential, base: {min: 1s, max: 5s}, factor: 1.3, cap: 10s, attempts: 7
                """,
            right: { random in
                let base = drawn(1...5, &random)
                return (0..<7).map { min(10, grown(base, 1.3, $0)) }
            },
            wrong: { random in
                let waits = [1.5, 3, 2, 4, 2.5, 4.5, 3]
                return zip(waits, 0...).map { $0 + drawn(0...0.1, &random) * Double($1) }
            }),
        LibrarySchedule(
            name: "Polly V2",
            keys: """
                model: exponential, base: 2s, jitter: full, distribution: any, attempts: 20,
                    cap: 60s
                """,
            right: { random in
                doubling(2, 60, 20).map { wait in
                    let part = drawn(0...1, &random)
                    return wait * part * part * part
                }
            },
            wrong: { _ in (0..<20).map { 3 * Double($0 + 1) } }),
        LibrarySchedule(
            name: "a list of ranges",
            keys: "model: list, waits: [{min: 1s, max: 2s}, {min: 4s, max: 8s}, 10s], attempts: 4",
            right: { random in [drawn(1...2, &random), drawn(4...8, &random), 10, 10] },
            wrong: { random in [drawn(1...2, &random), drawn(1...2, &random), 10, 10] }),
        LibrarySchedule(
            name: "a first wait with jitter of its own (RFC 6455 7.2.3)",
            keys: """
                model: exponential, first: {min: 0s, max: 5s}, base: 5s, cap: 60s, attempts: 4
                """,
            right: { random in [drawn(0...5, &random), 5, 10, 20] },
            wrong: { random in [drawn(6...9, &random), 5, 10, 20] }),
        LibrarySchedule(
            name: "a retry budget",
            keys: """
                model: fixed, base: 1s, jitter: full, distribution: any, attempts: 12,
                    budget: {attempts: 12, within: 10s}
                """,
            right: { random in (0..<12).map { _ in drawn(0.98...1, &random) } },
            wrong: { random in (0..<12).map { _ in drawn(0...0.1, &random) } }),
        LibrarySchedule(
            name: "a maximum elapsed time",
            keys: "model: fixed, base: 5s, attempts: 9, maxElapsed: 22s",
            right: plain([5, 5, 5, 5, 5]), wrong: plain([5, 5, 5, 5, 5, 5])),
    ]

    private static func grown(_ base: Double, _ factor: Double, _ index: Int) -> Double {
        (0..<index).reduce(base) { wait, _ in wait * factor }
    }

    private static func pow16(_ index: Int) -> Double { grown(1, 1.6, index) }

    /// Returns the waits of a client that gives up this long after the first failure.
    private static func elapsing(
        _ limit: Double, _ most: Int, _ wait: (Int) -> Double
    ) -> [Double] {
        var waits: [Double] = []
        var elapsed = 0.0
        while waits.count < most, elapsed <= limit {
            waits.append(wait(waits.count))
            elapsed += waits.last ?? 0
        }
        return waits
    }
}

@Suite("Schedules of libraries")
struct LibraryScheduleTests {
    private static let tolerance = ", early: 5ms, late: 20ms"

    /// Returns attempts that are refused at once, after these waits.
    static func outage(_ waits: [Double]) -> ConnectionTrace {
        var trace = ConnectionTrace()
        var time = 0.0
        trace.attempt(time)
        for wait in waits {
            time += 0.0001
            trace.refuse(time)
            time += wait
            trace.attempt(time)
        }
        time += 0.0001
        trace.refuse(time)
        return trace
    }

    @Test(
        "Each schedule can be written, a correct client passes and a wrong one fails",
        arguments: LibrarySchedule.all)
    func libraries(library: LibrarySchedule) throws {
        let schedule = try ScheduleText.schedule(library.keys + Self.tolerance)
        for seed in 1...30 as ClosedRange<UInt64> {
            var random = PropertyTests.Generator(seed: seed)
            let right = library.right(&random)
            let judgement = Self.outage(right).judgement(schedule, end: 10_000, quiet: .zero)
            #expect(
                judgement.verdict == .pass,
                "seed \(seed): \(judgement.sentence) \(schedule.suiteText) \(right)")
        }
        var random = PropertyTests.Generator(seed: 77)
        let wrong = library.wrong(&random)
        let judgement = Self.outage(wrong).judgement(schedule, end: 10_000, quiet: .seconds(100))
        #expect(judgement.verdict == .fail, "\(judgement.sentence) \(wrong)")
    }

    @Test(
        "The text written for a library's schedule is read as the same schedule",
        arguments: LibrarySchedule.all)
    func roundTrip(library: LibrarySchedule) throws {
        let schedule = try ScheduleText.schedule(library.keys + Self.tolerance)
        let again = try ScheduleText.schedule(
            String(schedule.suiteText.dropFirst().dropLast()))
        #expect(again == schedule)
    }
}
