/// Reads `measure`: the values that a case reports in addition to its verdict.
struct MeasureReader {
    let scope: VariableScope
    /// The ids of the case's steps.
    let ids: [String]

    private var findings: Findings { scope.findings }

    /// Reads the measures; reports and omits those that cannot be used.
    func read(_ nodes: [YAMLNode]) -> [Measure] {
        var measures: [Measure] = []
        for node in nodes {
            guard var reader = scope.mapping(node, as: SuiteVocabulary.measure) else { continue }
            let measure = measure(&reader)
            reader.finish()
            guard let measure else { continue }
            if measures.contains(where: { $0.name == measure.name }) {
                findings.report(
                    "duplicate-id", "\"\(measure.name)\" is measured already", at: node.position,
                    advice: "give each measurement of a case a name of its own")
            } else {
                measures.append(measure)
            }
        }
        return measures
    }

    private func measure(_ reader: inout YAMLMappingReader) -> Measure? {
        for key in ["name", "to"] { reader.require(key) }
        let name = reader.text("name")
        let count = message(in: &reader)
        if !reader.has("count") { reader.require("from", advice: "or state what to \"count\"") }
        let from = step("from", in: &reader)
        let to = step("to", in: &reader)
        guard let name, let to else { return nil }
        if let count {
            return Measure(name: name, quantity: .count(count, from: from), to: to)
        }
        return from.map { Measure(name: name, quantity: .time(from: $0), to: to) }
    }

    private func message(in reader: inout YAMLMappingReader) -> String? {
        guard let name = reader.text("count"), let node = reader.node("count") else { return nil }
        let vocabulary = MessageVocabulary(scope)
        return vocabulary.check(message: name, at: node.position) ? name : nil
    }

    private func step(_ key: String, in reader: inout YAMLMappingReader) -> String? {
        guard let id = reader.text(key), let node = reader.node(key) else { return nil }
        if ids.contains(id) { return id }
        findings.report(
            "unknown-step", "there is no step \"\(id)\"", at: node.position,
            advice: Suggestion.advice(forStep: id, in: ids))
        return nil
    }
}
