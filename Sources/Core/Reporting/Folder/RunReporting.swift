import Results
import SuiteLanguage
import Wire

/// Keeps the report folder of a run up to date; a failed write never stops the run.
public struct RunReporting {
    private var folder: ReportFolder
    private var notes: CaseNotesMaker
    /// The errors of files that could not be written, each once.
    public private(set) var failures: [ReportError] = []

    /// Creates the folder and writes reports in which no case has run yet.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - further: Reports in addition to the folder's own files.
    ///   - run: The run before its first case.
    ///   - definition: Returns the case that a result is about, and its suite; `nil` if it is in no
    ///     suite.
    /// - Throws: `ReportError` if the folder cannot be created, because nothing is run without a
    ///   place for its captures.
    public init(
        folder path: String, further: RequestedReports = RequestedReports(), run: RunResult,
        definition: @escaping (CaseResult) -> (testCase: TestCase, suite: Suite)? = { _ in nil }
    ) throws(ReportError) {
        notes = CaseNotesMaker(run.header, folder: path, definition: definition)
        folder = try ReportFolder(creating: path, further: further)
        record { folder throws(ReportError) in try folder.begin(run) }
    }

    /// Records an update that `run` already contains.
    public mutating func consume(_ update: RunUpdate, at time: Timestamp, in run: RunResult) {
        var update = update
        if case .ended(let result) = update { update = .ended(notes.added(to: result)) }
        record { folder throws(ReportError) in
            switch update {
            case .started(let reference): try folder.started(reference, at: time)
            case .ended(let result): try folder.ended(result, in: run)
            case .shrunk(let result): try folder.shrunk(result, in: run)
            case .shrinking, .waiting: break
            }
        }
    }

    /// Ends the run and writes all reports.
    ///
    /// - Returns: The ended run; its exit status shows if a report could not be written.
    public mutating func finish(
        _ run: RunResult, seconds: Double, interruption: Interruption?
    ) -> RunResult {
        var ended = run
        ended.end(
            seconds: seconds, interruption: interruption, reportFailed: !failures.isEmpty)
        let before = failures.count
        record { folder throws(ReportError) in try folder.finish(ended) }
        if failures.count > before {
            ended = run
            ended.end(seconds: seconds, interruption: interruption, reportFailed: true)
        }
        return ended
    }

    private mutating func record(
        _ body: (inout ReportFolder) throws(ReportError) -> Void
    ) {
        do throws(ReportError) {
            try body(&folder)
        } catch {
            if !failures.contains(error) { failures.append(error) }
        }
    }
}
