import Results

/// A line of the ladder: expected and actual, or something between the steps.
struct LadderLine {
    /// What the line shows.
    enum Kind: Equatable {
        /// A step, a message, or both.
        case row(AlignmentRow.Mark)
        /// A message that no step waits for.
        case background
        /// Messages that are ignored, or events of the transport or the device.
        case folded([String])
        /// The number of messages that were omitted.
        case omitted(Int)
    }

    var kind: Kind
    /// The step's number, counted from 1, and the step.
    var step: (number: Int, result: StepResult)?
    /// The message.
    var message: EvidenceMessage?
    /// Its time in seconds from the origin of the evidence; `nil` if it did not happen.
    var seconds: Double?
    /// Whether this is the first divergence of expected and actual.
    var isDivergence = false

    /// Returns the ladder of a case, from its first message to the last step.
    static func lines(of result: CaseResult, _ evidence: Evidence) -> [LadderLine] {
        var builder = LadderBuilder(result, evidence)
        return builder.lines()
    }
}

/// Places the messages without a row between those with a row.
private struct LadderBuilder {
    private let result: CaseResult
    private let evidence: Evidence
    private let messages: [Int: EvidenceMessage]
    private var between: ArraySlice<EvidenceMessage>
    private var lastNumber = 0
    private var gapsLeft: Int
    private var built: [LadderLine] = []

    init(_ result: CaseResult, _ evidence: Evidence) {
        self.result = result
        self.evidence = evidence
        messages = Dictionary(evidence.messages.map { ($0.number, $0) }) { first, _ in first }
        let placed = Set(evidence.rows.compactMap(\.message))
        between = evidence.messages.filter { !placed.contains($0.number) }[...]
        gapsLeft = evidence.omittedMessages
    }

    mutating func lines() -> [LadderLine] {
        var hasDiverged = result.verdict == .pass
        for row in evidence.rows {
            if let number = row.message {
                lay(upTo: number)
            } else if row.mark == .notReached {
                lay(upTo: .max)
            } else if let time = Self.moment(of: row.mark, step(row)?.result.timing) {
                lay(until: time)
            }
            var line = line(of: row)
            if !hasDiverged, row.mark == .missing || row.mark == .extra {
                line.isDivergence = true
                hasDiverged = true
            }
            if row.mark == .ignored, let name = line.message?.name {
                fold(name)
            } else {
                built.append(line)
            }
        }
        lay(upTo: .max)
        return built
    }

    /// Returns the time of a row without a message: when its step was completed, or when its window
    /// ended.
    private static func moment(of mark: AlignmentRow.Mark, _ timing: StepTiming?) -> Double? {
        timing?.actual ?? (mark == .missing ? timing?.latest : nil)
    }

    private func line(of row: EvidenceRow) -> LadderLine {
        let message = row.message.flatMap { messages[$0] }
        let step = step(row)
        return LadderLine(
            kind: .row(row.mark), step: step, message: message,
            seconds: message?.seconds ?? (row.mark == .match ? step?.result.timing?.actual : nil))
    }

    private func step(_ row: EvidenceRow) -> (number: Int, result: StepResult)? {
        row.step.flatMap { number in
            result.steps.indices.contains(number - 1) ? (number, result.steps[number - 1]) : nil
        }
    }

    private mutating func lay(upTo number: Int) {
        while let message = between.first, message.number < number { layNext(message) }
        recordGap(before: number)
    }

    private mutating func lay(until time: Double) {
        while let message = between.first, message.seconds < time { layNext(message) }
    }

    private mutating func layNext(_ message: EvidenceMessage) {
        between.removeFirst()
        recordGap(before: message.number)
        if message.isBesideTheProtocol || result.ignored[message.name] != nil {
            fold(message.name)
        } else {
            built.append(
                LadderLine(kind: .background, message: message, seconds: message.seconds))
        }
    }

    /// Adds a line where messages were omitted: only there the numbers of messages have a gap.
    private mutating func recordGap(before number: Int) {
        guard number != .max else { return }
        if gapsLeft > 0, lastNumber > 0, number > lastNumber + gapsLeft {
            built.append(LadderLine(kind: .omitted(gapsLeft)))
            gapsLeft = 0
        }
        lastNumber = max(lastNumber, number)
    }

    private mutating func fold(_ name: String) {
        if case .folded(let names)? = built.last?.kind {
            built[built.count - 1].kind = .folded(names + [name])
        } else {
            built.append(LadderLine(kind: .folded([name])))
        }
    }
}

extension EvidenceMessage {
    /// Whether it is an event of the transport or of the device, not a protocol message.
    var isBesideTheProtocol: Bool {
        name.hasPrefix("tcp.") && name != "tcp.data" || name.hasPrefix("device.")
    }
}
