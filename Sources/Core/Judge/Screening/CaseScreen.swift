import SuiteLanguage
import Trace
import Wire

/// Judges a case by the headers of messages alone: a fast way to the verdict `pass` only.
///
/// It follows one connection between a device and a peer. Anything that could make `CaseMatcher`
/// find another verdict makes the connection undecided, and only the matcher can judge it. So a
/// capture with many conformant sessions needs the matcher only for the few that may not be
/// conformant.
public struct CaseScreen: Sendable {
    /// The position of a case on one connection.
    public struct Progress: Sendable {
        /// The awaited line; after the last one the closing window runs.
        fileprivate var line: Int32 = 0
        fileprivate var sawDevice = false
        /// How many lines have taken their messages.
        var lineCount: Int32 { line }
        /// Changes when something has come that the matcher must be given.
        var stage: Int32 { line << 1 | (sawDevice ? 1 : 0) }
        /// Whether the closing window has passed without a finding.
        public fileprivate(set) var isOver = false
        /// Whether the matcher must judge the connection.
        public fileprivate(set) var isUndecided = false
        fileprivate let start: Int64
        /// The moment that the times of the awaited line, or the closing window, count from.
        fileprivate var origin: Int64

        /// Starts a case at the time of the connection's first packet, in nanoseconds.
        public init(start: Int64) {
            self.start = start
            origin = start
        }
    }

    /// A step that expects a message.
    private struct Line {
        let code: Int32
        let isFromDevice: Bool
        /// When it may come, counted from the previous line, in nanoseconds.
        let earliest: Int64
        let latest: Int64
        let hasConditions: Bool
    }

    /// A condition of a line.
    private struct Condition {
        let path: FieldPath
        let matcher: ValueMatcher
        /// The way to read it from a message's header; `nil` if no header contains the field.
        let field: ScreenedField?

        init(_ condition: FieldCondition, in protocols: ProtocolRegistry) {
            path = condition.path
            matcher = condition.matcher
            field = protocols.screenedField(condition.path)
        }

        func holds(_ value: Value?) -> Bool { matcher.matches(value, bindings: [:]) }
    }

    private let lines: [Line]
    /// How many messages its steps take.
    var lineCount: Int { lines.count }
    /// The conditions of each line.
    private let conditions: [[Condition]]
    private let preambleCount: Int
    /// Whether the peer calls the device.
    private let isDeviceCalled: Bool
    private let quiet: Int64
    private let timeout: Int64
    /// For each message, whether it has no effect if no line takes it, and the bit `ending`.
    ///
    /// The former is a bit for each sender and part of the case.
    private let inert: [UInt8]
    /// The bit of messages that end a connection, so that an awaited message may not come.
    private static let ending: UInt8 = 1 << 7
    private let protocols: ProtocolRegistry

    static func bit(isFromDevice: Bool, isInBody: Bool) -> UInt8 {
        1 << ((isFromDevice ? 1 : 0) + (isInBody ? 2 : 0))
    }

    /// Prepares a case; `nil` unless it is a plain sequence of expected messages.
    ///
    /// They must be between one device and one peer, and their conditions must not name variables.
    init?(_ prepared: PreparedCase) {
        let (testCase, program) = (prepared.testCase, prepared.program)
        guard testCase.peers.count == 1, let kind = testCase.peers.first?.kind,
            let peer = testCase.peers.first?.name,
            testCase.deviceNames == [Step.device], !testCase.steps.isEmpty,
            (testCase.preamble + testCase.steps).allSatisfy({ $0.parts.isEmpty }),
            !testCase.isQuietToTheEnd, testCase.violations == .report, prepared.rules == nil
        else { return nil }
        var lines: [Line] = []
        var conditions: [[Condition]] = []
        for (index, line) in program.lines.enumerated() {
            guard let made = Self.line(line, at: index, peer: peer, in: prepared.protocols) else {
                return nil
            }
            lines.append(made.line)
            conditions.append(made.conditions)
        }
        // The matcher judges a message that a step takes by the rules, too.
        let isForbidden = program.lines.contains { line in
            guard case .expect(let signature) = line.goal else { return false }
            return testCase.never.contains { rule in
                rule.pattern.covers(signature.pattern.message)
                    && (rule.pattern.from ?? Step.device) == signature.sender
                    && (rule.rate != nil || !signature.pattern.demands(rule.pattern))
            }
        }
        guard !isForbidden else { return nil }
        let rules = testCase.never.map(\.pattern) + testCase.ignore
        guard rules.flatMap(\.conditions).allSatisfy({ $0.matcher.failure([:]) == nil }) else {
            return nil
        }
        self.lines = lines
        self.conditions = conditions
        preambleCount = program.sequence.preambleCount
        isDeviceCalled = kind.callsDevice
        quiet = testCase.quiet.wholeNanoseconds
        timeout = testCase.timeout.wholeNanoseconds
        protocols = prepared.protocols
        inert = protocols.table(0) { name in
            Self.inertness(of: name, in: testCase, program, peer: peer)
                | (name == "tcp.FIN" || name == "tcp.RST" ? Self.ending : 0)
        }
    }

