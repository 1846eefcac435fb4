/// A path to a field of a message, such as `params.ttsName[0].text` or `sdl.session_id`.
///
/// Grammar: names joined by `.`, each followed by any number of `[index]`.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    /// One step of a path.
    public enum Component: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    /// The steps, outermost first; never empty.
    public let components: [Component]

    /// The path of a message's violations of its specification, in any protocol.
    ///
    /// See `DissectedMessage.violation`.
    public static let violation = FieldPath(components: [.name("violation")])

    /// Creates a path from its steps.
    public init(components: [Component]) {
        self.components = components
    }

    /// Parses the written form; `nil` if it does not follow the grammar.
    public init?(_ text: String) {
        var components: [Component] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            guard let name = pieces.first, !name.isEmpty, !name.contains("]") else { return nil }
            components.append(.name(String(name)))
            for piece in pieces.dropFirst() {
                guard piece.last == "]", let index = Int(piece.dropLast()), index >= 0 else {
                    return nil
                }
                components.append(.index(index))
            }
        }
        self.components = components
    }

    /// The written form.
    public var description: String {
        components.enumerated().reduce(into: "") { text, step in
            switch step.element {
            case .name(let name): text += step.offset == 0 ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
