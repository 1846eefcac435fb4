import Results
import System

/// A report in one file that a user requests by a word, as in `--annotations gitlab=FILE`.
public struct NamedReport: Sendable {
    /// The word.
    public let word: String
    /// Its description, for the help.
    public let summary: String
    /// Returns the report of a run; `root` is the path from the root of the repository to the
    /// working directory.
    let text: @Sendable (_ run: RunResult, _ root: String) -> String

    /// All named reports.
    public static let all = [
        NamedReport(word: "gitlab", summary: "a code quality report") {
            CodeQualityReport($0, root: $1).text
        }
    ]
}

/// The reports of a run in addition to the files of its report folder.
public struct RequestedReports: Sendable, Hashable {
    /// A further path for the JUnit report; `nil` for none.
    public var junit: String?
    /// The path of each requested `NamedReport`, by its word.
    public var named: [String: String]
    /// The path from the root of the repository to the working directory, for remarks at files.
    public var root: String

    /// Creates a selection; empty by default.
    public init(
        junit: String? = nil, named: [String: String] = [:], root: String = ""
    ) {
        self.junit = junit
        self.named = named
        self.root = root
    }
}

/// The files of further reports, opened before the first device of a run starts.
struct RequestedReportPlaces: Sendable {
    private let junit: NamedOutput?
    private var named: [(report: NamedReport, output: NamedOutput)] = []
    private let root: String

    /// Creates the folders of further reports.
    init(_ further: RequestedReports) throws(FileError) {
        func output(_ path: String?) throws(FileError) -> NamedOutput? {
            guard let path else { return nil }
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
                _ = try HeldFolder(making: String(path[..<slash]))
            }
            let output = try NamedOutput(path)
            try output.check()
            return output
        }
        junit = try output(further.junit)
        root = further.root
        for report in NamedReport.all {
            guard let place = try output(further.named[report.word]) else { continue }
            named.append((report, place))
        }
    }

    /// Writes all reports; a stream gets only the final state, because its content cannot be
    /// replaced.
    ///
    /// - Parameters:
    ///   - run: The run so far.
    ///   - common: The JUnit report in the common dialect.
    ///   - isLast: Whether the run has ended; the reports are then synchronised to the disk.
    /// - Returns: The result of each file.
    func write(
        _ run: RunResult, junit common: [UInt8], isLast: Bool
    ) -> [Result<Void, FileError>] {
        func deliver(
            _ bytes: @autoclosure () -> [UInt8], to output: NamedOutput?
        ) -> [Result<Void, FileError>] {
            guard let output, isLast || !output.isStream else { return [] }
            return [
                Result { () throws(FileError) in try output.write(bytes(), durably: isLast) }
            ]
        }
        return deliver(common, to: junit)
            + named.flatMap { deliver(Array($0.report.text(run, root).utf8), to: $0.output) }
    }
}
