import Wire

/// Draws the runs of an exploration one after the other: first a covering set, then at random.
///
/// A run depends on the runs before it only while the covering set is not complete.
struct RunDrawer {
    /// A value of one place: an act's draw, or one of the initial values.
    struct Choice: Hashable {
        let act: Int?
        let draw: Int
        let choice: UInt64
    }

    let exploration: Exploration
    let seed: UInt64
    let graph: ActGraph
    /// The pairs of acts that no run has had yet.
    private(set) var openPairs: Set<ActGraph.Pair>
    /// The choices of the covering set that no run has had yet.
    private(set) var openChoices: Set<Choice>
    /// How often each choice was drawn.
    private var uses: [Choice: Int] = [:]
    /// How many runs were drawn for the covering set, one after the other.
    private var drawn = 0

    init(_ exploration: Exploration, seed: UInt64) {
        self.exploration = exploration
        self.seed = seed
        graph = ActGraph(exploration)
        openPairs = graph.pairs
        openChoices = []
        let possible = Set(graph.pairs.map(\.second))
        let places =
            [(Int?.none, exploration.givenDraws)]
            + possible.sorted().map { ($0, exploration.acts[$0].draws) }
        for (act, draws) in places {
            for (index, draw) in draws.enumerated() {
                for choice in draw.covering {
                    openChoices.insert(Choice(act: act, draw: index, choice: choice))
                }
            }
        }
    }

    /// Whether each pair and each choice of the covering set was drawn.
    var isCovered: Bool { openPairs.isEmpty && openChoices.isEmpty }

    /// Returns the run of that number.
    ///
    /// The covering set is drawn as far as that number, so numbers are best requested in order.
    mutating func run(_ number: Int) -> DrawnRun {
        while drawn < number, !isCovered {
            drawn += 1
            let run = coveringRun(drawn)
            record(run)
            if drawn == number { return run }
        }
        return randomRun(number)
    }

    private mutating func coveringRun(_ number: Int) -> DrawnRun {
        var random = DrawingRandom(exploration.id, seed: seed, number: number)
        var path: [Int] = []
        var place: (state: Int, last: Int?) = (0, nil)
        var covered: Set<ActGraph.Pair> = []
        func go(_ acts: [Int]) {
            for act in acts {
                covered.insert(ActGraph.Pair(first: place.last, second: act))
                path.append(act)
                place = (graph.state(after: act, in: place.state) ?? place.state, act)
            }
        }
        let valued = Set(openChoices.compactMap(\.act))
        let (length, open) = (exploration.length, openPairs)
        while path.count < length.upperBound {
            let limit = length.upperBound - path.count
            if let way = graph.way(
                from: place, within: limit, &random,
                wants: { open.contains($0) && !covered.contains($0) })
            {
                go(way)
            } else if let way = graph.way(
                from: place, within: limit, &random,
                wants: { pair in valued.contains(pair.second) && !path.contains(pair.second) })
            {
                go(way)
            } else {
                break
            }
        }
        while path.count < length.lowerBound, let act = randomAct(in: place.state, &random) {
            go([act])
        }
        return run(number, path, &random) { drawer, act, index, draw, random in
            drawer.leastUsed(act, index, draw, &random)
        }
    }

    private func randomRun(_ number: Int) -> DrawnRun {
        var random = DrawingRandom(exploration.id, seed: seed, number: number)
        let length = exploration.length.lowerBound + random.below(exploration.length.count)
        var path: [Int] = []
        var state = 0
        while path.count < length, let act = randomAct(in: state, &random) {
            path.append(act)
            state = graph.state(after: act, in: state) ?? state
        }
        var copy = self
        return copy.run(number, path, &random) { _, _, _, draw, random in
            guard let size = draw.subset else { return UInt64(random.below(draw.elements.count)) }
            return random.subset(of: draw.elements.count, size: size)
        }
    }

    private func randomAct(in state: Int, _ random: inout DrawingRandom) -> Int? {
        let ways = graph.states[state].ways
        return random.pick(byWeight: ways.map { exploration.acts[$0.act].weight })
            .map { ways[$0].act }
    }

    /// Draws the values of a run with these acts.
    private mutating func run(
        _ number: Int, _ path: [Int], _ random: inout DrawingRandom,
        choice: (
            inout Self, _ act: Int?, _ index: Int, ExplorationDraw, inout DrawingRandom
        ) -> UInt64
    ) -> DrawnRun {
        var run = DrawnRun(
            name: DrawnName(exploration: exploration.id, seed: seed, number: number), given: [],
            acts: [])
        for (index, draw) in exploration.givenDraws.enumerated() {
            run.given.append(choice(&self, nil, index, draw, &random))
        }
        for act in path {
            let choices = exploration.acts[act].draws.enumerated().map { index, draw in
                choice(&self, act, index, draw, &random)
            }
            run.acts.append(DrawnRun.Act(act: act, choices: choices))
        }
        return run
    }

