import Results
import SuiteLanguage
import TCPIP
import Trace
import Wire

/// The steps of a case, preamble and body in one list, each with its goal.
struct CaseProgram: Sendable {
    /// One step; shared, because many threads use it.
    final class Line: Sendable {
        /// Its place.
        let reference: StepReference
        /// The step itself.
        let step: Step
        /// What it waits for.
        let goal: Goal
        /// Whether a later `send` answers the message that it takes.
        let isAnsweredBySend: Bool
        /// The line whose message it answers.
        let answeredLine: Int?
        /// The line that its times count from, if the step names one.
        let sinceLine: Int?
        /// The line on whose connection its message goes, if the step names one.
        let connectionLine: Int?
        /// Whether times of another line count from it, or a `send` answers its message.
        let isReferenced: Bool
        /// Whether the case may continue without it.
        let isSpare: Bool
        /// The step in suite syntax.
        let text: String
        /// Whether only a device can prevent it from being done.
        let isUpToDevice: Bool

        init(
            _ step: Step, as reference: StepReference, goal: Goal, isUpToDevice: Bool,
            isSpare: Bool, links: Links
        ) {
            self.reference = reference
            self.step = step
            self.goal = goal
            self.isUpToDevice = isUpToDevice
            self.isSpare = isSpare
            text = step.suiteText
            (isAnsweredBySend, answeredLine) = (links.isAnsweredBySend, links.answered)
            (sinceLine, connectionLine) = (links.since, links.connection)
            isReferenced = links.isReferenced
        }

        /// The references between a step and others.
        struct Links {
            let isAnsweredBySend: Bool
            let answered: Int?
            let since: Int?
            let connection: Int?
            let isReferenced: Bool
        }

        /// Whether it waits for a peer's message, or for the evidence of a peer's act.
        var isUpToPeer: Bool {
            switch goal {
            case .expect, .act(evidence: .some): !isUpToDevice
            case .act, .pause, .schedule, .collect: false
            }
        }
    }

    /// The lines, preamble first.
    let lines: [Line]
    /// For each `never` rule the line on whose connection it applies, if the rule names one.
    let ruleLines: [Int?]
    /// For each `never` rule the line from which it applies, if the rule names one.
    let ruleOrigins: [Int?]
    /// The possible orders of the lines.
    let sequence: StepSequence
    /// Lower protocols (`tcp`, `device`) whose events can be unexpected: a step expects one.
    ///
    /// A `never` rule forbids only what it names.
    let namedTransports: Set<String>
    /// Whether the case refers to datagrams, so that one that was not captured matters.
    let namesDatagrams: Bool
    /// For each line with a schedule the later lines that run in parallel to it, for other clients.
    let companions: [Int: [Int]]
    /// The schedules of lines whose clients are watched from the beginning of the case.
    ///
    /// They are watched if there are several clients, so that none counts from another's attempt.
    let watched: [Int: BackoffSchedule]
    /// The messages that steps expect.
    private let expectedNames: Set<String>

    /// The first line that judges attempts by a schedule, by the name of an event of a transport
    /// that no step expects.
    private let scheduleLines: [String: Int]

    /// Protocols whose events are ignored unless the case names one of them.
    private let transports: Set<String>

    /// Events that follow from other events; steps may expect them, but they are never unexpected.
    private static let remarks: Set<String> = [
        "tcp.SYNACK", "tcp.established", "tcp.retransmission", "iap2.retransmission",
    ]

