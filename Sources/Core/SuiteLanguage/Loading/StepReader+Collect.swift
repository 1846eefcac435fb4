import Wire

extension StepReader {
    /// The default time for which a device must be silent after a `collect`.
    static let usualQuiet = Duration.milliseconds(200)

    /// Reads the rest of a `collect`; `nil`, after a report, if it cannot be used.
    mutating func collect(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        let quiet = reader.duration("quiet") ?? Self.usualQuiet
        guard let nodes = reader.list("collect") else { return nil }
        return .collect(nodes.compactMap { collected($0) }, quiet: quiet)
    }

    private mutating func collected(_ node: YAMLNode) -> Step.Collected? {
        guard let node = scope.resolve(node) else { return nil }
        if let name = node.string {
            guard MessageVocabulary(scope).check(message: name, at: node.position)
            else { return nil }
            return Step.Collected(pattern: MessagePattern(message: name, position: node.position))
        }
        guard var reader = scope.mapping(node, as: SuiteVocabulary.collected) else { return nil }
        reader.require("message")
        let message = message("message", in: &reader)
        let from = patterns.party("from", in: &reader)
        let conditions = reader.entry("where")
        let saves = reader.node("save")
        reader.finish()
        guard let message else { return nil }
        let pattern = MessagePattern(
            message: message, from: from == Step.device ? nil : from,
            conditions: conditions.map { patterns.conditions($0.value, of: message) } ?? [],
            position: node.position)
        return Step.Collected(pattern: pattern, saves: saves.map { save($0, of: message) } ?? [])
    }
}
