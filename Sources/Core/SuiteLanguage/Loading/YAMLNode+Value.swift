import Wire

extension YAMLNode {
    /// Creates a node with a value, as if the file contained it.
    ///
    /// Texts inside a collection are escaped, because they are expanded when they are read. A text
    /// that is the whole value is final.
    init(_ value: Value, at position: SourcePosition) {
        switch value {
        case .array(let elements):
            self.init(.sequence(elements.map { Self.part($0, at: position) }), at: position)
        case .object(let members):
            let entries = members.map {
                Entry(
                    key: $0.name.escapingVariables, keyPosition: position,
                    value: Self.part($0.value, at: position))
            }
            self.init(.mapping(entries), at: position)
        default: self.init(.scalar(value), at: position)
        }
    }

    private static func part(_ value: Value, at position: SourcePosition) -> YAMLNode {
        if case .string(let text) = value {
            return YAMLNode(.scalar(.string(text.escapingVariables)), at: position)
        }
        return YAMLNode(value, at: position)
    }
}
