import Suites

extension RequirementBasis {
    /// What the requirement rests on, as a phrase.
    var words: String {
        switch kind {
        case .document: "The document: \"\(text)\""
        case .derived: "Derived from: \(text)"
        case .ours: "Ours: \(text)"
        }
    }
}