    /// Returns the choice that was drawn least often, of several one at random.
    private mutating func leastUsed(
        _ act: Int?, _ index: Int, _ draw: ExplorationDraw, _ random: inout DrawingRandom
    ) -> UInt64 {
        let choices = draw.covering.map { Choice(act: act, draw: index, choice: $0) }
        let least = choices.map { uses[$0, default: 0] }.min() ?? 0
        let fitting = choices.filter { uses[$0, default: 0] == least }
        guard let choice = random.pick(fitting) else { return draw.plainest }
        uses[choice, default: 0] += 1
        return choice.choice
    }

    private mutating func record(_ run: DrawnRun) {
        var last: Int?
        for act in run.acts {
            openPairs.remove(ActGraph.Pair(first: last, second: act.act))
            last = act.act
        }
        record(run.given, of: nil)
        for act in run.acts { record(act.choices, of: act.act) }
    }

    private mutating func record(_ choices: [UInt64], of act: Int?) {
        for (index, choice) in choices.enumerated() {
            openChoices.remove(Choice(act: act, draw: index, choice: choice))
        }
    }
}

/// How much of an exploration the first runs cover.
public struct ExplorationCoverage: Sendable, Hashable {
    /// How many pairs of acts that can follow each other the runs contain.
    ///
    /// The beginning counts as an act: a pair with it is an act that comes first.
    public var pairs = 0
    /// How many pairs there are.
    public var allPairs = 0
    /// How many of the values that can be drawn the runs contain, each act by itself.
    public var values = 0
    /// How many values there are.
    public var allValues = 0
}

extension Exploration {
    /// Returns the runs with the numbers 1 to `count`.
    public func runs(seed: UInt64, count: Int) -> [DrawnRun] {
        var drawer = RunDrawer(self, seed: seed)
        return count > 0 ? (1...count).map { drawer.run($0) } : []
    }

    /// Returns how much the runs with the numbers 1 to `count` cover.
    public func coverage(seed: UInt64, count: Int) -> ExplorationCoverage {
        let whole = RunDrawer(self, seed: seed)
        var (pairs, choices) = (whole.openPairs, whole.openChoices)
        for run in runs(seed: seed, count: count) {
            var last: Int?
            for act in run.acts {
                pairs.remove(ActGraph.Pair(first: last, second: act.act))
                last = act.act
            }
            for (act, drawn) in [(nil, run.given)] + run.acts.map({ ($0.act, $0.choices) }) {
                for (index, choice) in drawn.enumerated() {
                    choices.remove(RunDrawer.Choice(act: act, draw: index, choice: choice))
                }
            }
        }
        return ExplorationCoverage(
            pairs: whole.openPairs.count - pairs.count, allPairs: whole.openPairs.count,
            values: whole.openChoices.count - choices.count, allValues: whole.openChoices.count)
    }

    /// Returns the run of that name; `nil` if the exploration cannot have such a run.
    ///
    /// A run that was shrunk must still fulfil the conditions of its acts.
    public func run(named name: DrawnName) -> DrawnRun? {
        guard name.exploration == id else { return nil }
        var drawer = RunDrawer(self, seed: name.seed)
        return run(drawer.run(name.number), as: name)
    }

    /// Returns a drawn run with the acts and the choices of a name; `nil` if it cannot be so.
    func run(_ drawn: DrawnRun, as name: DrawnName) -> DrawnRun? {
        var run = drawn
        for (place, choice) in name.values {
            guard let draw = draw(at: place, of: run), draw.holds(choice) else { return nil }
            set(choice, at: place, of: &run)
        }
        if let kept = name.acts {
            guard kept == kept.sorted(), Set(kept).count == kept.count,
                kept.allSatisfy({ (1...max(1, run.acts.count)).contains($0) })
            else { return nil }
            run.acts = kept.filter { $0 <= run.acts.count }.map { run.acts[$0 - 1] }
        }
        run.name = name
        var flags = model
        for act in run.acts {
            guard acts[act.act].isPossible(flags) else { return nil }
            flags = acts[act.act].flags(after: flags)
        }
        return run
    }

    /// Returns the draw at a place of a run, counted from the first of the initial values.
    public func draw(at place: Int, of run: DrawnRun) -> ExplorationDraw? {
        let all = draws(of: run)
        return all.indices.contains(place) ? all[place] : nil
    }

    private func set(_ choice: UInt64, at place: Int, of run: inout DrawnRun) {
        var rest = place
        if rest < run.given.count {
            run.given[rest] = choice
            return
        }
        rest -= run.given.count
        for index in run.acts.indices {
            if rest < run.acts[index].choices.count {
                run.acts[index].choices[rest] = choice
                return
            }
            rest -= run.acts[index].choices.count
        }
    }
}
