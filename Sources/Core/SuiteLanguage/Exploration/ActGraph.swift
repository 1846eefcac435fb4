import Wire

/// What can follow what: the states of an exploration's model and the acts between them.
struct ActGraph {
    /// The acts that are possible in a state, and the state after each.
    struct State {
        let flags: [String: Value]
        var ways: [(act: Int, next: Int)] = []
        /// The fewest acts after which it is reached.
        let depth: Int
    }

    /// Two acts, one directly after the other; the first is `nil` at the beginning.
    struct Pair: Hashable {
        let first: Int?
        let second: Int
    }

    private(set) var states: [State] = []
    /// Whether all states were found.
    let isComplete: Bool
    /// The pairs that a run of the greatest length can contain.
    private(set) var pairs: Set<Pair> = []

    init(_ exploration: Exploration) {
        let acts = exploration.acts
        var states = [State(flags: exploration.model, depth: 0)]
        var places = [Self.key(exploration.model): 0]
        var index = 0
        while index < states.count, states.count <= Exploration.Limits.states {
            for (number, act) in acts.enumerated() where act.isPossible(states[index].flags) {
                let flags = act.flags(after: states[index].flags)
                let key = Self.key(flags)
                let next = places[key] ?? states.count
                if next == states.count {
                    places[key] = next
                    states.append(State(flags: flags, depth: states[index].depth + 1))
                }
                states[index].ways.append((number, next))
            }
            index += 1
        }
        isComplete = index == states.count
        self.states = states
        pairs = Self.pairs(states, length: exploration.length.upperBound)
    }

    /// Flags that are false are the same as absent ones.
    private static func key(_ flags: [String: Value]) -> String {
        flags.filter { $0.value != .bool(false) }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.suiteText)" }.joined(separator: "\n")
    }

    private static func pairs(_ states: [State], length: Int) -> Set<Pair> {
        var pairs = Set(states[0].ways.map { Pair(first: nil, second: $0.act) })
        guard length > 1 else { return pairs }
        for state in states where state.depth + 2 <= length {
            for way in state.ways {
                for next in states[way.next].ways {
                    pairs.insert(Pair(first: way.act, second: next.act))
                }
            }
        }
        return pairs
    }

    /// Returns the shortest way, at most so long, whose last act is wanted; of the shortest ones the
    /// generator picks one.
    ///
    /// - Parameter wants: Whether an act is wanted after another one.
    func way(
        from start: (state: Int, last: Int?), within limit: Int, _ random: inout DrawingRandom,
        wants: (Pair) -> Bool
    ) -> [Int]? {
        struct Node: Hashable {
            let state: Int
            let last: Int?
        }
        var layer: [(node: Node, path: [Int])] = [(Node(state: start.state, last: start.last), [])]
        var seen: Set<Node> = [layer[0].node]
        for _ in 0..<max(0, limit) {
            var found: [[Int]] = []
            var next: [(node: Node, path: [Int])] = []
            for (node, path) in layer {
                for way in states[node.state].ways {
                    let pair = Pair(first: node.last, second: way.act)
                    if wants(pair) { found.append(path + [way.act]) }
                    let reached = Node(state: way.next, last: way.act)
                    if seen.insert(reached).inserted { next.append((reached, path + [way.act])) }
                }
            }
            if let path = random.pick(found) { return path }
            if next.isEmpty { return nil }
            layer = next
        }
        return nil
    }

    /// Returns the state after an act; `nil` if the act is not possible there.
    func state(after act: Int, in state: Int) -> Int? {
        states[state].ways.first { $0.act == act }?.next
    }
}
