import Judge
import Results

/// Compares the outcome of a pair with the one that a person expects.
struct PairCheck {
    let pair: Pair
    let expected: Pair.Verdict
    let frames: [Int: [Int]]
    let result: CaseResult

    /// Returns everything that differs from what is expected.
    static func mistakes(
        _ pair: Pair, _ expected: Pair.Verdict, _ outcome: CorpusSuite.Outcome
    ) -> [String] {
        switch (outcome.result, expected.verdict) {
        case (.success(let result), .some):
            return PairCheck(
                pair: pair, expected: expected, frames: outcome.frames, result: result
            ).mistakes
        case (.success(let result), nil):
            return ["must be refused, is \(result.verdict.rawValue)"]
        case (.failure(let refusal), nil):
            return expected.words.filter { !refusal.description.contains($0) }
                .map { "\"\($0)\" is not said" }
        case (.failure, .some): return ["must be judged, is refused"]
        }
    }

    private var explanation: Explanation? { result.reason?.explanation }

    private var mistakes: [String] {
        verdictMistakes + requirementMistakes + wordMistakes + culpritMistakes + nearestMistakes
            + stepMistakes
    }

    private var verdictMistakes: [String] {
        let is_ = [result.verdict.rawValue, result.reason?.code.rawValue].compactMap(\.self)
        let must = [expected.verdict?.rawValue, expected.code?.rawValue].compactMap(\.self)
        return is_ == must
            ? [] : ["must be \(must.joined(separator: " ")), is \(is_.joined(separator: " "))"]
    }

    private var requirementMistakes: [String] {
        guard let must = expected.requirements else { return [] }
        let cited = explanation?.requirements.map(\.id) ?? []
        return cited == must ? [] : ["must cite \(must), cites \(cited)"]
    }

    private var wordMistakes: [String] {
        let stated = [result.reason?.summary, explanation?.expected, explanation?.actual]
            .compactMap(\.self).joined(separator: "\n")
        return expected.words.filter { !stated.contains($0) }.map { "\"\($0)\" is not said" }
    }

    /// Frames of a line that shows the failure must be named, and no others.
    private var culpritMistakes: [String] {
        let lines = pair.script.filter { $0.mark == .culprit }
        let named = Set(explanation?.frames ?? [])
        let allowed = Set(lines.flatMap { frames[$0.number] ?? [] })
        var mistakes: [String] = []
        if !named.isSubset(of: allowed) {
            mistakes.append("names frames \(named.sorted()), the culprits are \(allowed.sorted())")
        }
        for line in lines {
            let own = frames[line.number] ?? []
            if !own.isEmpty, named.isDisjoint(with: own) {
                mistakes.append("does not name the frames \(own) of line \(line.number)")
            }
        }
        return mistakes
    }

    private var nearestMistakes: [String] {
        let lines = pair.script.filter { $0.mark == .nearest }
        guard !lines.isEmpty else { return [] }
        let allowed = Set(lines.flatMap { frames[$0.number] ?? [] })
        let named = explanation?.nearestMiss?.frames ?? []
        return Set(named).isSubset(of: allowed) && !named.isEmpty
            ? [] : ["the nearest miss is in frames \(named), must be in \(allowed.sorted())"]
    }

    private var stepMistakes: [String] {
        pair.script.compactMap { line in
            guard case .taken(let number) = line.mark else { return nil }
            guard result.steps.indices.contains(number - 1) else {
                return "there is no step \(number)"
            }
            let taken = result.steps[number - 1].frames
            let own = frames[line.number] ?? []
            return !taken.isEmpty && Set(taken).isSubset(of: own)
                ? nil
                : "step \(number) takes frames \(taken), must take those of line \(line.number), \(own)"
        }
    }
}
