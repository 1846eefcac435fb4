import Verdicts

/// Holds what came of a pair against what a person says of it.
struct PairCheck {
    let pair: Pair
    let expected: Pair.Verdict
    let outcome: CorpusSuite.Outcome

    private var result: CaseResult { outcome.result }
    private var explanation: Explanation? { result.reason?.explanation }

    /// Everything that is not as it must be.
    var mistakes: [String] {
        verdictMistakes + requirementMistakes + wordMistakes + culpritMistakes + nearestMistakes
            + stepMistakes
    }

    private var verdictMistakes: [String] {
        let is_ = [result.verdict.rawValue, result.reason?.code.rawValue].compactMap(\.self)
        let must = [expected.verdict.rawValue, expected.code?.rawValue].compactMap(\.self)
        return is_ == must ? [] : ["must be \(must.joined(separator: " ")), is \(is_.joined(separator: " "))"]
    }

    private var requirementMistakes: [String] {
        guard let must = expected.requirements else { return [] }
        let cited = explanation?.requirements.map(\.id) ?? []
        return cited == must ? [] : ["must cite \(must), cites \(cited)"]
    }

    private var wordMistakes: [String] {
        let told = [result.reason?.summary, explanation?.expected, explanation?.actual]
            .compactMap(\.self).joined(separator: "\n")
        return expected.words.filter { !told.contains($0) }.map { "\"\($0)\" is not said" }
    }

    /// Frames of a line that shows the failure must be named, and no others.
    private var culpritMistakes: [String] {
        let lines = pair.script.filter { $0.mark == .culprit }
        let named = Set(explanation?.frames ?? [])
        let allowed = Set(lines.flatMap { outcome.frames[$0.number] ?? [] })
        var mistakes: [String] = []
        if !named.isSubset(of: allowed) {
            mistakes.append("names frames \(named.sorted()), the culprits are \(allowed.sorted())")
        }
        for line in lines {
            let own = outcome.frames[line.number] ?? []
            if !own.isEmpty, named.isDisjoint(with: own) {
                mistakes.append("does not name the frames \(own) of line \(line.number)")
            }
        }
        return mistakes
    }

    private var nearestMistakes: [String] {
        let frames = pair.script.filter { $0.mark == .nearest }
            .flatMap { outcome.frames[$0.number] ?? [] }
        let named = explanation?.nearestMiss?.frames ?? []
        guard !frames.isEmpty else { return [] }
        return Set(named).isSubset(of: frames) && !named.isEmpty
            ? [] : ["the nearest miss is in frames \(named), must be in \(frames)"]
    }

    private var stepMistakes: [String] {
        pair.script.compactMap { line in
            guard case .taken(let number) = line.mark else { return nil }
            guard result.steps.indices.contains(number - 1) else { return "there is no step \(number)" }
            let taken = result.steps[number - 1].frames
            let own = outcome.frames[line.number] ?? []
            return !taken.isEmpty && Set(taken).isSubset(of: own)
                ? nil : "step \(number) takes frames \(taken), must take those of line \(line.number), \(own)"
        }
    }
}
