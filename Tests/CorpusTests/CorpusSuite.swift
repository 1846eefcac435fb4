import BuiltInProtocols
import FoundationEssentials
import Judge
import Reporting
import Results
import TestSupport

@testable import Offline
@testable import SuiteLanguage

/// A suite of the corpus with its traces.
struct CorpusSuite {
    /// The name as `construct/name`.
    let name: String
    let suite: Suite
    let pairs: [Pair]

    init(_ name: String) throws {
        self.name = name
        suite = try SuiteLoader(.builtIn).load(path: "\(name).yaml") {
            (path) throws(InvalidInput) in
            try SourceFile.text(path: "\(CorpusFiles.root)/\(path)")
        }
        pairs = try PairReader.pairs(
            of: try CorpusFiles.text("\(name).traces"), file: "\(name).traces")
    }

    /// Why a capture was refused.
    struct Refusal: Error, CustomStringConvertible {
        let description: String

        /// Creates a refusal whose reason does not name the folder of the corpus.
        init(_ reason: String) {
            description = reason.replacing("\(CorpusFiles.root)/", with: "")
        }
    }

    /// The outcome of judging a pair.
    struct Outcome {
        /// The result, or why the capture was refused.
        let result: Result<CaseResult, Refusal>
        /// The frames of each line of the trace, by its number in the file.
        let frames: [Int: [Int]]

        /// The lines that a user reads.
        var stated: [String] {
            let lines: [String] =
                switch result {
                case .success(let result): result.stated
                case .failure(let refusal): ["refused: \(refusal)"]
                }
            return lines.map { $0.replacing(/[^ ]*trace.pcapng/, with: "trace.pcapng") }
        }
    }

    /// Judges a pair like `conform check` judges a capture.
    func judge(_ pair: Pair) throws -> Outcome {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        var recorder = TraceRecorder()
        let path = "\(folder.path)/trace.pcapng"
        let devices = suite.cases.first { $0.id == pair.testCase }?.devices ?? []
        try recorder.record(pair, suite: suite.id, devices: devices.map(\.name), to: path)
        let check = CaptureCheck(
            suite: try suite(for: pair), selection: .init(patterns: [CasePattern(pair.testCase)]))
        let run = check.run(captures: [[path]], folder: "", command: []) { _, _ in }
        guard run.cases.count == 1, var result = run.cases.first else {
            throw PairReader.Mistake(
                description: "\(name): there is no case \(pair.testCase) for \(pair.name)")
        }
        result.capture = nil
        let refusal = result.id == CaseSubject.noCase ? result.reason?.summary : nil
        return Outcome(
            result: try refusal.map { .failure(Refusal($0)) } ?? .success(Self.portable(result)),
            frames: recorder.framesOfLines)
    }

    /// Returns the suite.
    ///
    /// If the capture gives parameters, the suite is loaded from the file, because it will be
    /// loaded again with them.
    private func suite(for pair: Pair) throws -> Suite {
        guard pair.capture.parameters != nil else { return suite }
        return try SuiteLoader(.builtIn).load(path: "\(CorpusFiles.root)/\(name).yaml")
    }

    /// Returns a result whose positions do not contain the folder of the corpus.
    private static func portable(_ result: CaseResult) throws -> CaseResult {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let json = String(decoding: try encoder.encode(result), as: UTF8.self)
        let portable = json.replacing("\(CorpusFiles.root)/", with: "")
        return try JSONDecoder().decode(CaseResult.self, from: Data(portable.utf8))
    }
}

extension CaseResult {
    /// The lines that a user reads: the console's words, and the outcome of each step.
    var stated: [String] {
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
