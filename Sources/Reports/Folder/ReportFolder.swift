import FoundationEssentials
import Glibc
import Runner
import Trace
import Verdicts

/// The folder of one run: `junit.xml`, `results.json`, `journal.jsonl`, `summary.md`, `captures/`
/// and `logs/`.
///
/// The journal gets its line before anything else happens; the other files are replaced as wholes
/// after each case, in a large run less often (never more than a tenth of the time goes into it),
/// and always at the end. A report that cannot be written does not keep cases from being run: it is
/// put into `failures`, and the run ends with its own exit code.
public struct ReportFolder: Sendable {
    /// The folder as seen from the working directory.
    public let path: String
    /// Another place where the JUnit file is written too; `nil` for none.
    public let junitCopy: String?
    /// What could not be written, each thing once.
    public private(set) var failures: [ReportError] = []
    private var cadence = RewriteCadence()

    /// Makes the folder with its subfolders, and in it a journal and reports of a run in which
    /// nothing has been run yet.
    public init(
        path: String, header: RunHeader, junitCopy: String? = nil
    ) throws(ReportError) {
        self.path = path
        self.junitCopy = junitCopy
        for folder in [path, "\(path)/captures", "\(path)/logs"] {
            try FileOutput.makeFolder(folder)
        }
        if let junitCopy, let slash = junitCopy.lastIndex(of: "/"), slash != junitCopy.startIndex {
            try FileOutput.makeFolder(String(junitCopy[..<slash]))
        }
        let line = try Self.journalLine(.run(header), path: journal)
        try FileOutput.replace(journal, with: line, durably: false)
        try rewrite(RunResult(header: header), durably: false)
    }

    /// Makes a new folder in `parent` that is named after the time, and gives its path.
    ///
    /// Two runs that begin at once get two folders.
    public static func freshName(
        in parent: String, at moment: Moment? = nil
    ) throws(ReportError) -> String {
        try FileOutput.makeFolder(parent)
        let now = moment?.utc ?? Date.now.formatted(.iso8601)
        let name = "\(parent)/" + now.split(separator: ":").joined(separator: "-")
        for number in 1...1000 {
            let path = number == 1 ? name : "\(name)-\(number)"
            if try FileOutput.makeNewFolder(path) { return path }
        }
        throw ReportError("cannot find a free name", name, errno: EEXIST)
    }

    /// Takes note that a case begins, now unless it is said.
    public mutating func caseStarted(_ reference: CaseReference, at time: Timestamp? = nil) {
        let time = time ?? Timestamp(nanoseconds: Int64(Date.now.timeIntervalSince1970 * 1e9))
        attempt { folder throws(ReportError) in
            try folder.append(.caseStarted(reference, at: time))
        }
    }

    /// Takes note of a result that `run` holds already, and rewrites the reports if it is time.
    public mutating func caseEnded(_ result: CaseResult, result run: RunResult) {
        attempt { folder throws(ReportError) in
            try folder.append(.caseEnded(result))
        }
        guard cadence.isDue(at: .now) else { return }
        attempt { folder throws(ReportError) in try folder.rewrite(run, durably: false) }
    }

    /// Ends the journal and writes all reports of the ended run to the disk.
    ///
    /// Called again after a failure with the run's new exit status, it writes what it can.
    ///
    /// - Returns: Whether everything of this run has been written.
    @discardableResult
    public mutating func finish(_ run: RunResult) -> Bool {
        attempt { folder throws(ReportError) in
            try folder.append(.runEnded(run.exit ?? .couldNotJudge, seconds: run.seconds))
        }
        attempt { folder throws(ReportError) in try folder.rewrite(run, durably: true) }
        return failures.isEmpty
    }

    private var journal: String { "\(path)/journal.jsonl" }

    private mutating func attempt(
        _ work: (inout ReportFolder) throws(ReportError) -> Void
    ) {
        do throws(ReportError) {
            try work(&self)
        } catch {
            if !failures.contains(error) { failures.append(error) }
        }
    }

    private func append(_ record: JournalRecord) throws(ReportError) {
        try FileOutput.append(try Self.journalLine(record, path: journal), to: journal)
    }

    private mutating func rewrite(_ run: RunResult, durably: Bool) throws(ReportError) {
        let start = ContinuousClock.now
        defer { cadence.wrote(from: start, to: .now) }
        let junit = Array(JUnitReport(run).text.utf8)
        try FileOutput.replace("\(path)/junit.xml", with: junit, durably: durably)
        if let junitCopy { try FileOutput.replace(junitCopy, with: junit, durably: durably) }
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
}
