import Results

/// The cases of a device in the order in which a proof runs them, by their places in its plan.
struct ProofCases {
    /// Those that check a requirement which the mutant breaks, the likeliest to fail first.
    private(set) var claims: [Int] = []
    /// A case for each requirement that is checked beside those and is neither broken nor masked, one
    /// at least: a device that does more wrong than it says fails it.
    private(set) var neighbours: [Int] = []
    /// The others; those that may fail, because their situation is masked, come last.
    private(set) var others: [Int] = []
    /// All in the order of the plan.
    let all: Range<Int>

    /// Divides the cases of a plan for a mutant; for `nil`, the unmutated device, all are others.
    init(of mutant: Mutant?, among plan: [PlannedCase]) {
        all = plan.indices
        let broken = Set(mutant?.requirements ?? [])
        let excused = broken.union(mutant?.masks ?? [])
        let (innocent, touched) = (
            all.filter { excused.isDisjoint(with: plan[$0].checks) },
            all.filter { !excused.isDisjoint(with: plan[$0].checks) }
        )
        // Before others come cases about the requirement that the mutant is made for, and of those the
        // ones that speak of the same things.
        let words = Self.words(in: "\(mutant?.name ?? "") \(mutant?.summary ?? "")")
        claims = touched.filter { !broken.isDisjoint(with: plan[$0].checks) }
            .sorted { place in
                let (checks, name) = (plan[place].checks, plan[place].id + " " + plan[place].title)
                let own = mutant?.requirements.first.flatMap(checks.firstIndex(of:))
                return (own ?? .max, -words.intersection(Self.words(in: name)).count, place)
            }
        guard mutant != nil else {
            others = innocent
            return
        }
        let suites = Set(claims.map { plan[$0].suite })
        let nearest = innocent.sorted { place in
            (suites.contains(plan[place].suite) ? 0 : 1, plan[place].checks.count, place)
        }
        var open = Set(claims.flatMap { plan[$0].checks }).subtracting(excused)
        neighbours = nearest.filter { place in
            defer { open.subtract(plan[place].checks) }
            return !open.isDisjoint(with: plan[place].checks)
        }
        if neighbours.isEmpty { neighbours = Array(nearest.prefix(1)) }
        let chosen = Set(claims + neighbours)
        others = (innocent + touched).filter { !chosen.contains($0) }
    }

    /// The beginnings of the words of a name or a sentence, the short ones left out.
    private static func words(in text: String) -> Set<String> {
        var words: [String] = []
        var isInWord = false
        for letter in text {
            let isPart = letter.isLetter || letter.isNumber
            if isPart, isInWord, letter.isLowercase || letter.isNumber {
                words[words.count - 1].append(letter)
            } else if isPart {
                words.append(letter.lowercased())
            }
            isInWord = isPart
        }
        let long = words.filter { $0.count >= 4 || $0.allSatisfy(\.isNumber) }
        return Set(long.map { String($0.prefix(5)) })
    }

    /// What is run before it is clear whether the mutant survives, each with its turn among the cases
    /// of all mutants: the case that is the likeliest to fail, the neighbours, and then one by one those
    /// that are wanted only while none that claims the mutant has failed.
    var first: [(turn: Int, place: Int)] {
        claims.enumerated().map { ($0 == 0 ? 0 : $0 + 1, $1) } + neighbours.map { (1, $0) }
    }
}

extension [Int] {
    /// Sorted by a rank of three numbers.
    fileprivate func sorted(by rank: (Int) -> (Int, Int, Int)) -> [Int] {
        map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
