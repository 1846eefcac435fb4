import Glibc
import Runner
import Verdicts

/// The files of single cases in a report folder: their evidence and their pages.
struct CaseFiles: Sendable {
    private let path: String
    private var paged: Set<CaseReference> = []

    /// Speaks of the report folder at `path`.
    init(in path: String) {
        self.path = path
    }

    /// The folders that the files are in.
    var folders: [String] { ["\(path)/cases", "\(path)/evidence"] }

    /// Writes the evidence of a case, if the result holds it.
    func writeEvidence(of result: CaseResult) throws(ReportError) {
        guard let evidence = result.evidence, let file = result.stored.evidenceFile else { return }
        let bytes = EvidenceFiles.bytes(of: evidence, for: CaseReference(result))
        try FileOutput.replace("\(path)/\(file)", with: bytes, durably: false)
    }

    /// Writes the page of a case, if anything was seen of it.
    mutating func writePage(of result: CaseResult, in header: RunHeader) throws(ReportError) {
        let reference = CaseReference(result)
        let evidence = EvidenceFiles(in: path)
        guard let page = HTMLReport.page(of: result, in: header, evidence: evidence) else { return }
        try FileOutput.replace(
            "\(path)/\(reference.pagePath)", with: Array(page.utf8), durably: false)
        paged.insert(reference)
    }

    /// Writes the evidence that a run still holds, and the pages that were not written yet.
    mutating func complete(_ run: RunResult) throws(ReportError) {
        for result in run.cases where !paged.contains(CaseReference(result)) {
            try writeEvidence(of: result)
            try writePage(of: result, in: run.header)
        }
    }

    /// The cases of a run that have a page in the folder.
    func pages(of run: RunResult) -> Set<CaseReference> {
        Set(
            run.cases.map(CaseReference.init).filter {
                access("\(path)/\($0.pagePath)", R_OK) == 0
            })
    }
}