    private static func line(
        _ line: CaseProgram.Line, at index: Int, peer: String, in protocols: ProtocolRegistry
    ) -> (line: Line, conditions: [Condition])? {
        guard case .expect(let signature) = line.goal, case .expect = line.step.verb,
            let code = protocols.code(ofMessage: signature.pattern.message),
            line.sinceLine == nil || line.sinceLine == index - 1,
            signature.sender == Step.device || signature.sender == peer,
            signature.pattern.conditions.allSatisfy({
                $0.matcher.failure([:]) == nil && !$0.matcher.isLimited
            })
        else { return nil }
        let isFromDevice = signature.sender == Step.device
        if let receiver = signature.receiver, receiver != (isFromDevice ? peer : Step.device) {
            return nil
        }
        let window = TimeWindow(of: line.step, origin: Timestamp(nanoseconds: 0))
        let conditions = signature.pattern.conditions.map { Condition($0, in: protocols) }
        let made = Line(
            code: code.index, isFromDevice: isFromDevice,
            earliest: window.earliest?.nanoseconds ?? .min, latest: window.latest.nanoseconds,
            hasConditions: !conditions.isEmpty)
        return (made, conditions)
    }

    static func inertness(
        of name: String, in testCase: TestCase, _ program: CaseProgram, peer: String
    ) -> UInt8 {
        guard !name.standsForLostBytes, name != "tcp.gap" else { return 0 }
        // They end a message that has begun.
        if name.endsBeginning, testCase.peers.contains(where: { $0.stream != nil }) {
            return 0
        }
        var bits: UInt8 = 0
        for isFromDevice in [false, true] {
            let sender = isFromDevice ? Step.device : peer
            let isForbidden = testCase.never.contains {
                $0.pattern.covers(name) && ($0.pattern.from ?? Step.device) == sender
            }
            let isIgnored = testCase.ignore.contains {
                $0.conditions.isEmpty && $0.covers(name) && ($0.from ?? sender) == sender
            }
            let isUnexpected =
                isFromDevice && testCase.unexpected == .fail && program.judges(name) && !isIgnored
            let isWatched = isFromDevice && testCase.violations == .fail
            let isExtra =
                !isFromDevice && !isIgnored && testCase.callsForAnswer(name, from: peer)
            guard !isUnexpected, !isWatched, !isExtra else { continue }
            bits |= bit(isFromDevice: isFromDevice, isInBody: false)
            if !isForbidden { bits |= bit(isFromDevice: isFromDevice, isInBody: true) }
        }
        return bits
    }
}

extension String {
    /// Whether no earlier beginning of a stream message is left after a message of this name.
    fileprivate var endsBeginning: Bool {
        self == "tcp.FIN" || self == "tcp.RST" || hasPrefix(StreamUnit.protocolName + ".")
    }
}

// Methods called for each message are mutating so that the screen is not copied for the call.
extension CaseScreen {
    /// Takes the next message of the connection by its header.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - unit: The message's bytes, as they are given to a screen.
    ///   - isSound: Whether the message is certain to be what its header says.
    ///   - isFromCaller: Whether the end that called sent it.
    ///   - time: When it was complete, in nanoseconds.
    ///   - progress: The position of the case on the connection.
    public mutating func consume(
        _ header: MessageHeader, _ unit: RawSpan, isSound: Bool, isFromCaller: Bool, at time: Int64,
        _ progress: inout Progress
    ) {
        let fits =
            asksForFields(of: header.code, progress)
            ? fit(Int(progress.line), header, unit, isSound: isSound) : nil
        consume(
            header.code, isFromDevice: isFromCaller != isDeviceCalled, at: time, &progress,
            fits: fits
        )
    }

