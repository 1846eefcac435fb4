import Results
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// What decides an attempt, what a server says about the next wait, and when attempts end.
struct ScheduleSignTests {
    private func schedule(_ keys: String) throws -> BackoffSchedule {
        try ScheduleText.schedule(keys + ", early: 5ms, late: 20ms")
    }

    /// Returns failed attempts after these waits, each with a message of the server before its end.
    private func trace(_ waits: [Double], saying texts: [Value]) -> ConnectionTrace {
        var trace = ConnectionTrace()
        var time = 0.0
        trace.attempt(time)
        for (wait, text) in zip(waits, texts) {
            time += 0.001
            trace.add("log.failed", time, fromDevice: true, ["retry": text])
            time += 0.001
            trace.refuse(time)
            time += wait
            trace.attempt(time)
        }
        return trace
    }

    @Test("A wait that the server gives replaces the wait of the model")
    func hints() throws {
        let hinted = try schedule(
            "model: fixed, base: 1s, attempts: 3, hint: {message: log.failed, field: retry}")
        let kept = trace([3, 1, 7], saying: [3, .null, "7"]).judgement(hinted)
        #expect(kept.verdict == .pass, "\(kept.sentence)")
        let unconsidered = trace([1, 1, 1], saying: [3, .null, "7"]).judgement(hinted)
        #expect(unconsidered.sentence.contains("wait 1 took 1.000 s"), "\(unconsidered.sentence)")
        let thousandths = try schedule(
            """
            model: fixed, base: 1s, attempts: 1,
                hint: {message: log.failed, field: retry, unit: ms}
            """)
        #expect(trace([2.5], saying: [2500]).judgement(thousandths).verdict == .pass)
    }

    @Test("A date in place of a number leaves only that wait open")
    func unreadHint() throws {
        let hinted = try schedule(
            "model: fixed, base: 1s, attempts: 2, hint: {message: log.failed, field: retry}")
        let date = Value("Wed, 21 Oct 2026 07:28:00 GMT")
        for wait in [0.2, 1, 17.0] {
            let judgement = trace([wait, 1], saying: [date, .null]).judgement(hinted)
            #expect(judgement.verdict == .pass, "\(judgement.sentence)")
        }
        #expect(trace([17, 2], saying: [date, .null]).judgement(hinted).verdict == .fail)
    }

    /// Hints of servers about the next wait, and whether an exponential back-off follows them.
    @Test(
        "Hints of servers replace waits of an exponential back-off, which continues after them",
        arguments: [
            ("Retry-After", "field: retry", Value(3), Value("7"), 1.0),
            ("SSE retry:", "field: retry, unit: ms", 3000, "7000", 1.0),
            ("AWS x-amz-retry-after", "field: retry, unit: ms", 3000, 7000, 1.0),
            ("a user property of MQTT 5", "field: retry, unit: s", 3, 7, 1.0),
        ])
    func hintsOfServers(
        name: String, field: String, first: Value, third: Value, base: Double
    ) throws {
        let hinted = try schedule(
            """
            model: exponential, base: \(base)s, cap: 20s, attempts: 3,
                hint: {message: log.failed, \(field)}
            """)
        let texts: [Value] = [first, .null, third]
        let right = trace([3, 2 * base, 7], saying: texts).judgement(hinted)
        #expect(right.verdict == .pass, "\(name): \(right.sentence)")
        for wrong in [[base, 2 * base, 7], [3, 2 * base, 4 * base], [3, 3, 7]] {
            let judgement = trace(wrong, saying: texts).judgement(hinted)
            #expect(judgement.verdict == .fail, "\(name): \(wrong)")
        }
    }

    @Test(
        "An attempt that the client's kernel repeats ends with the last ICMP error or refusal",
        arguments: ["icmp.unreachable", "tcp.refused"])
    func repeatedByKernel(refusal: String) throws {
        let fixed = try schedule("model: fixed, base: 1s, attempts: 1")
        var trace = ConnectionTrace()
        trace.attempt(0)
        for time in [0.001, 0.501] { trace.add(refusal, time, fromDevice: false) }
        var early = trace
        trace.attempt(1.502)
        #expect(trace.judgement(fixed).verdict == .pass)
        early.attempt(1.1)
        let judgement = early.judgement(fixed)
        #expect(judgement.verdict == .fail)
        #expect(judgement.sentence.contains("wait 1 took 599 ms"), "\(judgement.sentence)")
    }

