import Glibc
import Runner
import Verdicts

/// The pages of single cases in a report folder's `cases/`.
struct CasePages: Sendable {
    private let path: String
    private var written: Set<CaseReference> = []

    /// Speaks of the report folder at `path`.
    init(in path: String) {
        self.path = path
    }

    /// The folder that the pages are in.
    var folder: String { "\(path)/cases" }

    /// Writes the page of a case, if anything was seen of it.
    mutating func write(_ result: CaseResult, of header: RunHeader) throws(ReportError) {
        guard let page = HTMLReport.page(of: result, in: header) else { return }
        let reference = CaseReference(result)
        try FileOutput.replace(
            "\(path)/\(reference.pagePath)", with: Array(page.utf8), durably: false)
        written.insert(reference)
    }

    /// Writes the pages that are missing, of cases whose evidence the run holds.
    mutating func complete(_ run: RunResult) throws(ReportError) {
        for result in run.cases
        where result.evidence != nil && !written.contains(CaseReference(result)) {
            try write(result, of: run.header)
        }
    }

    /// The cases of a run that have a page in the folder.
    func present(of run: RunResult) -> Set<CaseReference> {
        Set(
            run.cases.map(CaseReference.init).filter {
                access("\(path)/\($0.pagePath)", R_OK) == 0
            })
    }
}
