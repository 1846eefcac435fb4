import Wire

/// Reads `each`, `combine` and `exclude` and builds the combinations.
struct MatrixReader {
    /// One variable of a matrix.
    struct Axis {
        var name: String
        var position: SourcePosition
        var values: [Value]
    }

    let scope: VariableScope

    private var findings: Findings { scope.findings }

    /// How the values of the axes are combined.
    private enum Combining: String, CaseIterable {
        case all
        case pairs
        case triples

        /// The number of axes whose values are combined; `nil` for all of them.
        var strength: Int? {
            switch self {
            case .all: nil
            case .pairs: 2
            case .triples: 3
            }
        }
    }

    /// Reads the axes in file order; reports and omits those that cannot be used.
    func axes(_ reader: inout YAMLMappingReader) -> [Axis] {
        (reader.mapping("each") ?? []).compactMap(axis)
    }

    /// Returns the combinations that are not excluded: all of them, or as many as "combine" demands.
    ///
    /// The last axis varies fastest. Without axes there is one empty combination.
    func combinations(_ axes: [Axis], _ reader: inout YAMLMappingReader) -> [[Value.Member]] {
        let isKnown = axes.count == axisCount(&reader)
        let strength = strength(axes, &reader, isKnown: isKnown)
        let errors = findings.errorCount
        var exclusions = exclusions(&reader, axes, isKnown: isKnown)
        if findings.errorCount > errors { exclusions = [] }
        for exclusion in exclusions {
            let isIdle = exclusion.values.contains { value in
                let axis = axes.first { $0.name == value.name }
                return axis?.values.contains { $0.isEqual(to: value.value) } != true
            }
            guard isIdle else { continue }
            findings.warn(
                "idle-exclude", "this excludes no combination of \"each\"",
                at: exclusion.position, advice: "correct its values, or take it out")
        }
        guard
            let rows = rows(
                of: axes, strength,
                isAllowed: { row in
                    !exclusions.contains { $0.covers(row) }
                })
        else {
            let what = strength.map { "\(CoveringArray.Limits.tuples) combinations of \($0)" }
            findings.report(
                "matrix-limit",
                "\"each\" has more than \(what ?? "\(CaseReader.matrixLimit) combinations")",
                at: strength == nil
                    ? Self.excess(axes) : reader.entry("each")?.keyPosition,
                advice: strength == nil ? "\"combine: pairs\" covers each pair of values" : "")
            return []
        }
        if rows.isEmpty, !exclusions.isEmpty {
            findings.report(
                "empty-matrix", "\"exclude\" leaves no combination of \"each\"",
                at: reader.entry("exclude")?.keyPosition, advice: "a case without one never runs")
        }
        return rows
    }

    /// Returns the position of the axis with which there are too many combinations.
    private static func excess(_ axes: [Axis]) -> SourcePosition? {
        var count = 1
        return axes.first { axis in
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            count = product
            return overflow || product > CaseReader.matrixLimit
        }?.position
    }

    /// Reads "combine": how many values of different axes must occur together.
    private func strength(
        _ axes: [Axis], _ reader: inout YAMLMappingReader, isKnown: Bool
    ) -> Int? {
        let combining = reader.word("combine", of: Combining.allCases.map(\.rawValue))
            .flatMap(Combining.init)
        guard let strength = combining?.strength else { return nil }
        if !reader.has("each") {
            findings.report(
                "misplaced-key", "\"combine\" is used without \"each\"",
                at: reader.entry("combine")?.keyPosition)
        } else if isKnown, axes.count <= strength {
            findings.warn(
                "idle-key", "\"combine\" has no effect: \"each\" has \(axes.count) variable(s)",
                at: reader.entry("combine")?.keyPosition, advice: "take it out")
        }
        return strength
    }

    /// Returns the rows of values; `nil` if there are too many.
    private func rows(
        of axes: [Axis], _ strength: Int?, isAllowed: @escaping ([Value.Member]) -> Bool
    ) -> [[Value.Member]]? {
        let sizes = axes.map(\.values.count)
        func members(_ row: [Int?]) -> [Value.Member] {
            zip(axes, row).compactMap { axis, index in
                index.map { Value.Member(axis.name, axis.values[$0]) }
            }
        }
        guard let strength, strength < axes.count else {
            guard Self.excess(axes) == nil else { return nil }
            let all: [[Int?]] = sizes.reduce([[]]) { rows, size in
                rows.flatMap { row in (0..<size).map { row + [$0] } }
            }
            return all.map(members).filter(isAllowed)
        }
        var array = CoveringArray(sizes, strength: strength) { isAllowed(members($0)) }
        let rows = array?.rows().map(members)
        return rows.flatMap { $0.count <= CaseReader.matrixLimit ? $0 : nil }
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
        guard findings.checkName(entry, of: "a variable") else { return nil }
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
