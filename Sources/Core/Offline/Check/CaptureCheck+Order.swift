import Judge
import Wire

extension CaptureCheck {
    /// Returns a short digest of everything apart from the capture that verdicts depend on.
    ///
    /// It covers the files of the suite, the list of known failures, `conform` itself, and the
    /// words of the command line that matter.
    public func inputDigest(_ words: [String], known: KnownFailurePolicy?) -> String {
        let files = digests(known: known).map { "\($0.kind.rawValue) \($0.path) \($0.sha256)" }
        var hash = SHA256()
        for text in files + words {
            hash.add((Array(text.utf8) + [0]).span.bytes)
        }
        return hash.finish().prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
