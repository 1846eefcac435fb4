extension CaseReference {
    /// The path of the case's capture, relative to the report folder.
    ///
    /// It is unique and valid in every file system.
    public var capturePath: String { "captures/\(fileName).pcapng" }

    /// The path of the device's log in the case, relative to the report folder.
    public var logPath: String { "logs/\(fileName).log" }

    /// The path of the case's own page, relative to the report folder.
    public var pagePath: String { "cases/\(fileName).html" }

    /// The path of the case's evidence, relative to the report folder.
    public var evidencePath: String { "evidence/\(fileName).json" }

    /// Returns the path of the capture of the case's n-th execution, counted from 1.
    ///
    /// Paths of later executions contain a `+`, which no case's file name contains.
    public func capturePath(attempt: Int) -> String {
        attempt == 1 ? capturePath : "captures/attempts/\(fileName)+\(attempt).pcapng"
    }

    /// Returns the path of the device's log of the case's n-th execution, counted from 1.
    public func logPath(attempt: Int) -> String {
        attempt == 1 ? logPath : "logs/attempts/\(fileName)+\(attempt).log"
    }

    /// The name of the case's files.
    ///
    /// Letters, digits, `.`, `-`, `_`, `=` stay; others become `_`. A name that was changed or cut,
    /// and one of which the suite's name contains a dot, gets a hash of suite and case, so that no
    /// two names are equal.
    private var fileName: String {
        let whole = "\(suite).\(id)"
        var name = ""
        for scalar in whole.unicodeScalars.prefix(160) {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", "=":
                name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        let isDotted = suite.contains(".")
        guard name != whole || isDotted else { return name }
        let hash = (isDotted ? "\(suite)/\(id)" : whole).utf8.reduce(into: UInt32(2_166_136_261)) {
            hash, byte in
            hash = (hash ^ UInt32(byte)) &* 16_777_619
        }
        return "\(name)-\(String(hash, radix: 16))"
    }
}

extension CaseResult {
    /// The result as a run keeps and stores it: its evidence is in a file that the result names.
    ///
    /// Evidence is some tens of kilobytes for each case; without it the result of a run stays small
    /// in memory and on the disk.
    public var stored: CaseResult {
        var stored = self
        for index in steps.indices { stored.steps[index].spread?.drawn = nil }
        guard evidence != nil else { return stored }
        stored.evidence = nil
        stored.evidenceFile = CaseReference(self).evidencePath
        return stored
    }
}
