/// One numbered sentence of a source document.
public struct Requirement: Sendable, Hashable, Codable {
    /// The stable identifier, such as `CRM-3`.
    public var id: String
    /// The sentence.
    public var text: String
    /// Document and section that it comes from.
    public var source: String
    /// What is seen of it in packets.
    public var wire: String
    /// Where the catalogue has it.
    public var position: SourcePosition
    /// What it rests on; `nil` if the catalogue does not say.
    public var basis: RequirementBasis?

    /// Makes a requirement.
    public init(
        id: String, text: String, source: String, wire: String, position: SourcePosition,
        basis: RequirementBasis? = nil
    ) {
        self.id = id
        self.text = text
        self.source = source
        self.wire = wire
        self.position = position
        self.basis = basis
    }
}

/// What a requirement rests on.
public struct RequirementBasis: Sendable, Hashable, Codable {
    /// Who says it.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The document, in the words that are quoted.
        case document
        /// Somebody concluded it, from source code, another specification or a capture.
        case derived
        /// The authors of the catalogue.
        case ours
    }

    /// Who says it.
    public var kind: Kind
    /// The document's own words, what it is derived from, or why it is demanded.
    public var text: String

    /// Makes a basis.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// One way in which a device may break a requirement.
public struct RequirementWay: Sendable, Hashable {
    /// The way, as a phrase.
    public var text: String
    /// Patterns of the cases that would notice, as `suite/case`.
    public var cases: [String]
    /// Where the catalogue has it.
    public var position: SourcePosition

    /// Makes a way.
    public init(_ text: String, cases: [String], position: SourcePosition) {
        self.text = text
        self.cases = cases
        self.position = position
    }
}
