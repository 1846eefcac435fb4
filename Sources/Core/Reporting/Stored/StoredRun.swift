import Glibc
import Results
import System

/// A run that was read from the files of an earlier `conform`: the folder of its reports, its
/// `results.json` or its `journal.jsonl`.
public struct StoredRun: Sendable {
    /// The run, with its current folder.
    public var run: RunResult
    /// The file that it was read from.
    public var file: String
    /// The folder that it was written to, relative to the working directory at that time.
    let writtenFolder: String

    /// The folder that the run's captures and logs are relative to; `.` for the working directory.
    public var folder: String { run.header.folder }

    /// The cases that did not pass in earlier runs and were not judged since.
    public private(set) var openCases: Set<CaseReference> = []
    /// The files of the suites of those cases.
    public private(set) var openFiles: [String] = []

    /// Adds what an earlier run of the same device left open and no later one has judged.
    ///
    /// - Parameters:
    ///   - earlier: The earlier run.
    ///   - judged: The cases that later runs have judged; those of the earlier run are added.
    public mutating func remember(_ earlier: StoredRun, judged: inout Set<CaseReference>) {
        let (own, other) = (run.header.device, earlier.run.header.device)
        guard own.name == other.name, own.mutant == other.mutant else { return }
        let open = earlier.ownNotPassed.subtracting(judged)
        openCases.formUnion(open)
        let suites = Set(open.map(\.suite))
        for suite in earlier.run.header.suites
        where suites.contains(suite.id) && !openFiles.contains(suite.file) {
            openFiles.append(suite.file)
        }
        judged.formUnion(earlier.judged)
    }

    /// The files of the suites of this run and of `openCases`.
    public var suiteFiles: [String] {
        let own = run.header.suites.map(\.file)
        return own + openFiles.filter { !own.contains($0) }
    }

    /// The cases of this run that have a verdict.
    public var judged: Set<CaseReference> {
        Set(
            run.cases.filter { $0.verdict != .skipped && $0.reason?.code != .notRun }
                .map(CaseReference.init))
    }

    /// A capture on which a verdict depends.
    struct StoredCapture {
        /// The current path.
        let path: String
        /// The digest of its original content.
        let digest: String

        /// Whether it exists with other content.
        var isChanged: Bool { FileDigest.sha256(of: path).map { $0 != digest } ?? false }
    }

    /// The captures of live cases that have digests, each once, in the order of the cases.
    var storedCaptures: [StoredCapture] {
        var seen: Set<String> = []
        return run.cases.flatMap { result in
            [(result.capture, result.captureDigest)]
                + ((result.executions ?? []) + (result.shrunk.map { [$0.execution] } ?? []))
                .map { ($0.capture, $0.captureDigest) }
        }.compactMap { path, digest in
            guard let path, let digest, seen.insert(path).inserted else { return nil }
            return self.path(of: path).map { StoredCapture(path: $0, digest: digest) }
        }
    }

    /// The names of captures of live cases that are not files in the folder of the results.
    var unreachableCaptures: [String] {
        let names = run.cases.filter { $0.subject == nil }.flatMap { result in
            [result.capture] + (result.executions ?? []).map(\.capture)
        }
        return Set(names.compactMap(\.self)).filter { path(of: $0) == nil && isNamed($0) }.sorted()
    }

    /// Whether a name is outside the folder, or something has it there.
    private func isNamed(_ name: String) -> Bool {
        var status = stat()
        return name.hasPrefix("/") || name.split(separator: "/").contains("..")
            || lstat("\(folder)/\(name)", &status) == 0
    }

    /// Returns the path of a file that results name relative to their folder.
    ///
    /// `nil` if it is outside the folder, or if a link leads to it: results may come from anybody.
    func path(of name: String) -> String? { StoredFile.path(of: name, in: folder) }

    /// The evidence of its cases.
    public var evidence: EvidenceFiles { EvidenceFiles(in: folder) }

    /// The cases that did not pass, or were not run, in this run or an earlier one.
    public var notPassed: Set<CaseReference> { ownNotPassed.union(openCases) }

    private var ownNotPassed: Set<CaseReference> {
        Set(
            run.casesInPlanOrder.filter { $0.verdict.isAlarming || $0.reason?.code == .notRun }
                .map(CaseReference.init))
    }

    /// Reads a run.
    ///
    /// For a folder, the results are read, or the journal if it contains more results: a run that
    /// was killed rewrote its results less often than it appended to its journal.
    ///
    /// - Throws: `UnreadableReport` if there is nothing to read, or if the file is from another
    ///   program or a newer `conform`, or is truncated.
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
                what: path, line: nil, why: "the folder contains the runs of several devices",
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
        return "the journal next to it may be complete: \(journal)"
    }
}
