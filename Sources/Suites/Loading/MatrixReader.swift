import Protocols

/// Reads `each` and forms its combinations.
struct MatrixReader {
    /// One variable of a matrix.
    struct Axis {
        var name: String
        var position: SourcePosition
        var values: [Value]
    }

    let scope: VariableScope

    private var findings: Findings { scope.findings }

    /// The axes in file order; those that cannot be used are reported and left out.
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

    /// Every combination, the last axis turning fastest; one empty combination without axes.
    static func combinations(_ axes: [Axis]) -> [[Value.Member]] {
        axes.reduce([[]]) { combinations, axis in
            combinations.flatMap { combination in
                axis.values.map { combination + [Value.Member(axis.name, $0)] }
            }
        }
    }

    private func axis(_ entry: YAMLNode.Entry) -> Axis? {
        guard VariableName.isValid(entry.key) else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a variable",
                at: entry.keyPosition, advice: VariableName.advice)
            return nil
        }
        guard scope.values[entry.key] == nil else {
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
                    "duplicate-id", "the value \(value.suiteText) stands there twice",
                    at: element.position, advice: "take one of them out")
                return nil
            }
            values.append(value)
        }
        return Axis(name: entry.key, position: entry.keyPosition, values: values)
    }
}
