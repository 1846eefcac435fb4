import Testing

@testable import Judge
@testable import SuiteLanguage

/// The bounds of a wait, by arithmetic alone.
struct WaitBoundsTests {
    private func schedule(
        _ model: BackoffSchedule.Model, first: Duration? = nil, cap: Duration? = nil,
        _ capPlace: BackoffSchedule.CapPlace = .beforeJitter,
        jitter: BackoffSchedule.Jitter = .none
    ) -> BackoffSchedule {
        var schedule = BackoffSchedule(model: model, attempts: 1...1)
        schedule.first = first
        schedule.cap = cap
        schedule.capPlace = capPlace
        schedule.jitter = jitter
        return schedule
    }

    private func waits(_ schedule: BackoffSchedule, _ count: Int) -> [Double] {
        (1...count).map { schedule.bounds(ofWait: $0, after: nil).upper / .seconds(1) }
    }

    @Test("Each model grows as it says, and no further than its cap")
    func models() {
        #expect(waits(schedule(.fixed(.seconds(2))), 3) == [2, 2, 2])
        let line = BackoffSchedule.Model.linear(base: .seconds(1), step: .seconds(1))
        #expect(waits(schedule(line, cap: .seconds(5)), 7) == [1, 2, 3, 4, 5, 5, 5])
        #expect(waits(schedule(line, first: .zero), 4) == [0, 1, 2, 3])
        let power = BackoffSchedule.Model.exponential(base: .milliseconds(100), factor: 2)
        #expect(waits(schedule(power, cap: .seconds(1)), 6) == [0.1, 0.2, 0.4, 0.8, 1, 1])
        #expect(waits(schedule(.list([.zero, .seconds(3)])), 4) == [0, 3, 3, 3])
    }

    @Test(
        "An expression gives each wait after the first one",
        arguments: [
            ("base * n^2", [2, 8, 18, 32]), ("previous", [2, 2, 2, 2]),
            ("previous + 1s", [2, 3, 4, 5]), ("previous * 3", [2, 6, 18, 54]),
            ("previous * n", [2, 4, 12, 48]), ("2 * (previous + base) / 4", [2, 2, 2, 2]),
            ("base / n", [2, 1, 2.0 / 3, 0.5]),
            ("500ms + base * n / 2 ^ (n + 1)", [2, 1, 0.875, 0.75]),
        ] as [(String, [Double])])
    func expressions(text: String, expected: [Double]) throws {
        let expression = try WaitExpression(suiteText: text)
        let found = waits(schedule(.growth(base: .seconds(2), expression)), 4)
        for (wait, right) in zip(found, expected) { #expect(abs(wait - right) < 1e-9) }
        #expect(try WaitExpression(suiteText: expression.suiteText) == expression)
    }

    @Test("Growth without a cap ends at the longest time of suites and never overflows")
    func overflow() throws {
        let power = schedule(.exponential(base: .seconds(1), factor: 1000))
        #expect(power.bounds(ofWait: 10_000, after: nil).upper == .seconds(36_000_000))
        for text in ["base * n^1000", "previous * n", "base / (0 * n)", "base * (0 * n^1000^2)"] {
            let schedule = try schedule(
                .growth(base: .seconds(1), WaitExpression(suiteText: text)))
            #expect(schedule.bounds(ofWait: 10_000, after: nil).upper == .seconds(36_000_000))
        }
        let line = schedule(.linear(base: .zero, step: .seconds(36_000_000)))
        #expect(line.bounds(ofWait: 10_000, after: nil).upper == .seconds(36_000_000))
    }

    @Test("Jitter has its bounds, with the cap before or after it")
    func jitter() {
        let base = BackoffSchedule.Model.fixed(.seconds(10))
        func bounds(
            _ jitter: BackoffSchedule.Jitter, cap: Duration? = nil,
            _ place: BackoffSchedule.CapPlace = .beforeJitter
        ) -> [Double] {
            let bounds = schedule(base, cap: cap, place, jitter: jitter)
                .bounds(ofWait: 2, after: .seconds(4))
            return [bounds.lower, bounds.upper, bounds.uncut].map { $0 / .seconds(1) }
        }
        #expect(bounds(.full) == [0, 10, 10])
        #expect(bounds(.equal) == [5, 10, 10])
        let fifth = Tolerance(absolute: .zero, percent: 20)
        #expect(bounds(.plusMinus(fifth)) == [8, 12, 12])
        #expect(bounds(.plusMinus(fifth), cap: .seconds(5)) == [4, 6, 6])
        #expect(bounds(.plusMinus(fifth), cap: .seconds(9), .afterJitter) == [8, 9, 12])
        #expect(bounds(.plusMinus(Tolerance(absolute: .seconds(20)))) == [0, 30, 30])
        let drawn = schedule(
            .exponential(base: .seconds(1), factor: 3), cap: .seconds(9),
            jitter: .decorrelated(factor: 3))
        #expect(drawn.bounds(ofWait: 1, after: nil).upper == .seconds(3))
        #expect(drawn.bounds(ofWait: 2, after: .seconds(2)).upper == .seconds(6))
        #expect(drawn.bounds(ofWait: 3, after: .seconds(6)).upper == .seconds(9))
        #expect(drawn.bounds(ofWait: 3, after: .seconds(6)).uncut == .seconds(18))
    }

    @Test("A separate first wait has neither cap nor jitter")
    func first() {
        let apart = schedule(
            .fixed(.seconds(1)), first: .seconds(7), cap: .seconds(2), jitter: .full)
        #expect(apart.bounds(ofWait: 1, after: nil) == WaitBounds(exactly: .seconds(7)))
        #expect(apart.bounds(ofWait: 2, after: nil).upper == .seconds(1))
    }
}
