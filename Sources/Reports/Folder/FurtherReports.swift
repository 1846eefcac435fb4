import Runner

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

    /// The folders that must be there, given the folder of the reports.
    func folders(in path: String) -> [String] {
        let parents = [dialect == .common ? junit : nil, codeQuality].compactMap { $0 }
            .compactMap { file in file.lastIndex(of: "/").map { String(file[..<$0]) } }
            .filter { !$0.isEmpty }
        return parents + (dialect == .surefire ? [junit ?? "\(path)/surefire"] : [])
    }

    /// The files with their content.
    func files(
        of run: RunResult, in path: String, junit common: [UInt8]
    ) -> [(String, [UInt8])] {
        var files: [(String, [UInt8])] = []
        switch dialect {
        case .common: files += junit.map { [($0, common)] } ?? []
        case .surefire:
            let folder = junit ?? "\(path)/surefire"
            files += JUnitReport(run).surefireFiles.map {
                ("\(folder)/\($0.name)", Array($0.text.utf8))
            }
        }
        if let codeQuality {
            files.append((codeQuality, Array(CodeQualityReport(run, root: root).text.utf8)))
        }
        return files
    }
}
