extension StepReader {
    /// The steps and variables that have certainly been done before a step, so that it can refer to
    /// them.
    struct PrecedingSteps {
        var ids: [String] = []
        var saved: Set<String> = []
        var exchange = UnansweredSteps()

        /// Keeps only what has also happened on the other path to the same step.
        mutating func intersect(_ other: PrecedingSteps) {
            ids = ids.filter(other.ids.contains)
            saved.formIntersection(other.saved)
            exchange.intersect(other.exchange)
        }
    }

    /// Reads a step that consists of other steps.
    mutating func group(_ verb: String, _ reader: inout YAMLMappingReader) -> Step.Verb? {
        switch verb {
        case "optional":
            guard let nodes = nodes("optional", in: &reader) else { return nil }
            let before = past
            let inner = steps(nodes)
            past.intersect(before)
            return .group(.optional(inner))
        case "either": return either(&reader)
        case "anyOrder": return anyOrder(&reader)
        default: return repetition(&reader)
        }
    }

    private mutating func either(_ reader: inout YAMLMappingReader) -> Step.Verb? {
        guard let lists = nodes("either", in: &reader) else { return nil }
        guard lists.count > 1 else {
            findings.report(
                "bad-value", "\"either\" takes two lists of steps or more",
                at: reader.entry("either")?.value.position, advice: "write [[...], [...]]")
            return nil
        }
        let before = past
        var after: PrecedingSteps?
        var alternatives: [[Step]] = []
        for list in lists {
            past.restart(from: before)
            alternatives.append(steps(elements(of: list)))
            if var known = after {
                known.exchange.catchUp(with: past.exchange)
                known.intersect(past)
                after = known
            } else {
                after = past
            }
        }
        if let after { past = after }
        return .group(.either(alternatives))
    }

    private mutating func anyOrder(_ reader: inout YAMLMappingReader) -> Step.Verb? {
        guard let lists = nodes("anyOrder", in: &reader) else { return nil }
        guard lists.count <= StepSequence.groupSizeMax else {
            findings.report(
                "bad-value", "\"anyOrder\" takes at most \(StepSequence.groupSizeMax) elements",
                at: reader.entry("anyOrder")?.value.position)
            return nil
        }
        let before = past
        var (ids, saved) = (before.ids, before.saved)
        var groups: [[Step]] = []
        for list in lists {
            (past.ids, past.saved) = (before.ids, before.saved)
            groups.append(steps(elements(of: list)))
            ids += past.ids.filter { !ids.contains($0) }
            saved.formUnion(past.saved)
        }
        (past.ids, past.saved) = (ids, saved)
        return .group(.anyOrder(groups))
    }

