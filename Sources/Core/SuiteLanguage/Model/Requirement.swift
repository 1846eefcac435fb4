/// One numbered sentence of a source document.
public struct Requirement: Sendable, Hashable, Codable {
    /// The stable identifier, such as `CRM-3`.
    public var id: String
    /// The sentence.
    public var text: String
    /// The document and section that it comes from.
    public var source: String
    /// How it shows in packets.
    public var wire: String
    /// The position in the catalogue.
    public var position: SourcePosition
    /// The basis of the requirement; `nil` if the catalogue does not give one.
    public var basis: RequirementBasis? = nil
}

/// The basis of a requirement.
public struct RequirementBasis: Sendable, Hashable, Codable {
    /// The origin of the demand.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The document, in the quoted words.
        case document
        /// A conclusion from source code, another specification or a capture.
        case derived
        /// The authors of the catalogue.
        case ours
    }

    /// The origin of the demand.
    public var kind: Kind
    /// The words of the document, the source of the conclusion, or the reason for the demand.
    public var text: String
}

/// A way in which a device may break a requirement.
public struct RequirementWay: Sendable, Hashable {
    /// The way, as a phrase.
    public var text: String
    /// The patterns of the cases that would detect it, as `suite/case`.
    public var cases: [String]
    /// The position in the catalogue.
    public var position: SourcePosition
}