    @Test("The last attempt, which the longest outage cuts, must come")
    func cutAttempt() throws {
        let cut = try schedule(
            """
            model: exponential, base: 1s, attempts: {min: 1, max: 20}, maxElapsed: 10s,
                cut: true, silence: 12s
            """)
        func judgement(_ waits: [Double]) -> Judgement {
            var trace = ConnectionTrace()
            var time = 0.0
            for wait in [0] + waits {
                time += wait
                trace.attempt(time)
                trace.refuse(time)
            }
            return trace.judgement(cut, end: time + 40)
        }
        #expect(judgement([1, 2, 4, 3]).verdict == .pass)
        let missing = judgement([1, 2, 4])
        #expect(missing.verdict == .fail)
        #expect(missing.reason?.explanation?.step == 2)
        #expect(missing.checks == [CheckResult(requirement: "R-1", verdict: .fail)])
        #expect(missing.waits.count == 4)
        #expect(judgement([1, 2]).verdict == .pass)
    }

    /// Attempts at two brokers, each after its own waits.
    @Test("A client of Kafka waits for each broker separately")
    func perBroker() throws {
        let steps = try ScheduleText.steps(
            """
            - expect: tcp.SYN
              to: hu
            - expect: tcp.SYN
              to: hu2
            - backoff: {model: exponential, base: 1s, cap: 4s, jitter: plus-minus, spread: 20%,
                        attempts: 4, early: 5ms, late: 20ms}
              to: hu
            - backoff: {model: exponential, base: 1s, cap: 4s, jitter: plus-minus, spread: 20%,
                        attempts: 4, early: 5ms, late: 20ms}
              to: hu2
            """)
        func judgement(_ first: [Double], _ second: [Double]) -> Judgement {
            var trace = ConnectionTrace()
            for (time, isSecond) in Self.brokers(first, second) {
                trace.attempt(time, toSecond: isSecond)
                trace.refuse(time + 0.0001)
            }
            let testCase = testCase(steps, quiet: .zero, timeout: .seconds(1000))
            var options = CaseMatcher.Options()
            options.isFinished = true
            return judged(
                testCase, on: trace.messages, end: Cast.time(100), options: options)
        }
        let right = judgement([1, 2.2, 4.4, 3.5], [0.9, 1.7, 4, 4.1])
        #expect(right.verdict == .pass, "\(right.sentence)")
        // The second broker's failures make the waits for the first one longer.
        for (first, second) in [
            ([1, 4, 4, 4], [0.9, 1.7, 4, 4.1]), ([1, 2.2, 4.4, 3.5], [0.9, 1.7, 1, 1]),
        ] {
            let wrong = judgement(first, second)
            #expect(wrong.verdict == .fail)
            // The waits after the first wrong one are listed for both brokers.
            #expect(wrong.steps.compactMap(\.schedule?.count) == [4, 4])
        }
    }

    @Test("The first attempt at a target that the step before does not mention is not judged")
    func laterTarget() throws {
        let steps = try ScheduleText.steps(
            """
            - expect: tcp.SYN
            - backoff: {model: exponential, base: 1s, attempts: 2, early: 5ms, late: 20ms}
              to: hu
            - backoff: {model: fixed, base: 2s, attempts: 2, early: 5ms, late: 20ms}
              to: hu2
            """)
        func judgement(_ second: [Double], start: Double) -> Judgement {
            var trace = ConnectionTrace()
            let attempts =
                Self.brokers([1, 2], []).filter { !$0.isSecond }
                + Self.brokers([], second).filter(\.isSecond).map { ($0.time + start, true) }
            for (time, isSecond) in attempts.sorted(by: { $0.0 < $1.0 }) {
                trace.attempt(time, toSecond: isSecond)
                trace.refuse(time + 0.0001)
            }
            return judged(
                testCase(steps, quiet: .zero, timeout: .seconds(1000)), on: trace.messages,
                end: Cast.time(100))
        }
        for start in [0.3, 5] {
            let right = judgement([2, 2], start: start)
            #expect(right.verdict == .pass, "\(right.sentence)")
            #expect(judgement([2, 1], start: start).verdict == .fail)
        }
    }