    private mutating func repetition(_ reader: inout YAMLMappingReader) -> Step.Verb? {
        guard var inner = reader.reader("repeat", as: SuiteVocabulary.repetition) else {
            return nil
        }
        if inner.has("until") { return repetitionUntil(&inner) }
        let times = inner.integer("times", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        let minimum = inner.integer("min", in: 0...SuiteVocabulary.roundsMax).map(Int.init)
        let maximum = inner.integer("max", in: 1...SuiteVocabulary.roundsMax).map(Int.init)
        inner.require("steps")
        let before = past
        let position = inner.position
        let list = inner.has("steps") ? nodes("steps", in: &inner) : nil
        let steps = list.map { self.steps($0) }
        inner.finish()
        let counts = rounds(times, minimum, maximum, in: &inner)
        if counts?.lowerBound == 0 { past.intersect(before) }
        guard let steps, let counts else { return nil }
        if steps.canBeEmpty, !steps.isEmpty {
            findings.report(
                "empty-steps", "a round of this \"repeat\" can end without any step",
                at: position, advice: "\"min: 0\" allows no round at all")
            return nil
        }
        return .group(.repeat(counts, steps))
    }

    /// Reads a repetition that a message ends.
    private mutating func repetitionUntil(_ inner: inout YAMLMappingReader) -> Step.Verb? {
        for key in ["times", "min"] {
            guard let entry = inner.entry(key) else { continue }
            findings.report(
                "bad-value", "\"\(key)\" cannot be used with \"until\"", at: entry.keyPosition,
                advice: "\"until\" decides how many rounds there are; only \"max\" can limit it")
        }
        let maximum = inner.integer("max", in: 1...SuiteVocabulary.roundsMax).map { Int($0) }
        inner.require("steps")
        let before = past
        let position = inner.position
        let list = inner.has("steps") ? nodes("steps", in: &inner) : nil
        let steps = list.map { self.steps($0) }
        past.intersect(before)
        let until = until(&inner)
        inner.finish()
        guard let steps, let until else { return nil }
        if steps.canBeEmpty, !steps.isEmpty {
            findings.report(
                "empty-steps", "a round of this \"repeat\" can end without any step",
                at: position, advice: "no round is needed before \"until\"")
            return nil
        }
        return .group(.repeatUntil(until, max: maximum, steps))
    }

    /// Reads the step that ends the repetition: an `expect` or `lost`, or the name of a message.
    private mutating func until(_ reader: inout YAMLMappingReader) -> Step? {
        guard let node = reader.node("until") else { return nil }
        if node.string != nil { return plainExpectation(node) }
        let found = steps([node])
        guard let step = found.first else { return nil }
        switch step.verb {
        case .expect, .lost: return step
        default:
            findings.report(
                "bad-value", "\"until\" is a message that comes", at: node.position,
                advice: "write the name of a message, or a step with expect or lost")
            return nil
        }
    }

    private func rounds(
        _ times: Int?, _ minimum: Int?, _ maximum: Int?, in reader: inout YAMLMappingReader
    ) -> ClosedRange<Int>? {
        let hasBounds = reader.has("min") || reader.has("max")
        if reader.has("times") {
            guard !hasBounds else {
                findings.report(
                    "bad-value", "\"times\" cannot be used with \"min\" or \"max\"",
                    at: reader.entry("times")?.keyPosition, advice: "set one or the other")
                return nil
            }
            return times.map { $0...$0 }
        }
        guard reader.has("max") else {
            findings.report(
                "missing-key", "this \"repeat\" has no end", at: reader.position,
                advice: "set \"times\" or \"max\"")
            return nil
        }
        guard let maximum else { return nil }
        guard let minimum else { return reader.has("min") ? nil : 0...maximum }
        guard minimum <= maximum else {
            findings.report(
                "bad-value", "\"min\" is larger than \"max\"",
                at: reader.entry("min")?.keyPosition)
            return nil
        }
        return minimum...maximum
    }

    /// Returns the elements of a list that must not be empty.
    private func nodes(_ key: String, in reader: inout YAMLMappingReader) -> [YAMLNode]? {
        guard let nodes = reader.list(key) else { return nil }
        guard nodes.isEmpty else { return nodes }
        findings.report(
            "empty-steps", "\"\(key)\" has no steps", at: reader.entry(key)?.keyPosition)
        return nil
    }

    /// Returns the steps of an element, which is a list of steps or a single one.
    private func elements(of node: YAMLNode) -> [YAMLNode] {
        guard let elements = node.elements else { return [node] }
        if elements.isEmpty {
            findings.report("empty-steps", "this list has no steps", at: node.position)
        }
        return elements.compactMap(scope.resolve)
    }

    /// Returns the ids of all steps, including those inside other steps.
    static func ids(in nodes: [YAMLNode]) -> [String] {
        nodes.flatMap { node -> [String] in
            if let elements = node.elements { return ids(in: elements) }
            let own = node["id"]?.string.map { [$0] } ?? []
            let inner = SuiteVocabulary.groupVerbs.compactMap { node[$0] }.flatMap { part in
                ids(in: part.elements ?? part["steps"]?.elements ?? [])
                    + ids(in: part["until"].map { [$0] } ?? [])
            }
            return own + inner
        }
    }
}

extension StepReader.PrecedingSteps {
    /// Returns to an earlier state for another path; steps are still counted onward.
    mutating func restart(from before: Self) {
        var restarted = before
        restarted.exchange.catchUp(with: exchange)
        self = restarted
    }
}
