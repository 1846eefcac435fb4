import Results

/// The stable names of a case in pages: the same in each run and each version of a page.
enum CaseAnchor {
    /// `case/suite/id`, the identifier of the case in `index.html`.
    static func name(_ reference: CaseReference) -> String {
        "case/\(reference.suite)/\(reference.id)"
    }

    /// Whether enough was seen of a case for a page of its own.
    static func canHavePage(_ result: CaseResult) -> Bool {
        guard result.verdict != .none, result.verdict != .skipped, result.started != nil else {
            return false
        }
        return result.verdict != .pass || result.evidence != nil || result.evidenceFile != nil
    }
}
