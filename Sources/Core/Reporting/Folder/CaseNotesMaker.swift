import Glibc
import Results
import SuiteLanguage
import System

/// Makes the notes of a run's cases from the suites and from earlier runs.
struct CaseNotesMaker {
    private let header: RunHeader
    private let folder: String
    private let definition: (CaseResult) -> (testCase: TestCase, suite: Suite)?
    private var texts: [String: [Substring]] = [:]
    private var earlier: EarlierRuns?

    /// Creates the notes of a run that has its reports in `folder`.
    init(
        _ header: RunHeader, folder: String,
        definition: @escaping (CaseResult) -> (testCase: TestCase, suite: Suite)?
    ) {
        self.header = header
        self.folder = folder
        self.definition = definition
    }

    /// Returns a result whose evidence has notes; unchanged without evidence.
    mutating func added(to result: CaseResult) -> CaseResult {
        guard result.evidence != nil else { return result }
        let runs = earlier ?? EarlierRuns(before: header, in: folder)
        earlier = runs
        let demands = definition(result).map {
            CaseInWords.lines(
                of: $0.testCase, in: $0.suite, at: header.timeScale ?? .real, width: .max)
        }
        var annotated = result
        annotated.evidence?.notes = CaseNotes(
            // The head repeats the name and the title of the case.
            demands: Array((demands ?? []).drop { !$0.isEmpty }.dropFirst()),
            source: result.reason?.explanation.flatMap { excerpt(at: $0.position) },
            earlier: runs.verdicts[CaseReference(result)] ?? [])
        return annotated
    }

    private mutating func excerpt(at position: SourcePosition) -> SourceExcerpt? {
        let text = texts[position.file] ?? Self.text(of: position.file, header)
        texts[position.file] = text
        return SourceExcerpt(of: text, at: position)
    }

    /// Returns the lines of a file; none if it cannot be read, or is not the one that was judged by.
    private static func text(of file: String, _ header: RunHeader) -> [Substring] {
        let known = header.digests?.first { $0.path == file }?.sha256
        guard known == nil || known == FileDigest.sha256(of: file),
            let bytes = try? FileInput.bytes(of: file)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.last == "\r" ? $0.dropLast() : $0 }
    }
}

/// The verdicts of earlier runs of the same device, from the report folders beside a run's own.
struct EarlierRuns {
    private static let runCountMax = 10
    private static let bytesMax = 8 << 20

    /// The verdicts of each case, the oldest first.
    private(set) var verdicts: [CaseReference: [EarlierVerdict]] = [:]

    /// Reads the last runs before a run; files that cannot be read are left out.
    init(before header: RunHeader, in folder: String) {
        let own = FilePath.absolute(folder)
        let parent = String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex))
        let files = ((try? HeldFolder(parent))?.names ?? []).compactMap {
            name -> (path: String, time: timespec)? in
            let path = "\(parent)/\(name)/results.json"
            var status = stat()
            guard "\(parent)/\(name)" != own, stat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.bytesMax
            else { return nil }
            return (path, status.st_mtim)
        }
        let newest = files.sorted {
            ($1.time.tv_sec, $1.time.tv_nsec) < ($0.time.tv_sec, $0.time.tv_nsec)
        }
        var runs: [Stored] = []
        for file in newest where runs.count < Self.runCountMax {
            let bytes = try? FileInput.bytes(of: file.path)
            let stored = bytes.flatMap { try? JSONText.decoded(Stored.self, from: $0) }
            guard let stored, stored.run.device.name == header.device.name,
                stored.run.device.mutant == header.device.mutant,
                stored.run.started.time < header.started.time
            else { continue }
            runs.append(stored)
        }
        for stored in runs.reversed() {
            for result in stored.cases where result.verdict != .skipped {
                verdicts[CaseReference(suite: result.suite, id: result.id), default: []].append(
                    EarlierVerdict(
                        run: stored.run.id, started: stored.run.started, verdict: result.verdict,
                        seconds: result.seconds))
            }
        }
    }

    /// The part of `results.json` that is needed.
    private struct Stored: Decodable {
        struct Run: Decodable {
            let id: String
            let started: Moment
            let device: RunDevice
        }
        struct Case: Decodable {
            let suite: String
            let id: String
            let verdict: Verdict
            let seconds: Double
        }

        let run: Run
        let cases: [Case]
    }
}
