import Runner
import Trace
import Verdicts

/// The folder of one run: `junit.xml`, `results.json`, `journal.jsonl`, `summary.md`, `captures/`
/// and `logs/`.
///
/// The journal gets its line before anything else happens; the other files are replaced as wholes
/// after each case, in a large run less often (never more than a tenth of the time goes into it),
/// and always at the end.
public struct ReportFolder: Sendable {
    /// The folder as seen from the working directory.
    public let path: String
    /// Another place where the JUnit file is written too; `nil` for none.
    public let junit: String?
    private var cadence = RewriteCadence()

    /// Makes the folder with its subfolders.
    public init(creating path: String, junit: String? = nil) throws(ReportError) {
        self.path = path
        self.junit = junit
        for folder in [path, "\(path)/captures", "\(path)/logs"] {
            try FileOutput.makeFolder(folder)
        }
        if let junit, let slash = junit.lastIndex(of: "/"), slash != junit.startIndex {
            try FileOutput.makeFolder(String(junit[..<slash]))
        }
    }

    /// Where a case's capture goes, relative to the folder; unique, and fit for every file system.
    public static func capturePath(of reference: CaseReference) -> String {
        "captures/\(fileName(of: reference)).pcapng"
    }

    /// Where a case's device log goes, relative to the folder.
    public static func logPath(of reference: CaseReference) -> String {
        "logs/\(fileName(of: reference)).log"
    }

    /// Begins the journal, and writes reports in which nothing has been run yet.
    public mutating func begin(_ run: RunResult) throws(ReportError) {
        let line = try Self.journalLine(.run(run.header), path: journal)
        try FileOutput.replace(journal, with: line, durably: false)
        try rewrite(run, durably: false)
    }

    /// Takes note that a case begins.
    public func started(_ reference: CaseReference, at time: Timestamp) throws(ReportError) {
        try append(.caseStarted(reference, at: time))
    }

    /// Takes note of a result that `run` holds already, and rewrites the reports if it is time.
    public mutating func ended(
        _ result: CaseResult, in run: RunResult
    ) throws(ReportError) {
        try append(.caseEnded(result))
        guard cadence.isDue(at: .now) else { return }
        try rewrite(run, durably: false)
    }

    /// Ends the journal and writes all reports of the ended run to the disk.
    public mutating func finish(_ run: RunResult) throws(ReportError) {
        try append(.runEnded(run.exit ?? .couldNotJudge, seconds: run.seconds))
        try rewrite(run, durably: true)
    }

    private var journal: String { "\(path)/journal.jsonl" }

    private func append(_ record: JournalRecord) throws(ReportError) {
        try FileOutput.append(try Self.journalLine(record, path: journal), to: journal)
    }

    private mutating func rewrite(_ run: RunResult, durably: Bool) throws(ReportError) {
        let start = ContinuousClock.now
        defer { cadence.wrote(from: start, to: .now) }
        let junitBytes = Array(JUnitReport(run).text.utf8)
        try FileOutput.replace("\(path)/junit.xml", with: junitBytes, durably: durably)
        if let junit { try FileOutput.replace(junit, with: junitBytes, durably: durably) }
        try FileOutput.replace(
            "\(path)/results.json", with: try Self.results(run, path: path), durably: durably)
        try FileOutput.replace(
            "\(path)/summary.md", with: Array(SummaryReport(run).text.utf8), durably: durably)
    }

    private static func results(
        _ run: RunResult, path: String
    ) throws(ReportError) -> [UInt8] {
        do {
            return try ResultsFile.bytes(of: run)
        } catch {
            throw unwritable("\(path)/results.json", error)
        }
    }

    private static func journalLine(
        _ record: JournalRecord, path: String
    ) throws(ReportError) -> [UInt8] {
        do {
            return try Journal.line(record)
        } catch {
            throw unwritable(path, error)
        }
    }

    private static func unwritable(_ path: String, _ error: UnreadableReport) -> ReportError {
        ReportError(
            attempt: "cannot put the run into JSON", path: path, cause: error.why,
            advice: "this is a mistake of conform; please report it with this line")
    }

    /// A file name that is readable and unique.
    ///
    /// Letters, digits and `.-_=[]` stay, others become `_`; a name that was changed or cut gets a
    /// number made from the whole of it.
    static func fileName(of reference: CaseReference) -> String {
        let whole = "\(reference.suite).\(reference.id)"
        var name = ""
        for scalar in whole.unicodeScalars.prefix(160) {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": name.unicodeScalars.append(scalar)
            case ".", "-", "_", "=", "[", "]": name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        guard name != whole else { return name }
        let hash = whole.utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return "\(name)-\(String(hash, radix: 16))"
    }
}
