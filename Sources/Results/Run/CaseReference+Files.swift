extension CaseReference {
    /// Where the case's capture goes, relative to the report folder; unique, and fit for every
    /// file system.
    public var capturePath: String { "captures/\(fileName).pcapng" }

    /// Where the case's device log goes, relative to the report folder.
    public var logPath: String { "logs/\(fileName).log" }

    /// Where the case's own page goes, relative to the report folder.
    public var pagePath: String { "cases/\(fileName).html" }

    /// Where the case's evidence goes, relative to the report folder.
    public var evidencePath: String { "evidence/\(fileName).json" }

    /// Where the capture of the case's n-th execution goes, counted from 1; names of further ones
    /// have a `+`, which no case's file has.
    public func capturePath(attempt: Int) -> String {
        attempt == 1 ? capturePath : "captures/attempts/\(fileName)+\(attempt).pcapng"
    }

    /// Where the device log of the case's n-th execution goes, counted from 1.
    public func logPath(attempt: Int) -> String {
        attempt == 1 ? logPath : "logs/attempts/\(fileName)+\(attempt).log"
    }

    /// The name of the case's files.
    ///
    /// Letters, digits, `.`, `-`, `_`, `=` stay; others become `_`. A name that was changed or cut
    /// gets a number made from the whole of it, so that two never meet.
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
        guard name != whole else { return name }
        let hash = whole.utf8.reduce(into: UInt32(2_166_136_261)) { hash, byte in
            hash = (hash ^ UInt32(byte)) &* 16_777_619
        }
        return "\(name)-\(String(hash, radix: 16))"
    }
}

extension CaseResult {
    /// The result as a run keeps and stores it: its evidence is in the file that it names.
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