    /// Takes the next message of the connection, or an event of the connection.
    ///
    /// - Parameters:
    ///   - code: Its name.
    ///   - isFromCaller: Whether the end that called sent it.
    ///   - time: When it was complete, in nanoseconds.
    ///   - progress: The position of the case on the connection.
    ///   - content: What was decoded; `nil` if it has no fields, or cannot be decoded.
    public mutating func consume(
        _ code: MessageCode, isFromCaller: Bool, at time: Int64, _ progress: inout Progress,
        content: (any DissectedMessage)? = nil
    ) {
        let fits =
            asksForFields(of: code, progress)
            ? content.map { fit(Int(progress.line), $0) } : nil
        consume(code, isFromDevice: isFromCaller != isDeviceCalled, at: time, &progress, fits: fits)
    }

    /// Whether a message of that name has fields that the awaited line examines.
    private mutating func asksForFields(of code: MessageCode, _ progress: Progress) -> Bool {
        let index = Int(progress.line)
        return index < lines.count && lines[index].code == code.index
            && lines[index].hasConditions && !progress.isUndecided
    }

    /// Takes the next message.
    ///
    /// `fits` is whether the conditions of the awaited line hold. It is `nil` if the line has none,
    /// or if that is not known here.
    private mutating func consume(
        _ code: MessageCode, isFromDevice: Bool, at time: Int64, _ progress: inout Progress,
        fits: Bool?
    ) {
        if progress.isOver || progress.isUndecided { return }
        progress.sawDevice = progress.sawDevice || isFromDevice
        let index = Int(progress.line)
        guard index < lines.count else {
            return close(code, isFromDevice: isFromDevice, at: time, &progress)
        }
        let line = lines[index]
        let elapsed = time - progress.origin
        guard elapsed <= line.latest, time - progress.start <= timeout else {
            progress.isUndecided = true
            return
        }
        if code.index == line.code, isFromDevice == line.isFromDevice {
            switch line.hasConditions ? fits : true {
            case true?:
                guard elapsed >= line.earliest else {
                    progress.isUndecided = true
                    return
                }
                progress.line += 1
                progress.origin = time
                return
            case nil: progress.isUndecided = true
            case false?: break
            }
        }
        let isInBody = index >= preambleCount
        let bit = Self.bit(isFromDevice: isFromDevice, isInBody: isInBody)
        let inert = inert[Int(code.index)]
        if inert & bit == 0 || inert & Self.ending != 0 { progress.isUndecided = true }
    }

    /// Whether the conditions of a line hold; `nil` if that is not known here.
    private mutating func fit(
        _ index: Int, _ header: MessageHeader, _ unit: RawSpan, isSound: Bool
    ) -> Bool? {
        guard isSound else {
            return protocols.message(of: header, in: unit).map { fit(index, $0) }
        }
        for condition in conditions[index] {
            switch condition.field?.value(of: header, in: unit) ?? .undecided {
            case .value(let value): if !condition.holds(value) { return false }
            case .absent: if !condition.holds(nil) { return false }
            case .undecided:
                return protocols.message(of: header, in: unit).map { fit(index, $0) }
            }
        }
        return true
    }

    private mutating func fit(_ index: Int, _ content: any DissectedMessage) -> Bool {
        conditions[index].allSatisfy { $0.holds(content.value(at: $0.path)) }
    }

    private mutating func close(
        _ code: MessageCode, isFromDevice: Bool, at time: Int64, _ progress: inout Progress
    ) {
        if time - progress.origin > quiet {
            progress.isOver = true
        } else if time - progress.start > timeout
            || inert[Int(code.index)] & Self.bit(isFromDevice: isFromDevice, isInBody: true) == 0
        {
            progress.isUndecided = true
        }
    }

    /// Returns the longest time, in nanoseconds, until the case is decided without messages.
    func patience(of progress: Progress) -> Int64 {
        lines[min(Int(progress.line), lines.count)...].reduce(quiet) {
            $0.addingClamped($1.latest)
        }
    }

    /// Whether the case is certain to pass if the trace has reached `time` and nothing was lost.
    public func isPassed(_ progress: Progress, at time: Int64) -> Bool {
        guard !progress.isUndecided, progress.sawDevice, Int(progress.line) == lines.count else {
            return false
        }
        let end = progress.origin + quiet
        return end - progress.start <= timeout && (progress.isOver || time >= end)
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
