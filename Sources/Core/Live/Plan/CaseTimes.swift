import Judge
import Results
import SuiteLanguage

/// How long cases are likely to take: as measured in an earlier run, or else as they declare.
public struct CaseTimes: Sendable {
    private var measured: [CaseReference: Double] = [:]

    /// Creates times without measurements.
    public init() {}

    /// Takes the times of the cases that were executed in a run.
    public init(of run: RunResult) {
        for result in run.cases where result.verdict != .skipped && result.seconds > 0 {
            measured[CaseReference(result)] = result.seconds
        }
    }

    /// Returns how many seconds a case is likely to take; a skipped case takes none.
    func seconds(of entry: RunPlan.Entry, at scale: TimeScale = .real) -> Double {
        guard entry.skipReason == nil else { return 0 }
        return measured[PlannedCase(entry).reference]
            ?? entry.testCase.scaled(by: scale).likelySeconds
    }

    /// Returns the places of entries, those that are likely to take the longest first.
    func longestFirst(_ entries: [RunPlan.Entry]) -> [Int] {
        let times = entries.map { seconds(of: $0) }
        return entries.indices.sorted { (-times[$0], $0) < (-times[$1], $1) }
    }

    /// Returns the part of each entry, from 0; all parts take about the same time.
    ///
    /// The entries are assigned one after the other, the longest first, to the part with the least
    /// time so far. The division depends on nothing but cases and times: machines with the same
    /// files get the same division.
    func parts(of entries: [RunPlan.Entry], total: Int) -> [Int] {
        var parts = [Int](repeating: 0, count: entries.count)
        var sums = [Double](repeating: 0, count: total)
        for place in longestFirst(entries) {
            let least = sums.indices.min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
            parts[place] = least
            sums[least] += seconds(of: entries[place])
        }
        return parts
    }
}

extension RunPlan {
    /// How many seconds each case is likely to take; a skipped case takes none.
    public var expectedSeconds: [CaseReference: Double] {
        Dictionary(
            entries.map { (PlannedCase($0).reference, times.seconds(of: $0, at: timeScale)) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension TestCase {
    /// How many seconds it is likely to take.
    ///
    /// A case that is patient with its device often is so because the device waits, for an answer
    /// that the case delays or for a timer.
    var likelySeconds: Double {
        max(declaredSeconds, (preamble + steps).longestWithin / .seconds(3))
    }

    /// How many seconds it takes at least by its declaration: waits, earliest times, silences.
    var declaredSeconds: Double { (preamble + steps).declaredSeconds + quiet / .seconds(1) }
}

extension [Step] {
    fileprivate var declaredSeconds: Double { reduce(0) { $0 + $1.declaredSeconds } }

    fileprivate var longestWithin: Duration {
        map { $0.group.map { $0.parts.map(\.longestWithin).max() ?? .zero } ?? $0.within }
            .max() ?? .zero
    }
}

extension Step {
    fileprivate var declaredSeconds: Double {
        (group?.declaredSeconds ?? verb.leastSeconds) + (at ?? after ?? .zero) / .seconds(1)
    }
}

extension Step.Group {
    fileprivate var declaredSeconds: Double {
        switch self {
        case .either(let lists): lists.map(\.declaredSeconds).min() ?? 0
        case .anyOrder(let lists): lists.reduce(0) { $0 + $1.declaredSeconds }
        case .repeat(let counts, let steps): steps.declaredSeconds * Double(counts.lowerBound)
        case .optional, .repeatUntil: 0
        }
    }
}
