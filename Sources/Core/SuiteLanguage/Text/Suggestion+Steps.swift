extension Suggestion {
    /// Returns the advice for a step that is named but does not exist, among those that have an id.
    static func advice(forStep id: String, in ids: [String]) -> String {
        ids.isEmpty
            ? "no step that could be meant has an id; give it one: id: \(id)"
            : advice(for: id, in: ids)
    }
}
