import Results

/// The stable identifiers of a case in pages: the same in each run and each version of a page.
enum CaseAnchor {
    /// Returns `case/suite/id`, the identifier of the case in `index.html`.
    static func name(_ reference: CaseReference) -> String {
        "case/\(reference.suite)/\(reference.id)"
    }

    /// Returns whether enough is known about a case for its own page.
    static func canHavePage(_ result: CaseResult) -> Bool {
        guard result.verdict != .none, result.verdict != .skipped, result.started != nil else {
            return false
        }
        return result.verdict != .pass || result.evidence != nil || result.evidenceFile != nil
    }
}
