import Testing

@testable import SuiteLanguage

/// Steps that follow the schedule of a client.
struct BackoffLoadingTests {
    private func schedule(_ keys: String) throws -> BackoffSchedule {
        let text = SuiteFixture.suite(steps: "- backoff: {\(keys)}")
        let step = try #require(try SuiteFixture.onlyCase(text).steps.first)
        guard case .backoff(let schedule) = step.verb else {
            Issue.record("\(step.verb)")
            throw InvalidInput([])
        }
        return schedule
    }

    @Test("Each model is read, with a first wait of its own where one is given")
    func models() throws {
        let fixed = try schedule("model: fixed, base: 2s, attempts: 1")
        #expect(fixed.model == .fixed(.seconds(2)) && fixed.first == nil)
        let line = try schedule("model: linear, first: 1s, step: 500ms, attempts: 1")
        #expect(line.model == .linear(base: .seconds(1), step: .milliseconds(500)))
        #expect(line.first == nil)
        let apart = try schedule("model: linear, first: 0s, base: 2s, step: 1s, attempts: 1")
        #expect(apart.model == .linear(base: .seconds(2), step: .seconds(1)))
        #expect(apart.first == .zero)
        let growing = try schedule("model: exponential, base: 100ms, attempts: 1")
        #expect(growing.model == .exponential(base: .milliseconds(100), factor: 2))
        let list = try schedule("model: list, waits: [1s, 3s], attempts: 1")
        #expect(list.model == .list([.seconds(1), .seconds(3)]))
    }

    @Test("A key that is not given has its default")
    func defaults() throws {
        let plain = try schedule("model: fixed, base: 2s, attempts: 3")
        #expect(plain.attempt == "tcp.SYN" && plain.success == nil)
        #expect(plain.distribution == .even && plain.level == BackoffSchedule.usualLevel)
        #expect(plain.failures == BackoffSchedule.transportFailures)
        #expect(plain.jitter == .none && plain.reset == .never && plain.cap == nil)
        #expect(plain.origin == .attemptFailure && plain.capPlace == .beforeJitter)
        #expect(plain.attempts == 3...3 && plain.silence == nil && plain.timeout == nil)
        #expect(plain.early == Tolerance() && plain.late == Tolerance())
    }

