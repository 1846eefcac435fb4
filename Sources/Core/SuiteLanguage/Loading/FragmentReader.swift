/// Named steps that cases reuse.
struct Fragment {
    var name: String
    var position: SourcePosition
    var text: String
    var arguments: [DeclarationReader.Declaration]
    var steps: [YAMLNode]
}

/// Reads `fragments`.
struct FragmentReader {
    /// The maximum nesting of fragments.
    static let depthMax = 16
    /// The maximum number of steps that one case may get from fragments; hand-written cases stay
    /// below 100.
    static let stepsMax = 5000

    let findings: Findings

    /// Reads one fragment; `nil`, after a report, if it cannot be used.
    ///
    /// Its steps are read where it is used, because their meaning depends on the arguments.
    func read(_ entry: YAMLNode.Entry) -> Fragment? {
        guard PlainName.isValid(entry.key) else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a fragment",
                at: entry.keyPosition, advice: PlainName.advice)
            return nil
        }
        var fragment = Fragment(
            name: entry.key, position: entry.keyPosition, text: "", arguments: [], steps: [])
        if let steps = entry.value.elements {
            fragment.steps = steps
        } else {
            guard
                var reader = YAMLMappingReader(
                    entry.value, as: SuiteVocabulary.fragment, findings: findings)
            else { return nil }
            fragment.text = reader.text("text") ?? ""
            let arguments = DeclarationReader(
                findings: findings, description: SuiteVocabulary.argument)
            fragment.arguments = arguments.read(reader.mapping("arguments") ?? [])
            reader.require("steps")
            let steps = reader.list("steps")
            reader.finish()
            guard let steps else { return nil }
            fragment.steps = steps
        }
        guard !fragment.steps.isEmpty else {
            findings.report(
                "empty-steps", "the fragment \"\(entry.key)\" has no steps", at: entry.keyPosition)
            return nil
        }
        return fragment
    }
}
