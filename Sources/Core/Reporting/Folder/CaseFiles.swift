import Results
import System

/// The files of single cases in a report folder: their evidence and their pages.
struct CaseFiles: Sendable {
    private let reports: HeldFolder
    private var paged: Set<CaseReference> = []

    /// Creates the folders of the files.
    init(making reports: HeldFolder) throws(ReportError) {
        self.reports = reports
        for name in ["cases", "evidence"] {
            _ = try ReportError.converting { () throws(FileError) in
                try reports.place(name).madeFolder()
            }
        }
    }

    /// Writes the evidence of a case, if the result contains it.
    func writeEvidence(of result: CaseResult) throws(ReportError) {
        guard let evidence = result.evidence, let file = result.stored.evidenceFile else { return }
        let bytes = EvidenceFiles.bytes(of: evidence, for: CaseReference(result))
        try reports.replace(file, with: bytes)
    }

    /// Writes the page of a case, if it can have one.
    mutating func writePage(of result: CaseResult, in header: RunHeader) throws(ReportError) {
        let reference = CaseReference(result)
        let evidence = EvidenceFiles(in: reports.path)
        guard let page = HTMLReport.page(of: result, in: header, evidence: evidence) else { return }
        try reports.replace(reference.pagePath, with: Array(page.utf8))
        paged.insert(reference)
    }

    /// Writes the evidence that a run still contains, and the pages that were not written yet.
    mutating func complete(_ run: RunResult) throws(ReportError) {
        for result in run.cases where !paged.contains(CaseReference(result)) {
            try writeEvidence(of: result)
            try writePage(of: result, in: run.header)
        }
    }

    /// Returns the SHA-256 of the files that the results do not give, by their paths.
    func digests(of run: RunResult) -> [String: String] {
        var digests: [String: String] = [:]
        let named = run.cases.flatMap { result in
            [result.evidenceFile, result.log, result.shrunk?.execution.log]
                + (result.executions ?? []).map(\.log)
        }
        for name in Set(named.compactMap { $0 } + [ReportFolder.journal]) {
            digests[name] = (try? reports.place(name)).flatMap(FileDigest.sha256)
        }
        return digests
    }

    /// Returns the cases of a run that have a page in the folder.
    func pages(of run: RunResult) -> Set<CaseReference> {
        let names = Set((try? reports.place("cases").heldFolder())?.names ?? [])
        return Set(
            run.cases.map(CaseReference.init).filter {
                names.contains(String($0.pagePath.dropFirst("cases/".count)))
            })
    }
}

extension HeldFolder {
    /// Replaces a file in the folder atomically.
    func replace(
        _ inside: String, with bytes: [UInt8], durably: Bool = false
    ) throws(ReportError) {
        try ReportError.converting { () throws(FileError) in
            try place(inside).replace(with: bytes, durably: durably)
        }
    }
}
