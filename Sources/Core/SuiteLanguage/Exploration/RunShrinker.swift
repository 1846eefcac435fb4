/// The search for the shortest and plainest run that still fails in the same way.
///
/// It proposes runs, and its caller reports which of them failed. It ends when each remaining act is
/// needed, and each value is the plainest that still fails.
public struct RunShrinker: Sendable {
    /// The run that failed at first.
    public let original: DrawnRun
    /// The run with all acts, by whose numbers names refer to acts and draws.
    private let whole: DrawnRun
    /// The shortest and plainest run that has failed.
    public private(set) var best: DrawnRun
    private let exploration: Exploration
    private var tries: [DrawnName: Int] = [:]
    /// How often a run is proposed that has not failed.
    private var repetitions = 1
    /// Whether all acts that are left are needed, so that their values are made plainer.
    private var isShort = false

    /// Begins with a run that has failed.
    public init(_ exploration: Exploration, _ run: DrawnRun) {
        self.exploration = exploration
        var name = run.name
        (name.acts, name.values) = (nil, [:])
        whole = exploration.run(named: name) ?? run
        original = run
        best = run
    }

    /// Returns the runs to execute next, the shortest first; none at the end.
    public mutating func proposals() -> [DrawnRun] {
        if !isShort {
            let runs = take(shorter)
            guard runs.isEmpty else { return runs }
            isShort = true
        }
        return take(plainer)
    }

    /// Proposes runs that have not failed again, so many times in all, because the failure comes
    /// only sometimes.
    public mutating func tryAgain(times: Int) {
        repetitions = times
        isShort = false
    }

    /// Records that a run failed in the same way.
    public mutating func consume(failed run: DrawnRun) {
        if isSimpler(run) { best = run }
    }

    /// Whether a run is shorter or plainer than the best one.
    public func isSimpler(_ run: DrawnRun) -> Bool { weight(run) < weight(best) }

    private func weight(_ run: DrawnRun) -> (Int, Int) {
        let draws = exploration.draws(of: run)
        return (
            run.acts.count, zip(draws, run.choices).reduce(0) { $0 + $1.0.weight(of: $1.1) }
        )
    }

    /// Returns the runs of the names that are possible and not yet tried often enough.
    private mutating func take(_ names: [DrawnName]) -> [DrawnRun] {
        var seen: Set<DrawnName> = []
        let runs = names.filter { seen.insert($0).inserted }.flatMap { name -> [DrawnRun] in
            let left = repetitions - tries[name, default: 0]
            guard left > 0, let run = exploration.run(whole, as: name), isSimpler(run) else {
                return []
            }
            return Array(repeating: run, count: left)
        }
        for run in runs { tries[run.name, default: 0] += 1 }
        return runs.sorted { weight($0) < weight($1) }
    }

    /// The numbers of the acts that are left.
    private var kept: [Int] { best.name.acts ?? Array(whole.acts.indices.map { $0 + 1 }) }

    /// Runs with fewer acts: none, each one alone, each with the last one, beginnings of the run,
    /// and all but one.
    private var shorter: [DrawnName] {
        let kept = kept
        guard let last = kept.last else { return [] }
        let lists =
            [[]] + kept.map { [$0] } + kept.dropLast().map { [$0, last] }
            + kept.indices.dropFirst().map { Array(kept[..<$0]) }
            + kept.map { act in kept.filter { $0 != act } }
        return lists.map { acts in
            var name = best.name
            name.acts = acts
            return name
        }
    }

    /// Runs with plainer values: all at once, and each one alone.
    private var plainer: [DrawnName] {
        let places = places
        func name(_ changes: [(place: Int, choice: UInt64)]) -> DrawnName {
            var name = best.name
            for change in changes { name.values[change.place] = change.choice }
            return name
        }
        let simplest = places.map { (place: $0.place, choice: $0.draw.plainest) }
        let single = places.flatMap { place, draw, choice in
            draw.plainer(than: choice).map { name([(place, $0)]) }
        }
        return [name(simplest)] + single
    }

    /// The draws of the acts that are left, by their places in the drawn run, whose values are not
    /// the plainest.
    private var places: [(place: Int, draw: ExplorationDraw, choice: UInt64)] {
        var first = whole.given.count
        var numbers = Array(whole.given.indices)
        for (index, act) in whole.acts.enumerated() {
            if kept.contains(index + 1) { numbers += first..<first + act.choices.count }
            first += act.choices.count
        }
        return zip(numbers, zip(exploration.draws(of: best), best.choices)).compactMap {
            $1.1 == $1.0.plainest ? nil : ($0, $1.0, $1.1)
        }
    }
}

extension Exploration {
    /// The draws of a run, in the order of its choices.
    func draws(of run: DrawnRun) -> [ExplorationDraw] {
        givenDraws + run.acts.flatMap { acts[$0.act].draws }
    }
}

extension ExplorationDraw {
    /// How far a choice is from the plainest.
    fileprivate func weight(of choice: UInt64) -> Int {
        if choice == plainest { return 0 }
        return subset == nil ? 1 : 1 + choice.nonzeroBitCount
    }

    /// The choices that are tried instead: the plainest, and a subset without one of its elements.
    fileprivate func plainer(than choice: UInt64) -> [UInt64] {
        guard let subset, choice.nonzeroBitCount > subset.lowerBound else { return [plainest] }
        let fewer = elements.indices.map { choice & ~(1 << UInt64($0)) }.filter { $0 != choice }
        return [plainest] + fewer
    }
}