    /// Flattens `testCase`.
    init(_ testCase: TestCase, options: CaseMatcher.Options) {
        sequence = StepSequence(preamble: testCase.preamble, body: testCase.steps)
        let steps = sequence.steps
        let preambleCount = sequence.preambleCount
        let answered = Set(steps.compactMap(\.answering))
        func earlier(_ id: String?, than index: Int) -> Int? {
            id.flatMap { id in steps[..<index].lastIndex { $0.id == id } }
        }
        let origins = steps.indices.map { earlier(steps[$0].since, than: $0) }
        let connections = steps.indices.map { earlier(steps[$0].connection, than: $0) }
        ruleLines = testCase.never.map { earlier($0.connection, than: steps.endIndex) }
        ruleOrigins = testCase.never.map { earlier($0.since, than: steps.endIndex) }
        let referenced = answered.union(
            (origins + connections + ruleLines + ruleOrigins).compactMap { $0 })
        let spare = (testCase.preamble + testCase.steps).sparing
        lines = steps.enumerated().map { number, step in
            let part: StepResult.Part = number < preambleCount ? .preamble : .body
            let goal = Goal(of: step, number: number + 1, in: testCase, options: options)
            let isExpected =
                switch goal {
                case .expect, .schedule, .collect: true
                case .act, .pause: false
                }
            let place = StepReference(
                part: part, index: part == .preamble ? number : number - preambleCount,
                number: number + 1)
            return Line(
                step, as: place, goal: goal,
                isUpToDevice: isExpected && testCase.isDevice(step.from), isSpare: spare[number],
                links: Line.Links(
                    isAnsweredBySend: answered.contains(number), answered: step.answering,
                    since: origins[number], connection: connections[number],
                    isReferenced: referenced.contains(number)))
        }
        companions = Self.companions(in: lines, testCase)
        watched = Self.watched(in: lines)
        var expected: [String] = []
        var scheduled: [String] = []
        for line in lines {
            switch line.goal {
            case .expect(let signature): expected.append(signature.pattern.message)
            case .schedule(let signature, _): scheduled.append(signature.pattern.message)
            case .collect(let signatures, _):
                expected += signatures.map(\.pattern.message)
            case .act, .pause: break
            }
        }
        transports = testCase.known.protocols.transports.union(["device", "log"])
        namedTransports = transports.intersection(expected.map(Self.protocolName))
        expectedNames = Set(expected + scheduled)
        var scheduleLines: [String: Int] = [:]
        for (position, line) in lines.enumerated() {
            guard case .schedule(let signature, _) = line.goal else { continue }
            let name = signature.pattern.message
            guard transports.contains(Self.protocolName(name)), !expected.contains(name),
                scheduleLines[name] == nil
            else { continue }
            scheduleLines[name] = position
        }
        self.scheduleLines = scheduleLines
        namesDatagrams =
            expectedNames.contains { Self.protocolName($0) == "udp" }
            || testCase.known.own.contains { $0.isCarriedByUDP }
            || testCase.never.contains { $0.pattern.covers(UDPDatagram.name) }
            || testCase.rules.contains { $0.names(UDPDatagram.name) }
            || testCase.states.contains {
                $0.updates.contains { $0.pattern.covers(UDPDatagram.name) }
            }
    }

    /// Whether a message of that name can be unexpected at all.
    func judges(_ name: String) -> Bool {
        guard !Self.remarks.contains(name) else { return false }
        let protocolName = Self.protocolName(name)
        guard transports.contains(protocolName), !expectedNames.contains(name) else {
            return true
        }
        return namedTransports.contains(protocolName) && protocolName != "log"
    }

    /// Whether a message is an event of a transport that only a schedule names, which is not yet
    /// reached: a client has to connect before it can lose its connection.
    func isAttempt(_ name: String, before position: Int) -> Bool {
        scheduleLines[name].map { position < $0 } ?? false
    }

    private static func protocolName(_ message: String) -> String {
        String(message.prefix { $0 != "." })
    }
}

extension CaseProgram {
    /// Whether a step waits for a message of that name, or for a silence that it may break.
    func considers(_ name: String) -> Bool {
        lines.contains { line in
            switch line.goal {
            case .expect(let signature): signature.pattern.covers(name)
            case .act(let evidence): evidence?.pattern.covers(name) == true
            case .schedule(let signature, let schedule):
                signature.pattern.covers(name) || schedule.signNames.contains(name)
            case .collect(let signatures, _):
                judges(name) || signatures.contains { $0.pattern.covers(name) }
            case .pause: false
            }
        }
    }
}

extension CaseProgram.Line {
    /// The names of the messages that it expects.
    var awaitedNames: [String] {
        switch goal {
        case .expect(let signature): [signature.pattern.message]
        case .collect(let signatures, _): signatures.map(\.pattern.message)
        case .act, .pause, .schedule: []
        }
    }
}

extension Step {
    /// The index over preamble and body of the step whose message this one answers.
    fileprivate var answering: Int? {
        if case .send(_, _, let answering) = verb { answering } else { nil }
    }
}

extension [Step] {
    /// For each plain step, whether the case may continue without it.
    fileprivate var sparing: [Bool] {
        flatMap { step -> [Bool] in
            guard let group = step.group else { return [false] }
            switch group {
            case .repeatUntil(_, _, let steps):
                return Array<Bool>(repeating: true, count: steps.plain.count) + [false]
            case .optional(let steps): return Array<Bool>(repeating: true, count: steps.plain.count)
            case .repeat(let counts, let steps) where counts.count > 1:
                return Array<Bool>(repeating: true, count: steps.plain.count)
            case .either, .anyOrder, .repeat: return group.parts.flatMap(\.sparing)
            }
        }
    }
}