    @Test("Every key is read, and written as in a suite")
    func everything() throws {
        let full = try schedule(
            """
            attempt: tcp.SYN, success: tcp.SYNACK, failure: [tcp.RST], model: exponential,
                first: 0s, base: 1s, factor: 1.5, cap: 5s, capped: after-jitter,
                jitter: plus-minus, spread: 100ms 20%, reset: {elapsed: 2}, from: attempt-start,
                timeout: 20s, attempts: {min: 2, max: 4}, silence: 30s, early: 1ms,
                late: 30ms 10%
            """)
        #expect(full.failures == ["tcp.RST"] && full.success == "tcp.SYNACK")
        #expect(full.jitter == .plusMinus(Tolerance(absolute: .milliseconds(100), percent: 20)))
        #expect(full.reset == .elapsed(multiple: 2) && full.origin == .attemptStart)
        #expect(full.attempts == 2...4 && full.silence == .seconds(30))
        let inner = full.suiteText.dropFirst().dropLast()
        #expect(try schedule(String(inner)) == full)
        #expect(
            full.suiteText.hasSuffix(
                "attempts: {min: 2, max: 4}, silence: 30s, early: 1ms, late: 30ms 10%}"))
    }

    @Test("The suite text of a schedule is read as the same schedule", arguments: texts)
    func roundTrip(keys: String) throws {
        let once = try schedule(keys)
        #expect(try schedule(String(once.suiteText.dropFirst().dropLast())) == once)
    }

    static let texts = [
        "model: list, first: 1s, waits: [2s], reset: success, attempts: 1",
        "model: fixed, base: 1s, jitter: equal, reset: {stable: 10s}, attempts: 2, silence: 5s",
        "model: exponential, base: 1s, jitter: decorrelated, cap: 10s, attempts: 9",
        "model: exponential, base: 1s, factor: 4, jitter: decorrelated, cap: 10s, attempts: 9",
        "model: linear, base: 1s, step: 0s, jitter: full, attempts: 2, timeout: 1s",
        "model: linear, base: 0s, step: 1s, attempts: 2, immediate: 50ms",
        "model: list, waits: [1s, 2s], cyclic: true, attempts: {min: 0, max: 2}, silence: 1m",
        "model: fixed, base: 1s, jitter: plus-minus, spread: {minus: 25%, plus: 5ms}, attempts: 2",
        "model: fixed, base: 1s, attempts: 2, maxElapsed: 9s, cut: true",
        "success: {message: tcp.data, from: hu}, model: fixed, base: 1s, attempts: 1",
        "success: tls.handshake, failure: [tcp.RST, {message: tcp.FIN, from: hu}], model: fixed, "
            + "base: 1s, attempts: 1",
        "growth: previous + base, base: 1s, floor: 500ms, attempts: 3",
        "growth: base * n^1.5, base: 1s, attempts: 3",
        "growth: (previous + 1s) / (n + 1), base: {min: 1s, max: 5s}, attempts: 3",
        "model: list, waits: [1s, {min: 2s, max: 3s}], first: {min: 0s, max: 5s}, attempts: 3",
        "model: exponential, base: {min: 1s, max: 5s}, jitter: plus, spread: 20%, attempts: 3",
        "model: fixed, base: 1s, jitter: full, distribution: any, level: 0.001, attempts: 3",
        "model: fixed, base: 1s, attempts: {min: 1, max: 9}, silence: end",
        "model: fixed, base: 1s, attempts: 9, budget: {attempts: 3, within: 10s}, maxElapsed: 1m",
        "hint: {message: log.failed, field: retry, unit: ms}, model: fixed, base: 1s, attempts: 1",
    ]

    @Test("A step names the requirements of each rule of its schedule")
    func checks() throws {
        let text = SuiteFixture.suite(
            steps: """
                - backoff: {model: fixed, base: 1s, attempts: 1}
                  checks: {delay: A-1, end: [A-1]}
                """)
        let step = try #require(try SuiteFixture.onlyCase(text).steps.first)
        guard case .backoff(let schedule) = step.verb else { throw InvalidInput([]) }
        #expect(step.checks == ["A-1"])
        #expect(schedule.checks.map(\.rule) == [.delay, .end])
        #expect(schedule.requirements(of: [.delay]) == ["A-1"])
        #expect(schedule.requirements(of: [.cap]).isEmpty)
    }

    @Test("The description of a schedule's waits names what only messages contain")
    func words() throws {
        let hinted = try schedule(
            "model: fixed, base: 1s, attempts: 2, hint: {message: log.failed, field: retry}")
        #expect(hinted.waitsInWords == "1s each; after log.failed what its retry says")
        var saved = try schedule("model: exponential, base: 1s, attempts: 2")
        saved.savedBase = BackoffSchedule.SavedWait(variable: "retry")
        #expect(saved.waitsInWords == "they follow from what retry has")
    }

    @Test("Decorrelated jitter triples unless a factor is given")
    func decorrelated() throws {
        let base = "model: exponential, base: 1s, jitter: decorrelated, attempts: 9"
        #expect(try schedule(base).jitter == .decorrelated(factor: 3))
        #expect(try schedule(base + ", factor: 5").jitter == .decorrelated(factor: 5))
    }

    @Test("Each mistake in a schedule is reported at its place", arguments: broken)
    func mistakes(_ lines: String) { expectFindings(SuiteFixture.suite(steps: lines)) }

    static let broken = [
        "- backoff: ⟦missing-key⟧{model: fixed, base: 1s}",
        "- backoff: ⟦missing-key⟧{base: 1s, attempts: 1}",
        "- backoff: ⟦missing-key⟧{model: fixed, attempts: 1}",
        "- backoff: ⟦missing-key⟧{model: linear, base: 1s, attempts: 1}",
        "- backoff: ⟦missing-key⟧{model: list, attempts: 1}",
        "- backoff: {model: ⟦bad-value⟧linaer, base: 1s, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, ⟦misplaced-key⟧step: 1s, attempts: 1}",
        "- backoff: {model: list, waits: [1s], ⟦misplaced-key⟧base: 1s, attempts: 1}",
        "- backoff: {model: list, waits: ⟦bad-value⟧[], attempts: 1}",
        "- backoff: {model: list, waits: [⟦bad-duration⟧1], attempts: 1}",
        "- backoff: {model: fixed, base: ⟦bad-duration⟧1, attempts: 1}",
        "- backoff: {model: exponential, base: 1s, factor: ⟦bad-value⟧0.5, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, attempts: ⟦bad-value⟧0}",
        "- backoff: {model: fixed, base: 1s, ⟦missing-key⟧attempts: {min: 1, max: 2}}",
        "- backoff: {model: fixed, base: 1s, silence: 9s, attempts: {⟦bad-value⟧min: 3, max: 2}}",
        "- backoff: {model: fixed, base: 1s, silence: 9s, attempts: ⟦missing-key⟧{min: 3}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, jitter: ⟦bad-value⟧fll}",
        "- backoff: ⟦missing-key⟧{model: fixed, base: 1s, attempts: 1, jitter: plus-minus}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, jitter: full, ⟦misplaced-key⟧spread: 1s}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, jitter: ⟦bad-value⟧decorrelated}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, reset: ⟦bad-value⟧sometimes}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, reset: ⟦bad-value⟧{}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, reset: ⟦bad-value⟧{stable: 1s, elapsed: 2}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, reset: {elapsed: ⟦bad-value⟧0}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, from: ⟦bad-value⟧start}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, attempt: ⟦unknown-message⟧tcp.SIN}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, failure: [⟦unknown-message⟧tcp.RTS]}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, ⟦unknown-key⟧atempt: tcp.SYN}",
        "- backoff: {model: fixed, base: 1s, attempts: 1}\n  ⟦misplaced-key⟧within: 1s",
        "- backoff: {model: fixed, base: 1s, attempts: 1}\n  where: {⟦unknown-field⟧tcp.port: 1}",
        "- backoff: {model: fixed, base: 1s, attempts: 1}\n  from: ⟦unknown-party⟧nobody",
        "- backoff: ⟦wrong-type⟧fast",
        "- backoff: {model: fixed, base: 1s, attempts: 1, success: ⟦unknown-message⟧tls.handshak}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, success: ⟦missing-key⟧{from: hu}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, failure: [{message: tcp.RST, from: ⟦unknown-party⟧me}]}",
        "- backoff: {model: fixed, base: {⟦bad-value⟧min: 2s, max: 1s}, attempts: 1}",
        "- backoff: {model: fixed, base: ⟦missing-key⟧{min: 2s}, attempts: 1}",
        "- backoff: {model: fixed, base: {saved: ⟦unknown-variable⟧retry}, attempts: 1}",
        "- backoff: {model: ⟦bad-value⟧polynomial, base: 1s, attempts: 1}",
        "- backoff: {model: ⟦bad-value⟧fibonacci, base: 1s, attempts: 1}",
        "- backoff: {⟦misplaced-key⟧model: fixed, growth: previous, base: 1s, attempts: 1}",
        "- backoff: {growth: previous, base: 1s, ⟦misplaced-key⟧step: 1s, attempts: 1}",
        "- backoff: ⟦missing-key⟧{growth: previous * 2, attempts: 1}",
        "- backoff: {growth: previous * n, ⟦contradictory-waits⟧base: 0s, attempts: 3}",
        "- backoff: {growth: ⟦bad-expression⟧n^2, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧previous + 2, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧previous * base, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧base / 2s, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧base - 2s, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧base * (n + 1, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧base * m, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧base * 9000000, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦bad-expression⟧previous *, base: 1s, attempts: 1}",
        "- backoff: {growth: ⟦wrong-type⟧2, base: 1s, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, jitter: full, attempts: 1, level: ⟦bad-value⟧0.5}",
        "- backoff: {model: fixed, base: 1s, jitter: full, attempts: 1, distribution: ⟦bad-value⟧odd}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, budget: ⟦missing-key⟧{attempts: 1}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, hint: ⟦missing-key⟧{message: log.failed}}",
        "- backoff: {model: fixed, base: 1s, attempts: 1, silence: ⟦bad-duration⟧never}",
        "- backoff: ⟦missing-key⟧{model: fixed, base: 1s, attempts: 1, jitter: plus}",
        "- backoff: {model: fixed, base: 1s, attempts: 1}\n  checks: {⟦unknown-key⟧pace: A-1}",
        "- backoff: {model: fixed, base: 1s, attempts: 1}\n  checks: {delay: ⟦unknown-requirement⟧A-2}",
        "- expect: tcp.SYN\n  checks: ⟦wrong-type⟧{delay: A-1}",
    ]

    @Test("Keys without effect and contradictions cause warnings", arguments: doubtful)
    func lint(_ lines: String) { expectFindings(SuiteFixture.suite(steps: lines)) }

    static let doubtful = [
        "- backoff: {model: linear, base: 1s, step: 1s, ⟦idle-key⟧capped: after-jitter, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, ⟦idle-key⟧cap: 5s, attempts: 1}",
        "- backoff: {model: exponential, ⟦contradictory-waits⟧base: 0s, attempts: 3}",
        "- backoff: {model: exponential, base: 9s, ⟦contradictory-waits⟧cap: 5s, attempts: 3}",
        "- backoff: {model: linear, base: 1s, step: 1s, cap: 5s, ⟦contradictory-waits⟧floor: 6s, attempts: 3}",
        "- backoff: {model: fixed, base: 1s, ⟦idle-key⟧immediate: 5ms, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, ⟦idle-key⟧distribution: any, ⟦idle-key⟧level: 0.01, attempts: 1}",
        "- backoff: {model: exponential, base: 1s, attempts: {min: 1, max: 9}, ⟦contradictory-waits⟧silence: 10s}",
        "- backoff: {model: fixed, base: 8s, attempts: 3, ⟦contradictory-waits⟧silence: 5s}",
        "- backoff: {model: fixed, base: 8s, attempts: 3, silence: 9s}",
        "- backoff: {model: exponential, base: 1s, attempts: {min: 2, max: 4}, maxElapsed: 10s, cut: true, silence: 5s}",
        "- backoff: {model: exponential, base: 1s, attempts: {min: 2, max: 4}, maxElapsed: 10s, cut: true, ⟦contradictory-waits⟧silence: 4s}",
        "- backoff: {model: fixed, base: 10s, attempts: 3, ⟦contradictory-waits⟧maxElapsed: 5s}",
        "- backoff: {model: fixed, base: 1s, attempts: 9, ⟦contradictory-waits⟧budget: {attempts: 3, within: 10s}}",
        "- backoff: {model: fixed, base: 1s, attempts: 9, timeout: 5s, budget: {attempts: 3, within: 10s}}",
        "- backoff: {model: fixed, base: 5s, attempts: 9, ⟦idle-key⟧budget: {attempts: 3, within: 10s}}",
        "- backoff: {model: fixed, base: 5s, jitter: full, attempts: 9, budget: {attempts: 3, within: 10s}}",
        "- backoff: {model: linear, first: 0s, step: 1s, cap: 5s, immediate: 5ms, attempts: 1}",
        "- backoff: {model: fixed, base: 1s, jitter: full, cap: 5s, distribution: any, attempts: 1}",
    ]

    private func expectFindings(_ marked: String) {
        let marked = MarkedText(marked)
        let found = SuiteFixture.findings(marked.text)
        #expect(
            SuiteFixture.places(found) == marked.expected,
            "\(found.map(\.description).joined(separator: "\n"))")
    }

    @Test("A step that may be a schedule or an expected attempt cannot lead to an act")
    func ambiguity() {
        expectFindings(
            SuiteFixture.suite(
                steps: """
                    - optional: [{backoff: {model: fixed, base: 1s, attempts: 2}}]
                    - expect: tcp.SYN
                    - ⟦ambiguous-act⟧do: hu.close
                    """))
    }
}
