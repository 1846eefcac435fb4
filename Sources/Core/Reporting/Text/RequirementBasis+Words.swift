import SuiteLanguage

extension RequirementBasis {
    /// The basis of the requirement, as a phrase.
    var words: String {
        switch kind {
        case .document: "The document: \"\(text)\""
        case .derived: "Derived from: \(text)"
        case .ours: "The authors of the catalogue: \(text)"
        }
    }
}
