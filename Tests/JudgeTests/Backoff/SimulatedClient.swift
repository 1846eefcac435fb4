import Glibc
import SuiteLanguage
import Trace

@testable import Judge

/// A client that retries by its own arithmetic in seconds, and the faults put into it.
struct SimulatedClient {
    typealias Generator = PropertyTests.Generator

    /// A fault of the client.
    enum Mutation: CaseIterable {
        case offByOne, early, noCap, neverResets, alwaysResets, constant, exponential, doubled
    }

    /// The outcome of an attempt.
    enum Fate {
        case refused
        /// The connection lasts that long and is then reset.
        case stands(Double)
    }

    var schedule: BackoffSchedule
    var mutation: Mutation?
    /// Draws the position within the bounds; `nil` for the middle.
    var draw: ((inout Generator) -> Double)?

    /// The result of a run.
    struct Run {
        var trace = ConnectionTrace()
        var waits: [Double] = []
        /// Whether a time was so close to the limit of a reset that either outcome is right.
        var isClose = false
    }

    func run(_ fates: [Fate], _ random: inout Generator) -> Run {
        var run = Run()
        var time = 0.0
        var count = 0
        var previous: Double?
        var lastEnd: Double?
        run.trace.attempt(time)
        for fate in fates {
            var stood: Double?
            switch fate {
            case .refused:
                time += 0.0001
                run.trace.refuse(time)
            case .stands(let length):
                run.trace.accept(time)
                time += length
                run.trace.reset(time)
                stood = length
            }
            if resets(count + 1, stood, lastEnd.map { time - $0 }, previous, &run) { count = 0 }
            lastEnd = time
            count += 1
            let wait = wait(count, previous, &random)
            previous = wait
            run.waits.append(wait)
            time += wait
            run.trace.attempt(time)
        }
        return run
    }

    private func resets(
        _ next: Int, _ stood: Double?, _ elapsed: Double?, _ previous: Double?, _ run: inout Run
    ) -> Bool {
        if mutation == .neverResets { return false }
        if mutation == .alwaysResets { return true }
        let (time, limit): (Double?, Double)
        switch schedule.reset {
        case .never: return false
        case .success: return stood != nil
        case .stable(let length): (time, limit) = (stood, length / .seconds(1))
        case .elapsed(let multiple): (time, limit) = (elapsed, plain(next) * multiple)
        }
        guard let time else { return false }
        if abs(time - limit) < 0.035 { run.isClose = true }
        return time > limit
    }

    private func wait(_ number: Int, _ previous: Double?, _ random: inout Generator) -> Double {
        let wait = plain(mutation == .offByOne ? number + 1 : number)
        var limits = (wait, wait)
        switch schedule.jitter {
        case .none: break
        case .full: limits = (0, wait)
        case .equal: limits = (wait / 2, wait)
        case .plusMinus(let spread):
            limits = (wait * (1 - spread.percent / 100), wait * (1 + spread.percent / 100))
        case .uneven(let minus, let plus):
            limits = (wait * (1 - minus.percent / 100), wait * (1 + plus.percent / 100))
        case .plus(let spread): limits = (wait, wait * (1 + spread.percent / 100))
        case .decorrelated(let factor):
            guard case .growth(let base, _) = schedule.model else { break }
            let start = base / .seconds(1)
            limits = (start, max(start, previous ?? start) * factor)
        }
        let part = draw.map { $0(&random) } ?? 0.5
        var drawn = limits.0 + (limits.1 - limits.0) * part
        let isLate = schedule.capPlace != .beforeJitter || isDecorrelated
        if isLate, let cap = schedule.cap { drawn = min(drawn, cap / .seconds(1)) }
        switch mutation {
        case .early: drawn *= 0.95
        case .doubled: drawn *= 2
        default: break
        }
        return drawn
    }

    private var isDecorrelated: Bool {
        if case .decorrelated = schedule.jitter { true } else { false }
    }

    private func plain(_ number: Int) -> Double {
        let number = mutation == .constant ? 2 : number
        if number == 1, let first = schedule.first { return first / .seconds(1) }
        let index = Double(number - (schedule.first == nil ? 1 : 2))
        var wait: Double
        switch schedule.model {
        case .growth(let base, .previous): wait = base / .seconds(1)
        case .growth(let base, .sum(.previous, .wait(let step))):
            let growth = mutation == .exponential ? pow2(index) - 1 : index
            wait = base / .seconds(1) + step / .seconds(1) * growth
        case .growth(let base, .product(.previous, .number(let factor))):
            wait = base / .seconds(1)
            for _ in 0..<Int(index) { wait *= factor }
        case .ranges(let waits):
            wait = waits[min(Int(index), waits.count - 1)].upperBound / .seconds(1)
        case .growth(let base, .product(.base, .power(.counter, .number(let power)))):
            wait = base / .seconds(1) * pow(index + 1, power)
        case .growth: preconditionFailure("no simulation has this growth")
        }
        let capped = mutation != .noCap && schedule.capPlace != .afterJitter
        if capped, let cap = schedule.cap { wait = min(wait, cap / .seconds(1)) }
        return wait
    }

    private func pow2(_ exponent: Double) -> Double {
        (0..<Int(exponent)).reduce(1) { power, _ in power * 2 }
    }
}
