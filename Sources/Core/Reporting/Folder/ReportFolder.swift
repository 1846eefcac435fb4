import Results
import System
import Wire

/// The folder of one run: `index.html`, `junit.xml`, `results.json`, `journal.jsonl`, `summary.md`,
/// `cases/`, `evidence/`, `captures/` and `logs/`.
///
/// When a case ends, its evidence and its line of the journal are written. The other files are
/// replaced as a whole after each case, in a large run less often (so that writing never takes more
/// than a twentieth of the time), and always at the end.
public struct ReportFolder: Sendable {
    /// The reports in a folder, in addition to captures and logs, in the order for readers.
    static let files = [
        "index.html", "junit.xml", "summary.md", "results.json", "journal.jsonl",
    ]

    /// The folder, relative to the working directory.
    public let path: String
    private var cadence = RewriteCadence()
    private let reports: HeldFolder
    private let places: RequestedReportPlaces
    private var caseFiles: CaseFiles

    /// Creates the folder with its subfolders, and the folders of further reports.
    public init(
        creating path: String, further: RequestedReports = RequestedReports()
    ) throws(ReportError) {
        self.path = path
        (reports, places) = try ReportError.converting { () throws(FileError) in
            let reports = try HeldFolder(making: path)
            for name in ["captures", "logs"] { _ = try reports.place(name).madeFolder() }
            return (reports, try RequestedReportPlaces(further))
        }
        caseFiles = try CaseFiles(making: reports)
    }

    /// Begins the journal, and writes reports in which no case has run yet.
    public mutating func begin(_ run: RunResult) throws(ReportError) {
        try reports.replace(Self.journal, with: try journalLine(.run(run.header)))
        try rewrite(run, durably: false)
    }

    /// Records that a case begins.
    public func started(_ reference: CaseReference, at time: Timestamp) throws(ReportError) {
        try append(.caseStarted(reference, at: time))
    }

    /// Records a result that `run` already contains, and rewrites the reports if they are due.
    public mutating func ended(
        _ result: CaseResult, in run: RunResult
    ) throws(ReportError) {
        let filed = Result { () throws(ReportError) in try caseFiles.writeEvidence(of: result) }
        try append(.caseEnded(result))
        try filed.get()
        try caseFiles.writePage(of: result, in: run.header)
        guard cadence.isDue(at: .now, caseCount: run.cases.count) else { return }
        try rewrite(run, durably: false)
    }

    /// Records that the failure of a drawn run, which has ended, was made shorter.
    public mutating func shrunk(
        _ result: CaseResult, in run: RunResult
    ) throws(ReportError) {
        try append(.caseEnded(result))
        try caseFiles.writePage(of: result, in: run.header)
    }

    /// Ends the journal and writes all reports of the ended run to the disk.
    ///
    /// Every file is attempted, even after an error; the first error is thrown.
    public mutating func finish(_ run: RunResult) throws(ReportError) {
        let journalled = Result { () throws(ReportError) in
            try append(.runEnded(run.exit ?? .couldNotJudge, seconds: run.seconds))
        }
        let paged = Result { () throws(ReportError) in try caseFiles.complete(run) }
        try rewrite(run, durably: true)
        try paged.get()
        try journalled.get()
    }

    static let journal = "journal.jsonl"

    private func append(_ record: JournalRecord) throws(ReportError) {
        let line = try journalLine(record)
        try ReportError.converting { () throws(FileError) in
            try reports.place(Self.journal).append(line)
        }
    }

    /// Writes all reports of a run that was not executed here, including the journal, and copies
    /// its captures and logs.
    ///
    /// - Parameters:
    ///   - run: An ended run.
    ///   - copies: Files, each with its source path and its path relative to the folder.
    public mutating func publish(
        _ run: RunResult, copying copies: [(from: String, to: String)] = []
    ) throws(ReportError) {
        for copy in copies {
            let place = try ReportError.converting { () throws(FileError) in
                try reports.place(copy.to, making: true)
            }
            try Self.copy(copy.from, to: place)
        }
        var lines = try journalLine(.run(run.header))
        for result in run.cases { lines += try journalLine(.caseEnded(result)) }
        try reports.replace(Self.journal, with: lines)
        try finish(run)
    }

    private mutating func rewrite(_ run: RunResult, durably: Bool) throws(ReportError) {
        let start = ContinuousClock.now
        defer { cadence.wrote(from: start, to: .now, caseCount: run.cases.count) }
        let xml = Array(JUnitReport(run).text.utf8)
        var files = [("junit.xml", xml)]
        files.append(("summary.md", Array(SummaryReport(run).text.utf8)))
        let page = HTMLReport(
            run, pages: caseFiles.pages(of: run), evidence: EvidenceFiles(in: path))
        files.append(("index.html", Array(page.text.utf8)))
        files += page.furtherCases.map { ($0.name, Array($0.text.utf8)) }
        var stored = run
        if durably { stored.files = caseFiles.digests(of: run) }
        files.append(("results.json", try Self.results(stored, path: path)))
        let outcomes = files.map { name, bytes in
            Result { () throws(ReportError) in
                try reports.replace(name, with: bytes, durably: durably)
            }
        }
        let delivered = places.write(run, junit: xml, isLast: durably)
        for outcome in outcomes { try outcome.get() }
        for outcome in delivered {
            try ReportError.converting { () throws(FileError) in try outcome.get() }
        }
    }

    private static func results(
        _ run: RunResult, path: String
    ) throws(ReportError) -> [UInt8] {
        do {
            return try ResultsFile.bytes(of: run)
        } catch {
            throw ReportError(unencodable: "\(path)/results.json", error)
        }
    }

    private func journalLine(_ record: JournalRecord) throws(ReportError) -> [UInt8] {
        do {
            return try Journal.line(record)
        } catch {
            throw ReportError(unencodable: "\(path)/\(Self.journal)", error)
        }
    }

    /// Copies a file; creates a hard link instead where the file system supports it.
    private static func copy(_ source: String, to place: HeldFile) throws(ReportError) {
        if place.link(from: source) { return }
        let bytes: [UInt8]
        do throws(UnreadableReport) {
            bytes = try FileInput.bytes(of: source)
        } catch {
            throw ReportError(
                attempt: "cannot copy the file", path: source, cause: error.why,
                advice: "make it readable")
        }
        try ReportError.converting { () throws(FileError) in try place.replace(with: bytes) }
    }
}
