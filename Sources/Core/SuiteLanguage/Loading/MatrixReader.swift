import Wire

/// Reads `each` and `exclude` and builds the combinations.
struct MatrixReader {
    /// One variable of a matrix.
    struct Axis {
        var name: String
        var position: SourcePosition
        var values: [Value]
    }

    let scope: VariableScope

    private var findings: Findings { scope.findings }

    /// Reads the axes in file order; reports and omits those that cannot be used.
    func axes(_ reader: inout YAMLMappingReader) -> [Axis] {
        var axes: [Axis] = []
        var count = 1
        for entry in reader.mapping("each") ?? [] {
            guard let axis = axis(entry) else { continue }
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            guard !overflow, product <= CaseReader.matrixLimit else {
                findings.report(
                    "matrix-limit", "\"each\" has more than \(CaseReader.matrixLimit) combinations",
                    at: entry.keyPosition)
                return []
            }
            count = product
            axes.append(axis)
        }
        return axes
    }

    /// Returns every combination that is not excluded.
    ///
    /// The last axis varies fastest. Without axes there is one empty combination.
    func combinations(_ axes: [Axis], _ reader: inout YAMLMappingReader) -> [[Value.Member]] {
        let all: [[Value.Member]] = axes.reduce([[]]) { combinations, axis in
            combinations.flatMap { combination in
                axis.values.map { combination + [Value.Member(axis.name, $0)] }
            }
        }
        let errors = findings.errorCount
        let exclusions = exclusions(&reader, axes, isKnown: axes.count == axisCount(&reader))
        guard !exclusions.isEmpty, findings.errorCount == errors else { return all }
        for exclusion in exclusions where !all.contains(where: exclusion.covers) {
            findings.warn(
                "idle-exclude", "this excludes no combination of \"each\"",
                at: exclusion.position, advice: "correct its values, or take it out")
        }
        let left = all.filter { combination in
            !exclusions.contains { $0.covers(combination) }
        }
        if left.isEmpty {
            findings.report(
                "empty-matrix", "\"exclude\" leaves no combination of \"each\"",
                at: reader.entry("exclude")?.keyPosition, advice: "a case without one never runs")
        }
        return left
    }

    private func axisCount(_ reader: inout YAMLMappingReader) -> Int {
        reader.entry("each")?.value.entries?.count ?? 0
    }

    /// Values of some axes that must not be combined.
    private struct Exclusion {
        var position: SourcePosition
        var values: [Value.Member]

        func covers(_ combination: [Value.Member]) -> Bool {
            values.allSatisfy { value in
                combination.contains {
                    $0.name == value.name && $0.value.isEqual(to: value.value)
                }
            }
        }
    }

    private func exclusions(
        _ reader: inout YAMLMappingReader, _ axes: [Axis], isKnown: Bool
    ) -> [Exclusion] {
        guard let nodes = reader.list("exclude") else { return [] }
        guard reader.has("each") else {
            findings.report(
                "misplaced-key", "\"exclude\" is used without \"each\"",
                at: reader.entry("exclude")?.keyPosition)
            return []
        }
        return nodes.compactMap { node in
            guard let entries = node.entries, !entries.isEmpty else {
                findings.report(
                    "wrong-type", "\"exclude\" takes mappings of variables of \"each\"",
                    at: node.position, advice: "write {language: DE-DE, level: FULL}")
                return nil
            }
            let values = entries.compactMap { entry -> Value.Member? in
                guard !isKnown || axes.contains(where: { $0.name == entry.key }) else {
                    findings.report(
                        "unknown-variable", "\"each\" has no variable \"\(entry.key)\"",
                        at: entry.keyPosition,
                        advice: Suggestion.advice(for: entry.key, in: axes.map(\.name)))
                    return nil
                }
                return scope.value(entry.value).map { Value.Member(entry.key, $0) }
            }
            guard values.count == entries.count else { return nil }
            return Exclusion(position: node.position, values: values)
        }
    }

    private func axis(_ entry: YAMLNode.Entry) -> Axis? {
        guard VariableName.isValid(entry.key) else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a variable",
                at: entry.keyPosition, advice: VariableName.advice)
            return nil
        }
        guard !scope.isTaken(entry.key) else {
            findings.report(
                "duplicate-variable", "the suite has a variable \"\(entry.key)\"",
                at: entry.keyPosition, advice: "choose another name")
            return nil
        }
        guard let node = scope.resolve(entry.value) else { return nil }
        guard let elements = node.elements, !elements.isEmpty else {
            findings.report(
                "wrong-type", "\"each\" takes a list of values that is not empty",
                at: node.position)
            return nil
        }
        var values: [Value] = []
        for element in elements {
            guard let value = scope.value(element) else { return nil }
            if values.contains(value) {
                findings.report(
                    "duplicate-id", "the value \(value.suiteText) is listed twice",
                    at: element.position, advice: "take one of them out")
                return nil
            }
            values.append(value)
        }
        return Axis(name: entry.key, position: entry.keyPosition, values: values)
    }
}
