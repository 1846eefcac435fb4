import Results
import Wire

/// The evidence of a run's cases: a file for each case, in the folder of `results.json`.
public struct EvidenceFiles: Sendable {
    private let folder: String?

    /// Creates the evidence of a report folder; without one, only evidence in results is available.
    public init(in folder: String? = nil) {
        self.folder = folder
    }

    /// Returns the evidence of a case; `nil` if there is none.
    ///
    /// - Throws: `UnreadableReport` if the file that the result names cannot be read.
    public func evidence(of result: CaseResult) throws(UnreadableReport) -> Evidence? {
        if let held = result.evidence { return held }
        guard let path = path(of: result) else { return nil }
        let bytes = try FileInput.bytes(of: path)
        if let flaw = JSONText.flaw(of: bytes) { throw unreadable(path, flaw) }
        let document: Document
        do {
            document = try JSONText.decoded(Document.self, from: bytes)
        } catch {
            throw unreadable(path, JSONText.complaint(error))
        }
        let (own, other) = (CaseReference(result), CaseReference(document))
        guard own == other else { throw unreadable(path, "it is the evidence of \(other)") }
        return document.evidence
    }

    /// Returns the file that a stored result names, relative to the working directory.
    func path(of result: CaseResult) -> String? {
        guard let folder, let file = result.evidenceFile else { return nil }
        return StoredFile.path(of: file, in: folder)
    }

    /// Returns the content of a case's file.
    static func bytes(of evidence: Evidence, for reference: CaseReference) -> [UInt8] {
        let document = Value.object([
            Value.Member("evidence", evidence.stored), Value.Member("id", .string(reference.id)),
            Value.Member("schema", .integer(Int64(clamping: RunResult.schema))),
            Value.Member("suite", .string(reference.suite)),
        ])
        return document.jsonBytes() + [UInt8(ascii: "\n")]
    }

    private func unreadable(_ path: String, _ why: String) -> UnreadableReport {
        UnreadableReport(what: path, line: nil, why: why)
    }

    /// The content of a file.
    fileprivate struct Document: Decodable {
        var schema: Int
        var suite: String
        var id: String
        var evidence: Evidence
    }
}

extension CaseReference {
    fileprivate init(_ document: EvidenceFiles.Document) {
        self.init(suite: document.suite, id: document.id)
    }
}
