import SuiteLanguage
import Wire

/// What the page of a case shows besides its trace; it is not part of the verdict.
public struct CaseNotes: Sendable, Codable, Hashable {
    /// What the case demands in plain sentences, line by line as `conform explain` prints them.
    public var demands: [String]
    /// The lines of the suite at which the case failed; `nil` for a pass.
    public var source: SourceExcerpt?
    /// The verdicts of earlier runs, the oldest first.
    public var earlier: [EarlierVerdict]

    /// Creates notes.
    public init(
        demands: [String] = [], source: SourceExcerpt? = nil, earlier: [EarlierVerdict] = []
    ) {
        self.demands = demands
        self.source = source
        self.earlier = earlier
    }
}

/// Some lines of a suite around a position.
public struct SourceExcerpt: Sendable, Codable, Hashable {
    /// The position, which is in one of the lines.
    public var position: SourcePosition
    /// The number of the first line, counted from 1.
    public var first: Int
    /// The lines, without line ends.
    public var lines: [String]

    private static let lineCountMax = 14
    private static let lineLengthMax = 200

    /// Creates the excerpt with the line before a position, its line, and the lines of the same
    /// element after it; `nil` if the text has no such line.
    public init?(of text: [Substring], at position: SourcePosition) {
        let index = position.line - 1
        guard text.indices.contains(index), position.column > 0 else { return nil }
        let inside = text[(index + 1)...].prefix(Self.lineCountMax - 2).prefix { line in
            let indent = line.prefix { $0 == " " }.count
            return indent < line.count && indent >= position.column - 1
        }
        let start = max(0, index - 1)
        self.position = position
        first = start + 1
        lines = (text[start...index] + inside).map { String($0.prefix(Self.lineLengthMax)) }
    }
}

/// The verdict on a case in an earlier run.
public struct EarlierVerdict: Sendable, Codable, Hashable {
    /// The name of the run.
    public var run: String
    /// When the run began.
    public var started: Moment
    /// The verdict.
    public var verdict: Verdict
    /// How long the case took, in seconds.
    public var seconds: Double

    /// Creates a verdict.
    public init(run: String, started: Moment, verdict: Verdict, seconds: Double) {
        self.run = run
        self.started = started
        self.verdict = verdict
        self.seconds = seconds
    }
}
