import Files
import Results

/// A report in one file that a user asks for by a word, as in `--annotations gitlab=FILE`.
public struct NamedReport: Sendable {
    /// The word.
    public let word: String
    /// What it is, for the help.
    public let summary: String
    /// The report of a run; the path leads from the repository's top to the working directory.
    let text: @Sendable (_ run: RunResult, _ root: String) -> String

    /// All that there are.
    public static let all = [
        NamedReport(word: "gitlab", summary: "a code quality report") {
            CodeQualityReport($0, root: $1).text
        }
    ]
}

/// What a run writes beside its report folder's own files, for the readers that need it.
public struct FurtherReports: Sendable, Hashable {
    /// Where JUnit goes too: a file in the common dialect, a folder in Surefire's; `nil` for
    /// nowhere, or for the folder `surefire` among the reports.
    public var junit: String?
    /// The dialect of it.
    public var dialect: JUnitDialect
    /// Where each `NamedReport` goes that is wanted, by its word.
    public var named: [String: String]
    /// The path from the repository's top to the working directory, for remarks at files.
    public var root: String

    /// Makes a choice; nothing by default.
    public init(
        junit: String? = nil, dialect: JUnitDialect = .common, named: [String: String] = [:],
        root: String = ""
    ) {
        self.junit = junit
        self.dialect = dialect
        self.named = named
        self.root = root
    }
}

/// The places of further reports, held from before the first device of a run.
struct FurtherPlaces: Sendable {
    private let junit: NamedOutput?
    private let surefire: HeldFolder?
    private var named: [(report: NamedReport, output: NamedOutput)] = []
    private let root: String

    /// Makes the folders of further reports, given that of the others.
    init(_ further: FurtherReports, in reports: HeldFolder) throws(FileError) {
        func output(_ path: String?) throws(FileError) -> NamedOutput? {
            guard let path else { return nil }
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
                _ = try HeldFolder(making: String(path[..<slash]))
            }
            return try NamedOutput(path)
        }
        let isCommon = further.dialect == .common
        junit = isCommon ? try output(further.junit) : nil
        if isCommon {
            surefire = nil
        } else if let path = further.junit {
            surefire = try HeldFolder(making: path)
        } else {
            surefire = try reports.place("surefire").madeFolder()
        }
        root = further.root
        for report in NamedReport.all {
            guard let place = try output(further.named[report.word]) else { continue }
            named.append((report, place))
        }
    }

    /// Writes all of them; of a stream it writes the last state only, which it cannot take back.
    ///
    /// - Parameters:
    ///   - run: The run so far.
    ///   - common: JUnit of it in the common dialect.
    ///   - isLast: Whether the run has ended; the reports are forced to the disk then.
    /// - Returns: What came of each.
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
        let files = surefire == nil ? [] : JUnitReport(run).surefireFiles
        return deliver(common, to: junit)
            + files.map { file in
                Result { () throws(FileError) in
                    try surefire?.place(file.name)
                        .replace(with: Array(file.text.utf8), durably: isLast)
                }
            }
            + named.flatMap { deliver(Array($0.report.text(run, root).utf8), to: $0.output) }
    }
}
