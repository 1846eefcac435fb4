import Files
import Results

/// A run read back from what an earlier `conform` left: the folder of its reports, its
/// `results.json`, or its `journal.jsonl`.
public struct StoredRun: Sendable {
    /// The run; its folder is where it lies now.
    public var run: RunResult
    /// The file that it was read from.
    public var file: String
    /// The folder that it was written to, as seen from the working directory of then.
    let writtenFolder: String

    /// The folder that the run's captures and logs are relative to; `.` for the working directory.
    public var folder: String { run.header.folder }

    /// A capture that a verdict rests on.
    struct StoredCapture {
        /// Where it is now.
        let path: String
        /// What it held.
        let digest: String

        /// Whether it is there and holds something else.
        var isChanged: Bool { FileDigest.sha256(of: path).map { $0 != digest } ?? false }
    }

    /// The captures of live cases that have digests, each once, in the order of the cases.
    var storedCaptures: [StoredCapture] {
        var seen: Set<String> = []
        return run.cases.flatMap { result in
            [(result.capture, result.captureDigest)]
                + (result.executions ?? []).map { ($0.capture, $0.captureDigest) }
        }.compactMap { path, digest in
            guard let path, let digest, seen.insert(path).inserted else { return nil }
            return StoredCapture(path: self.path(of: path), digest: digest)
        }
    }

    /// Where a file is that results name relative to their folder.
    func path(of name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }

    /// The evidence of its cases.
    public var evidence: EvidenceFiles { EvidenceFiles(in: folder) }

    /// The cases that did not pass, or were not run.
    public var notPassed: Set<CaseReference> {
        Set(
            run.casesInPlanOrder.filter { $0.verdict.isAlarming || $0.reason?.code == .notRun }
                .map(CaseReference.init))
    }

    /// Reads a run.
    ///
    /// Of a folder the results are taken, or the journal if it tells more: a run that was killed
    /// rewrites its results less often than it adds to its journal.
    ///
    /// - Throws: `UnreadableReport` if there is nothing to read, or if it is of another program, of
    ///   a newer conform, or cut off.
    public init(_ path: String) throws(UnreadableReport) {
        guard FilePath.isFolder(path) else {
            self = try Self.read(path)
            return
        }
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        let (results, journal) = ("\(base)/results.json", "\(base)/journal.jsonl")
        switch (FileInput.isThere(results), FileInput.isThere(journal)) {
        case (true, true):
            let stored = try Self.read(results)
            guard stored.run.exit == nil, let other = try? Self.read(journal),
                other.run.audit.notRun < stored.run.audit.notRun
            else {
                self = stored
                return
            }
            self = other
        case (true, false): self = try Self.read(results)
        case (false, true): self = try Self.read(journal)
        case (false, false) where FileInput.isThere("\(base)/\(DeviceMatrixFolder.results)"):
            throw UnreadableReport(
                what: path, line: nil, why: "the folder has the runs of several devices",
                advice: "give the folder of one of them, as \(base)/DEVICE")
        case (false, false):
            throw UnreadableReport(
                what: path, line: nil,
                why: "the folder has neither a results.json nor a journal.jsonl",
                advice: "give the report folder of one run, such as Reports/NAME")
        }
    }

    private init(run: RunResult, file: String) {
        self.run = run
        self.file = file
        writtenFolder = run.header.folder
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        self.run.header.folder = folder.isEmpty ? "/" : folder
    }

    private static func read(_ path: String) throws(UnreadableReport) -> StoredRun {
        let bytes = try FileInput.bytes(of: path)
        do throws(UnreadableReport) {
            let run =
                path.hasSuffix(".jsonl")
                ? try Journal.run(from: bytes)
                : try ResultsFile.run(from: bytes)
            return StoredRun(run: run, file: path)
        } catch {
            throw UnreadableReport(
                what: path, line: error.line, why: error.why,
                advice: advice(for: path, bytes, error))
        }
    }

    private static func advice(
        for path: String, _ bytes: [UInt8], _ error: UnreadableReport
    ) -> String {
        guard error.advice.isEmpty else { return error.advice }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let journal = folder + "journal.jsonl"
        guard path != journal, FileInput.isThere(journal) else {
            return "give the results.json of a run of conform"
        }
        return "the journal beside it may be whole: \(journal)"
    }
}
