import Results

/// The files whose digests differ from one run to another, as clauses.
enum DigestComparison {
    /// Returns the files whose content differs, and the files of only one run.
    ///
    /// Captures are ignored, because they always differ. A run without digests is not compared.
    static func differences(_ before: RunHeader, _ after: RunHeader) -> [String] {
        guard let old = before.digests, let new = after.digests else { return [] }
        let known = index(old)
        let present = index(new)
        var texts: [String] = []
        for digest in new where digest.kind != .capture {
            guard let other = known[Place(digest)] else {
                texts.append("\(label(digest)) only in the second")
                continue
            }
            guard other != digest.sha256 else { continue }
            texts.append("\(label(digest)) differs: \(short(other)) and \(short(digest.sha256))")
        }
        return texts
            + old.filter { $0.kind != .capture && present[Place($0)] == nil }
            .map { "\(label($0)) only in the first" }
    }

    /// Returns the first digits of a digest, which are enough for people to distinguish digests.
    static func short(_ digest: String) -> String { String(digest.prefix(12)) }

    /// Returns the kind and path of a file.
    static func label(_ digest: RunDigest) -> String {
        digest.kind == .conform ? "conform" : "\(digest.kind.rawValue) \(digest.path)"
    }

    /// The identity of a file across runs.
    private struct Place: Hashable {
        let kind: RunDigest.Kind
        let path: String

        init(_ digest: RunDigest) {
            kind = digest.kind
            path = digest.path
        }
    }

    private static func index(_ digests: [RunDigest]) -> [Place: String] {
        Dictionary(digests.map { (Place($0), $0.sha256) }) { first, _ in first }
    }
}
