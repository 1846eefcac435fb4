import Results
import SuiteLanguage
import Trace
import Wire

/// Judges waits of several executions together.
///
/// They are the executions of a repeated case, several captures, and all cases of a suite. Many
/// waits can show what few cannot. Each test of a pool uses its part of the level (1/2, 1/6, 1/12
/// and so on), so that all tests together reject a correct client with a probability of at most the
/// level.
public struct PooledSpread: Sendable {
    private struct SampleGroup {
        let testCase: String
        let samples: [SpreadTest.Sample]
        let time: ClosedRange<Timestamp>
        /// The capture and the device in it; `nil` if it shows one device only.
        let place: Place?
    }

    /// One of several devices in a capture.
    public struct Place: Sendable, Hashable {
        let capture: String
        let device: String

        /// Creates a place.
        public init(capture: String, device: String) {
            (self.capture, self.device) = (capture, device)
        }

        /// Whether these are two devices, so that waits at the same time are different ones.
        func isBeside(_ other: Place) -> Bool {
            capture == other.capture && device != other.device
        }
    }

    private struct Pool {
        var lots: [SampleGroup] = []
        var level = 1.0
        var testCount = 0
        /// How many lots there were at the last test.
        var seenCount = 0
        /// Whether it has made a result a failure.
        var isSettled = false
        /// Whether the pool has enough waits: more would show nothing new.
        var isFull: Bool { lots.reduce(0) { $0 + $1.samples.count } >= 2000 }
        /// Whether all waits are of one capture.
        var isOfOneCapture: Bool {
            Set(lots.map { $0.place?.capture }).count == 1 && lots.first?.place != nil
        }
    }

    private var ofCase: [String: Pool] = [:]
    private var ofSuite: [String: Pool] = [:]
    private let takesConcurrent: Bool

    /// Creates an empty pool.
    ///
    /// - Parameter takesConcurrent: Whether waits at the same time are different ones. Captures may
    ///   show the same waits twice; then only one of them counts.
    public init(takesConcurrent: Bool) { self.takesConcurrent = takesConcurrent }

    /// Adds the waits of one execution of a case, if it was judged.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - testCase: The id of the case.
    ///   - place: Which of several devices of a capture it is about; `nil` if there is only one.
    /// - Returns: Whether they are left out, because another capture shows the same time.
    @discardableResult
    public mutating func add(
        _ result: CaseResult, of testCase: String, at place: Place? = nil
    ) -> Bool {
        guard result.verdict == .pass || result.verdict == .fail else { return false }
        let spreads = result.steps.compactMap(\.spread)
        let samples = spreads.compactMap(\.drawn).flatMap(\.samples)
        // A result that already fails by itself is not added.
        guard spreads.allSatisfy({ $0.probability >= $0.level }),
            let first = samples.map(\.began).min(), let last = samples.map(\.ended).max()
        else { return false }
        let lot = SampleGroup(
            testCase: testCase, samples: samples, time: first...last, place: place)
        let level = spreads.map(\.level).min() ?? 1
        let isLeftOut = !add(
            lot, level, to: &ofCase["\(result.suite)/\(testCase)", default: Pool()])
        _ = add(lot, level, to: &ofSuite[result.suite, default: Pool()])
        return isLeftOut
    }

    /// Returns `false` if the pool has waits of the same time.
    private func add(_ lot: SampleGroup, _ level: Double, to pool: inout Pool) -> Bool {
        let isKnown = pool.lots.contains { other in
            guard other.time.overlaps(lot.time) else { return false }
            guard let place = lot.place, let beside = other.place else { return true }
            return !place.isBeside(beside)
        }
        guard takesConcurrent || !isKnown else { return false }
        guard !pool.isFull else { return true }
        pool.lots.append(lot)
        pool.level = min(pool.level, level)
        return true
    }

    /// Judges the result of a case with all waits so far.
    ///
    /// A pass becomes a failure if the waits cannot have been drawn evenly. Otherwise it gets a
    /// remark on the waits of the case.
    public mutating func judged(_ result: CaseResult, of testCase: String) -> CaseResult {
        let spreads = result.steps.filter { $0.spread?.drawn != nil }
        guard result.verdict == .pass, let step = spreads.last, let drawn = step.spread?.drawn
        else { return result }
        let key = "\(result.suite)/\(testCase)"
        let own = Self.test(at: &ofCase[key, default: Pool()])
        let count = ofCase[key]?.lots.count ?? 0
        let kind =
            takesConcurrent
            ? "executions" : ofCase[key]?.isOfOneCapture == true ? "devices" : "captures"
        let extent = "over \(count) \(kind)"
        if let fault = own?.fault {
            ofSuite[result.suite]?.isSettled = true
            return result.refused(at: step, drawn, fault, extent)
        }
        if let fault = Self.test(at: &ofSuite[result.suite, default: Pool()])?.fault {
            let others = Set((ofSuite[result.suite]?.lots ?? []).map(\.testCase))
                .subtracting([testCase]).sorted().joined(separator: ", ")
            return result.refused(
                at: step, drawn, fault, others.isEmpty ? extent : "together with \(others)")
        }
        var result = result
        if let own { result.remarks.insert("\(extent): \(own.spread.text)", at: 0) }
        return result
    }

    private static func test(
        at pool: inout Pool
    ) -> (fault: SpreadTest.Fault?, spread: ScheduledSpread)? {
        guard !pool.isSettled, pool.lots.count > 1, pool.lots.count > pool.seenCount else {
            return nil
        }
        pool.seenCount = pool.lots.count
        pool.testCount += 1
        let tests = Double(pool.testCount)
        let level = pool.level / (tests * (tests + 1))
        let samples = pool.lots.map(\.samples)
        let fault = SpreadTest(of: samples, level: level).fault
        pool.isSettled = fault != nil
        return (fault, ScheduledSpread(of: samples, level: level))
    }
}

extension CaseResult {
    /// Returns the failure that this pass becomes because of other executions.
    fileprivate func refused(
        at step: StepResult, _ drawn: DrawnWaits, _ fault: SpreadTest.Fault, _ extent: String
    ) -> CaseResult {
        var result = self
        let violation = ScheduleViolation(.spread(fault), of: [.chance])
        let text = "\(extent): \(violation.text)\(violation.broken)"
        result.verdict = .fail
        result.reason = Reason(
            violation.code, "step \(drawn.step) (\(step.position.short)): \(text)",
            explanation: Explanation(
                requirements: drawn.requirements, step: drawn.step, position: step.position,
                expected: step.text, actual: text))
        let broken = drawn.requirements.map(\.id)
        result.checks = checks.map {
            CheckResult(
                requirement: $0.requirement,
                verdict: broken.contains($0.requirement) ? .fail : .none)
        }
        return result
    }
}
