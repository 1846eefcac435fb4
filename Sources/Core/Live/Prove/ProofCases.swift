import Results

/// The cases of a device in the order in which a proof runs them, as their places in its plan.
struct ProofCases {
    /// Cases that check a requirement which the mutant breaks, the likeliest to fail first.
    private(set) var claims: [Int] = []
    /// Cases for the requirements that `claims` check too and that are neither broken nor masked.
    ///
    /// There is one case for each such requirement, and at least one case. A device that breaks
    /// more than it declares fails it.
    private(set) var neighbours: [Int] = []
    /// The other cases; those that may fail, because their requirement is masked, come last.
    private(set) var others: [Int] = []
    /// All cases in the order of the plan.
    let all: Range<Int>

    /// Divides the cases of a plan for a mutant.
    ///
    /// For `nil`, the unmutated device, all are in `others`.
    init(of mutant: Mutant?, among plan: [PlannedCase]) {
        all = plan.indices
        let broken = Set(mutant?.requirements ?? [])
        let excused = broken.union(mutant?.masks ?? [])
        let (innocent, touched) = (
            all.filter { excused.isDisjoint(with: plan[$0].checks) },
            all.filter { !excused.isDisjoint(with: plan[$0].checks) }
        )
        // First come cases about the requirement that the mutant is made for, and among them those
        // with the most words in common with the mutant.
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

    /// Returns the first letters of the words of a name or a sentence, without the short words.
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

    /// The cases to run before it is clear whether the mutant survives, with their turns.
    ///
    /// A turn is a place in the order of the cases of all mutants. First comes the case that is the
    /// likeliest to fail, then the neighbours. The other claiming cases follow one by one; they are
    /// wanted only while none that claims the mutant has failed.
    var first: [(turn: Int, place: Int)] {
        claims.enumerated().map { ($0 == 0 ? 0 : $0 + 1, $1) } + neighbours.map { (1, $0) }
    }
}

extension [Int] {
    /// Returns the numbers sorted by a rank of three numbers.
    fileprivate func sorted(by rank: (Int) -> (Int, Int, Int)) -> [Int] {
        map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
