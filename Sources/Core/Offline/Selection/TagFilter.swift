/// One `--tag`: cases that have a tag, or with `!` those that do not.
public struct TagFilter: Sendable, Hashable {
    /// The tag.
    public let tag: String
    /// Whether cases with the tag are left out.
    public let isExclusion: Bool

    /// Reads the text of the option.
    public init(_ text: String) {
        isExclusion = text.hasPrefix("!")
        tag = isExclusion ? String(text.dropFirst()) : text
    }

    /// Whether a case with these tags is wanted.
    ///
    /// It must have one of the tags if any is given, and none of those after `!`.
    static func selects(_ tags: [String], by texts: [String]) -> Bool {
        let filters = texts.map(TagFilter.init)
        let wanted = filters.filter { !$0.isExclusion }
        return (wanted.isEmpty || wanted.contains { tags.contains($0.tag) })
            && !filters.contains { $0.isExclusion && tags.contains($0.tag) }
    }
}
