import Results
import SuiteLanguage
import Trace
import Wire

/// Expected next to actual: the taken messages, the first divergence, and a little of what follows.
struct Alignment: Sendable {
    private let program: CaseProgram
    private let origin: Timestamp
    private let bindings: [String: Value]
    private(set) var rows: [AlignmentRow] = []
    /// The same rows by the numbers of steps and messages.
    private(set) var links: [EvidenceRow] = []
    /// The next line that is in no row yet.
    private var next = 0

    /// Aligns the record of a case with its program.
    ///
    /// `finding` is the end of the case; `nil` for a pass.
    init(
        program: CaseProgram, record: CaseRecord, finding: Finding?, bindings: [String: Value],
        start: Timestamp
    ) {
        self.program = program
        self.bindings = bindings
        origin = record.firstTime ?? start
        for entry in record.entries.elements { add(entry) }
        switch finding?.place {
        case .line(let position): next = position
        case .closing: next = program.lines.count
        case nil: break
        }
        if let finding { diverge(finding) }
        for message in record.aftermath { follow(message, passing: .notReached) }
        let done = record.entries.elements.compactMap { entry in
            switch entry {
            case .taken(let line, _), .done(let line): line
            case .ignored: nil as Int?
            }
        }
        let isDone = Set(done)
        while next < program.lines.count {
            if isDone.contains(next) {
                next += 1
                continue
            }
            add(.notReached, line: next, message: nil)
            next += 1
        }
    }

    private mutating func add(_ entry: CaseRecord.Entry) {
        switch entry {
        case .taken(let line, let message):
            add(.match, line: line, message: message)
            next = line + 1
        case .done(let line):
            add(.match, line: line, message: nil)
            next = line + 1
        case .ignored(let message):
            add(.ignored, line: nil, message: message)
        }
    }

    private mutating func diverge(_ finding: Finding) {
        switch finding.kind {
        case .fieldsDiffer, .early, .late, .schedule:
            add(.missing, line: next, message: finding.message?.message)
            next += 1
        case .missing, .connectionClosed:
            add(.missing, line: next, message: nil)
            next += 1
            for message in [finding.message, finding.beginning].compactMap(\.self) {
                add(.extra, line: nil, message: message.message)
            }
        case .captureEnded, .timeout, .interrupted, .unbound, .nothingToJudge, .actsSkipped,
            .deviceUnseen, .ambiguous, .tooManyThreads:
            break
        case .violation:
            if let message = finding.message { add(.extra, line: nil, message: message.message) }
        default:
            if let message = finding.message { follow(message, passing: .missing) }
        }
    }

    /// Adds a message next to the next line that expects it but was not reached.
    ///
    /// Skipped lines get a mark.
    private mutating func follow(_ message: PlacedMessage, passing mark: AlignmentRow.Mark) {
        let match = program.lines.indices.dropFirst(next).first { line in
            guard case .expect(let signature) = program.lines[line].goal,
                case .full = signature.fit(of: message, bindings: bindings)
            else { return false }
            return true
        }
        guard let match else { return add(.extra, line: nil, message: message.message) }
        for line in next..<match { add(mark, line: line, message: nil) }
        add(.unjudged, line: match, message: message.message)
        next = match + 1
    }

    private mutating func add(_ mark: AlignmentRow.Mark, line: Int?, message: TraceMessage?) {
        let expected = line.flatMap { program.lines.indices.contains($0) ? program.lines[$0] : nil }
        let fields = expected?.step.conditions.map(\.path) ?? []
        links.append(
            EvidenceRow(mark, step: expected?.reference.number, message: message?.number))
        rows.append(
            AlignmentRow(
                mark, expected: expected?.text,
                actual: message.map { MessageText.text(of: $0, showing: fields) },
                seconds: message.map { TimeText.number($0.time - origin) },
                frames: message?.frames ?? []))
    }
}
