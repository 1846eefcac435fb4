import Files
import Results

/// What a run writes beside its report folder's own files, for the readers that need it.
public struct FurtherReports: Sendable, Hashable {
    /// Where JUnit goes too: a file in the common dialect, a folder in Surefire's; `nil` for
    /// nowhere, or for the folder `surefire` among the reports.
    public var junit: String?
    /// The dialect of it.
    public var dialect: JUnitDialect
    /// Where GitLab's code quality report goes; `nil` for nowhere.
    public var codeQuality: String?
    /// The path from the repository's top to the working directory, for remarks at files.
    public var root: String

    /// Makes a choice; nothing by default.
    public init(
        junit: String? = nil, dialect: JUnitDialect = .common, codeQuality: String? = nil,
        root: String = ""
    ) {
        self.junit = junit
        self.dialect = dialect
        self.codeQuality = codeQuality
        self.root = root
    }
}

/// The places of further reports, held from before the first device of a run.
struct FurtherPlaces: Sendable {
    private let junit: NamedOutput?
    private let surefire: HeldFolder?
    private let codeQuality: NamedOutput?
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
        codeQuality = try output(further.codeQuality)
        root = further.root
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
            + deliver(Array(CodeQualityReport(run, root: root).text.utf8), to: codeQuality)
    }
}