    /// Returns the attempts at both brokers in order of time.
    private static func brokers(
        _ first: [Double], _ second: [Double]
    ) -> [(time: Double, isSecond: Bool)] {
        [(first, 0.0, false), (second, 0.01, true)].flatMap { waits, start, isSecond in
            var time = start
            return [(time, isSecond)]
                + waits.map { wait in
                    time += wait + 0.0001
                    return (time, isSecond)
                }
        }.sorted { $0.0 < $1.0 }
    }

    @Test("The base of a schedule may be a value that a step has saved")
    func saved() throws {
        let steps = try ScheduleText.steps(
            """
            - expect: tcp.SYN
            - expect: log.failed
              save: {retry: retry}
            - backoff: {model: exponential, base: {saved: retry}, attempts: 2, early: 5ms, late: 20ms}
            """)
        for (waits, verdict) in [([3.0, 6.0], Verdict.pass), ([1, 2], .fail)] {
            let trace = trace(waits, saying: [3, .null])
            let testCase = testCase(steps, quiet: .zero, timeout: .seconds(1000))
            let judgement = judged(
                testCase, on: trace.messages.filter { $0.name != "log.failed" || $0.number == 2 },
                end: Cast.time(100))
            #expect(judgement.verdict == verdict, "\(judgement.sentence)")
        }
    }

    @Test("A success is a message of that sender with those fields")
    func success() throws {
        let said = try schedule(
            """
            model: linear, base: 1s, step: 1s, reset: success, attempts: 2,
                success: {message: log.ready, where: {state: up}}
            """)
        func trace(_ state: Value, _ waits: [Double]) -> ConnectionTrace {
            var trace = ConnectionTrace()
            var time = 0.0
            trace.attempt(time)
            for wait in waits {
                trace.accept(time + 0.001)
                trace.add("log.ready", time + 0.002, ["state": state])
                trace.reset(time + 0.1)
                time += 0.1 + wait
                trace.attempt(time)
            }
            return trace
        }
        #expect(trace("up", [1, 1]).judgement(said).verdict == .pass)
        #expect(trace("up", [1, 2]).judgement(said).verdict == .fail)
        #expect(trace("down", [1, 2]).judgement(said).verdict == .pass)
        #expect(trace("down", [1, 1]).judgement(said).verdict == .fail)
    }

    @Test("A base that is drawn once determines all waits that follow from it")
    func drawnBase() throws {
        let drawn = try schedule(
            "model: exponential, base: {min: 1s, max: 5s}, factor: 2, attempts: 3")
        #expect(LibraryScheduleTests.outage([2.2, 4.4, 8.8]).judgement(drawn).verdict == .pass)
        let other = LibraryScheduleTests.outage([2.2, 8, 8.8]).judgement(drawn)
        #expect(other.sentence.contains("wait 2 took 8.000 s"), "\(other.sentence)")
        #expect(LibraryScheduleTests.outage([5.5, 11, 22]).judgement(drawn).verdict == .fail)
    }

    @Test("Attempts end when the outage has reached its longest time")
    func maxElapsed() throws {
        let limited = try schedule("model: fixed, base: 4s, attempts: 9, maxElapsed: 10s")
        func verdict(_ waits: [Double], end: Double = 60) -> Verdict {
            LibraryScheduleTests.outage(waits)
                .judgement(limited, end: end, quiet: .seconds(20)).verdict
        }
        // The client may check the time before the wait or after it.
        #expect(verdict([4, 4]) == .pass)
        #expect(verdict([4, 4, 4]) == .pass)
        #expect(verdict([4, 4, 4, 4]) == .fail)
        #expect(verdict([4]) == .fail)
    }

