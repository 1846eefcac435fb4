import FoundationEssentials
import Reports
import Runner
import Suites
import Verdicts

@testable import Runner
@testable import Suites

/// One suite of the corpus with its traces.
struct CorpusSuite {
    /// `construct/name`.
    let name: String
    let suite: Suite
    let pairs: [Pair]

    init(_ name: String) throws {
        self.name = name
        suite = try SuiteLoader.load(path: "\(name).yaml") { (path) throws(InvalidInput) in
            try SourceFile.text(path: "\(CorpusFiles.root)/\(path)")
        }
        pairs = try PairReader.pairs(
            of: try CorpusFiles.text("\(name).traces"), file: "\(name).traces")
    }

    /// What came of a pair.
    struct Outcome {
        /// The result, or why the capture was refused.
        let result: Result<CaseResult, CheckError>
        /// The frames of each line of the trace, by its number in the file.
        let frames: [Int: [Int]]

        /// What a reader is told.
        var told: [String] {
            let lines: [String] =
                switch result {
                case .success(let result): result.told
                case .failure(let refusal): ["refused: \(refusal)"]
                }
            return lines.map { $0.replacing(/[^ ]*trace.pcapng/, with: "trace.pcapng") }
        }
    }

    /// Judges a pair as `conform check` judges a capture.
    func judge(_ pair: Pair) throws -> Outcome {
        let folder =
            FileManager.default.temporaryDirectory.path + "/conform-corpus-\(UUID().uuidString)"
        try FileSystem.makeFolder(folder)
        defer { FileSystem.removeTree(folder) }
        var recorder = TraceRecorder()
        let path = "\(folder)/trace.pcapng"
        try recorder.record(pair, suite: suite.id, to: path)
        let check = CaptureCheck(
            suite: suite, selection: .init(patterns: [CasePattern(pair.testCase)]), roles: .init())
        do {
            let run = try check.run(captures: [path], folder: "", command: []) { _ in }
            guard run.cases.count == 1, var result = run.cases.first else {
                throw PairReader.Mistake(
                    description: "\(name): there is no case \(pair.testCase) for \(pair.name)")
            }
            result.capture = nil
            return Outcome(result: .success(result), frames: recorder.framesOfLines)
        } catch let refusal as CheckError {
            return Outcome(result: .failure(refusal), frames: recorder.framesOfLines)
        }
    }
}

extension CaseResult {
    /// What a reader is told of it: the console's words, and what became of each step.
    var told: [String] {
        let console = ConsoleReport(folder: "")
        let explanation = console.explanation(self).dropFirst(3)
        let steps = steps.enumerated().map { index, step in
            let frames = step.frames.map(String.init).joined(separator: "+")
            return "\(index + 1) \(step.outcome.rawValue)" + (frames.isEmpty ? "" : " in \(frames)")
        }
        return [console.line(self)] + explanation + [
            "  steps       \(steps.joined(separator: ", "))"
        ]
    }
}
