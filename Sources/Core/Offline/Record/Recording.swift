import Judge
import Results
import SuiteLanguage
import Trace
import Wire

/// A suite that is made from golden captures.
///
/// What the captures have in common is demanded. What changes from run to run is saved, matched by
/// its shape, or left out.
public struct Recording {
    /// The options of a recording, in addition to its captures.
    public struct Options: Sendable {
        /// Where the suite will be written.
        public var path: String
        /// The suite's name; `nil` for that of the file.
        public var name: String?
        /// The first message of the body; `nil` for the one after the device's first request.
        public var bodyFrom: String?
        /// Endpoints of peers by name, for captures of other tools.
        public var peers: [String: Endpoint]
        /// How streams of no known protocol are cut into messages; `nil` to leave them out.
        public var stream: RecordedStream?
        /// The protocols of `conform` and those that files describe.
        public var known: KnownMessages

        /// Creates options.
        public init(
            path: String, name: String? = nil, bodyFrom: String? = nil,
            peers: [String: Endpoint] = [:], stream: RecordedStream? = nil,
            known: KnownMessages
        ) {
            self.path = path
            self.name = name
            self.bodyFrom = bodyFrom
            self.peers = peers
            self.stream = stream
            self.known = known
        }
    }

    /// A file to be written.
    public struct File: Sendable {
        /// The path.
        public let path: String
        /// The content.
        public let text: String
    }

    /// The suite.
    public let suite: File
    /// The catalogue with its placeholder requirements.
    public let catalogue: File
    /// What a reader should know about the recording, one sentence each.
    public let remarks: [String]

    private let captures: [String]
    private let options: Options
    private let isOurs: Bool

    /// The largest number of times that refused conditions are removed.
    private static let revisionsMax = 10

    /// Creates a suite from captures.
    ///
    /// - Throws: `RecordingError` if no suite can be made from them, `CaptureError` if one cannot
    ///   be read.
    public init(captures: [String], options: Options) throws {
        let traces = try captures.map {
            try GoldenTrace($0, stated: options.peers, stream: options.stream, options.known)
        }
        let plan = try RecordingPlan(traces, options: options)
        self.captures = captures
        self.options = options
        isOurs = traces.contains(where: \.isOurs)
        var refused: Set<RecordedSteps.Refusal> = []
        var draft = RecordingDraft(plan, refused: refused)
        for _ in 0..<Self.revisionsMax {
            let found = try Self.refusals(draft, plan, at: options.path)
            if found.isEmpty { break }
            refused.formUnion(found)
            draft = RecordingDraft(plan, refused: refused)
        }
        suite = File(path: options.path, text: draft.suite.text)
        catalogue = File(path: plan.cataloguePath(besides: options.path), text: draft.catalogue)
        remarks = plan.remarks + Self.remarks(refused, plan) + Self.closing(plan)
    }

    /// The result of `conform check` on one capture.
    public struct Outcome: Sendable, CustomStringConvertible {
        /// The capture.
        public let capture: String
        /// The verdict on it.
        public let verdict: Verdict
        /// The reason why it is not a pass; empty for a pass.
        public let reason: String

        /// Whether the suite passes on the capture.
        public var isPass: Bool { verdict == .pass }
        /// The verdict and the capture, such as `pass  capture`, and the reason if any.
        public var description: String {
            "\(verdict.rawValue)  \(capture)" + (reason.isEmpty ? "" : ": \(reason)")
        }
    }

    /// Judges the captures by the suite, which need not have been written.
    public func check() throws -> [Outcome] {
        let texts = [suite, catalogue].reduce(into: [String: String]()) { texts, file in
            texts[SourcePath.simplified(file.path)] = file.text
        }
        let loader = SuiteLoader(options.known.protocols)
        let suite = try loader.load(path: suite.path) { file throws(InvalidInput) in
            if let text = texts[SourcePath.simplified(file)] { return text }
            return try SourceFile.text(path: file)
        }
        var judging = CaptureCheck.Options(suite.protocols)
        judging.roles = CaptureRoles(peers: isOurs ? [:] : options.peers)
        judging.takesEveryCapture = true
        judging.keepsEvidence = false
        let check = CaptureCheck(
            suite: suite, selection: CaseSelection(), options: judging)
        let run = check.run(captures: captures.map { [$0] }, folder: "", command: []) { _, _ in }
        return run.cases.map { result in
            Outcome(
                capture: result.capture ?? "", verdict: result.verdict,
                reason: result.reason?.summary ?? "")
        }
    }

    /// The command that judges the captures again.
    public var nextCommand: String {
        let peers = options.peers.sorted { $0.key < $1.key }
            .flatMap { ["--peer", "\($0.key)=\($0.value)"] }
        let words =
            ["conform", "check", suite.path] + captures + (isOurs ? ["--assume", "foreign"] : [])
            + peers
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    // MARK: conditions that the loader refuses

    /// Returns the conditions of a draft for which the loader reports errors or warnings.
    ///
    /// Such conditions have values that the specification does not allow, or fields that it does
    /// not have.
    private static func refusals(
        _ draft: RecordingDraft, _ plan: RecordingPlan, at path: String
    ) throws -> Set<RecordedSteps.Refusal> {
        let texts = [
            SourcePath.simplified(path): draft.suite.text,
            SourcePath.simplified(plan.cataloguePath(besides: path)): draft.catalogue,
        ]
        var diagnostics: [Diagnostic]
        do throws(InvalidInput) {
            let loader = SuiteLoader(plan.known.protocols)
            diagnostics = try loader.load(path: path) { file throws(InvalidInput) in
                if let text = texts[SourcePath.simplified(file)] { return text }
                return try SourceFile.text(path: file)
            }.warnings
        } catch {
            diagnostics = error.diagnostics
        }
        // Findings about the files of a protocol do not concern the recording.
        diagnostics.removeAll { finding in
            finding.position.map { texts[SourcePath.simplified($0.file)] == nil } ?? false
        }
        if diagnostics.contains(where: { $0.code == YAMLLimits.code }) {
            throw RecordingError(
                description:
                    "\(plan.sources): \(plan.sequence.slots.count) messages are too many for one "
                    + "suite, which has at most \(YAMLLimits.nodes) nodes of YAML; record a "
                    + "shorter capture")
        }
        let lines = diagnostics.compactMap(\.position?.line)
        let found = Set(lines.compactMap { draft.suite.places[$0] })
        guard found.isEmpty, let first = diagnostics.first else { return found }
        throw RecordingError(
            description: "the recorded suite is not valid: \(first.what); "
                + "this is a bug in conform, please report it with the capture")
    }

    /// Returns a remark if there is no closing window because a capture ends with its last message.
    private static func closing(_ plan: RecordingPlan) -> [String] {
        guard RecordingDraft.quiet(plan) == .zero else { return [] }
        return ["no closing window, because a capture ends with its last message: raise \"quiet\""]
    }

    private static func remarks(
        _ refused: Set<RecordedSteps.Refusal>, _ plan: RecordingPlan
    ) -> [String] {
        refused.sorted { ($0.slot, "\($0.path)") < ($1.slot, "\($1.path)") }.map { refusal in
            let message = plan.sequence.slots[refusal.slot].key.message
            return "not demanded, because the specification does not allow what was seen: "
                + "\(message) \(refusal.path)"
        }
    }
}