    @Test(
        "An attempt after the longest outage is found without a silence",
        arguments: ["attempts: 3, ", "attempts: {min: 2, max: 3}, ", "attempts: 9, "])
    func attemptAfterLongestOutage(attempts: String) throws {
        let schedules: [(keys: String, right: [Double])] = [
            ("model: exponential, base: 1s, maxElapsed: 5s, cut: true", [1, 2, 2]),
            ("model: fixed, base: 2s, maxElapsed: 5s", [2, 2, 2]),
        ]
        for (keys, right) in schedules {
            let limited = try schedule(attempts + keys)
            let kept = LibraryScheduleTests.outage(right).judgement(limited, end: 60)
            #expect(kept.verdict == .pass, "\(keys): \(kept.sentence)")
            for wait in [0.7, 1.9] where keys.contains("cut") || wait > 1 {
                let broken = LibraryScheduleTests.outage(right + [wait])
                    .judgement(limited, end: 60)
                #expect(broken.verdict == .fail, "\(keys), \(wait): \(broken.sentence)")
                #expect(broken.checks == [CheckResult(requirement: "R-1", verdict: .fail)])
                #expect(broken.reason?.explanation?.step == 2)
                #expect(broken.reason?.explanation?.frames == [9])
            }
        }
    }

    @Test("A client may end after the longest outage")
    func endAfterLongestOutage() throws {
        let limited = try schedule("model: fixed, base: 2s, attempts: 9, maxElapsed: 5s")
        for (waits, verdict) in [([2, 2, 2], Verdict.pass), ([2.0], .fail)] {
            var trace = LibraryScheduleTests.outage(waits)
            trace.exit(waits.reduce(0.1, +))
            #expect(trace.judgement(limited, end: 60).verdict == verdict)
        }
    }

    @Test("Silence to the end passes only where the end of the capture is known")
    func silence() throws {
        let silent = try schedule(
            "model: fixed, base: 1s, attempts: {min: 1, max: 3}, silence: end")
        let trace = LibraryScheduleTests.outage([1, 1])
        for (cause, verdict) in [(EndCause.endKnown, Verdict.pass), (.captureEnded, .inconclusive)]
        {
            let testCase = testCase(
                [
                    expect("tcp.SYN", within: .seconds(100)),
                    Step(verb: .backoff(silent), position: at(20)),
                ], quiet: .zero, timeout: .seconds(1000))
            let judgement = judged(testCase, on: trace.messages, end: Cast.time(60), cause: cause)
            #expect(judgement.verdict == verdict, "\(judgement.sentence)")
        }
        let more = LibraryScheduleTests.outage([1, 1, 1, 1]).judgement(silent, end: 60)
        #expect(more.verdict == .fail)
    }

    @Test("The end of a TLS handshake is a success, the connection alone is not")
    func handshake() throws {
        let schedule = try schedule(
            """
            model: linear, base: 1s, step: 1s, reset: success, success: tls.handshake, attempts: 2
            """)
        func record(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [type, 3, 3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        }
        let hello: [UInt8] = [2, 0, 0, 40, 3, 3] + Array(repeating: 7, count: 32) + [0, 0x13, 1]
        func trace(finishing: Bool, _ waits: [Double]) -> ConnectionTrace {
            var trace = ConnectionTrace()
            var time = 0.0
            trace.attempt(time)
            for wait in waits {
                trace.accept(time + 0.001)
                trace.data(record(22, [1, 2, 3]), time + 0.002, fromDevice: true)
                trace.data(record(22, hello), time + 0.003, fromDevice: false)
                let length = finishing ? 53 : 19
                trace.data(
                    record(23, Array(repeating: 9, count: length)), time + 0.004, fromDevice: true)
                trace.reset(time + 0.1)
                time += 0.1 + wait
                trace.attempt(time)
            }
            return trace
        }
        #expect(trace(finishing: true, [1, 1]).judgement(schedule).verdict == .pass)
        #expect(trace(finishing: true, [1, 2]).judgement(schedule).verdict == .fail)
        #expect(trace(finishing: false, [1, 2]).judgement(schedule).verdict == .pass)
        #expect(trace(finishing: false, [1, 1]).judgement(schedule).verdict == .fail)
    }
}
