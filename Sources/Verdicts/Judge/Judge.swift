import Results
import Suites
import Trace
import Wire

/// Judges any number of cases on one trace, side by side, while it is read once: the only way to a
/// verdict.
///
/// Messages go in, in their order; what differs between a live run, captures, logs and lists of
/// messages is where they come from and who heeds the demands.
public struct Judge: Sendable {
    /// What a case came to on the trace, or on one part of it.
    public struct Outcome: Sendable {
        /// The case.
        public let prepared: PreparedCase
        /// The part; `nil` for all of the trace.
        public let group: TraceGroup?
        /// What is said of it.
        public let judgement: Judgement
        /// How many messages there were.
        public let messageCount: Int
        /// When the case began.
        public let start: Timestamp
        /// What a report shows of it; `nil` unless evidence is kept.
        public var evidence: Evidence?
    }

    /// How a trace is judged.
    public struct Options: Sendable {
        /// What a case is judged on.
        public var grouping = Grouping.capture
        /// Who is who, as the user says it.
        public var roles = CaptureRoles()
        /// Whether the messages that a report shows are kept.
        public var keepsEvidence = false
        /// Parts of the trace that are judged at the same time; of more the oldest are given up.
        public var partsMax = Int.max
        /// What a case says of a part that was given up.
        public var partsExcess = "more parts of the trace at the same time than are judged"

        /// Makes options: all of the trace, and nothing kept.
        public init() {}
    }

    /// The cases.
    public let cases: [PreparedCase]
    let options: Options
    /// The cases on the whole trace; `nil` for other groupings.
    private(set) var whole: CaseSet?
    /// The cases on its parts.
    var parts: TraceParts?
    /// Finds out who is who; `nil` if that was known beforehand.
    private var finder: PartyFinder?
    /// Whether each case's parties are known.
    private(set) var isResolved = false
    /// Messages of which it is not known yet whose they are, and all that came after them.
    private(set) var held: [TraceMessage] = []
    private let start: Timestamp
    /// The slots of connections that the matcher judges and a screen follows.
    private var slots: [Int: Int] = [:]
    /// What the capture does not show: for each connection, and of none, what began first.
    private var unseen: [Int?: UnseenSpan] = [:]

    /// How many messages wait until it is known who is who.
    private static let heldCountMax = 65_536

    /// Prepares to judge a trace of which it is known who is who.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - parties: Who is who.
    ///   - start: The moment that the first window counts from.
    ///   - keepsEvidence: Whether the messages that a report shows are kept.
    public init(
        _ cases: [PreparedCase], parties: Parties, start: Timestamp, keepsEvidence: Bool = false
    ) {
        self.cases = cases
        self.start = start
        options = Options()
        whole = CaseSet(
            cases, parties: cases.map { _ in parties }, start: start, keepsEvidence: keepsEvidence)
    }

    /// Prepares to judge a trace of others; who is who is found out while it is read.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - start: When the trace begins.
    ///   - options: How it is judged.
    public init(_ cases: [PreparedCase], start: Timestamp, options: Options) {
        self.cases = cases
        self.start = start
        self.options = options
        switch options.grouping {
        case .capture:
            finder = PartyFinder(cases, roles: options.roles)
            whole = CaseSet(
                cases, parties: cases.map { _ in Parties(peers: [:]) }, start: start,
                keepsEvidence: options.keepsEvidence)
            resolve()
        case .device:
            finder = PartyFinder(cases, roles: options.roles)
            parts = TraceParts(cases, options)
            resolve()
        case .connection, .session:
            parts = TraceParts(cases, options)
        }
    }

    /// The next moment at which `advance(to:)` changes something; `nil` if only a message can.
    public var nextDeadline: Timestamp? { whole?.nextDeadline }

    /// Whether every case is over; what is not captured may still come to light.
    public var isFinished: Bool {
        held.isEmpty && whole?.isFinished == true
    }

    /// Whether nothing that comes later can change an outcome.
    ///
    /// - Parameter mayLack: Whether something may yet come to light that was sent before a moment on
    ///   one of these connections and not captured.
    public func isDecided(mayLack: (Timestamp, Set<Int>) -> Bool) -> Bool {
        guard isFinished, let whole else { return false }
        return whole.isDecided(unseen: unseen.values, mayLack: mayLack)
    }

    /// Takes the next message of the trace.
    ///
    /// - Returns: What the harness has to do now.
    public mutating func consume(_ message: TraceMessage) -> CaseMatcher.Consumption {
        guard finder != nil else { return deliver(message) }
        hold(message)
        return CaseMatcher.Consumption()
    }

    /// Takes what a trace shows of connections that are followed by their heads: each judgement comes
    /// out as soon as it is settled.
    ///
    /// - Parameters:
    ///   - messages: The messages that the screen wanted, in their order; they are taken out.
    ///   - screen: The screen.
    ///   - spans: What was found not to be captured.
    ///   - now: How far the trace has come.
    public mutating func consume(
        _ messages: inout [TraceMessage], of screen: inout ConnectionScreen,
        unseen spans: [UnseenSpan], at now: Timestamp
    ) -> [Outcome] {
        var handovers: [Int: Handover] = [:]
        for handover in screen.takeHandovers() {
            handovers[handover.flow] = handover
            slots[handover.flow] = handover.slot
        }
        var touched = Array(handovers.keys)
        for message in messages {
            guard let flow = message.flow else { continue }
            if message.name == "tcp.SYN", slots[flow] == nil || handovers[flow] != nil {
                parts?.remember(message)
            } else {
                if let handover = handovers.removeValue(forKey: flow) { parts?.begin(handover) }
                parts?.take(message)
                touched.append(flow)
            }
        }
        messages.removeAll(keepingCapacity: true)
        for handover in handovers.values.sorted(by: { $0.flow < $1.flow }) {
            parts?.begin(handover)
        }
        spans.forEach { note($0) }
        for flow in touched where parts?.isFinished(flow) == true {
            guard let slot = slots.removeValue(forKey: flow) else { continue }
            screen.leave(flow, slot: slot)
        }
        for flow in screen.takeEnded() {
            slots[flow] = nil
            parts?.end(flow, at: now)
        }
        return parts?.takeReleased() ?? []
    }

    /// Lets time pass without a message; one that is earlier must not come afterwards.
    public mutating func advance(to now: Timestamp) -> [Demand] {
        held.isEmpty ? whole?.advance(to: now) ?? [] : []
    }

    /// Says to a screen what is of interest now.
    public mutating func instruct(_ screen: inout InterestScreen) { screen.instruct(&self) }

    /// What is of interest to each case from now on; `nil` for everything.
    mutating func look() -> [CaseInterest?] {
        whole?.look() ?? []
    }

    /// Takes note of what the capture does not show.
    public mutating func note(_ span: UnseenSpan) {
        parts?.note(span)
        if let other = unseen[span.flow], other.since <= span.since { return }
        unseen[span.flow] = span
    }

    /// Ends judging: nothing more will come.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
    ///   - dropped: How many packets the capture lost, somewhere.
    public mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int = 0
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        finish(at: end, cause: cause, dropped: dropped) { outcomes.append($0) }
        return outcomes
    }

    /// Ends judging and reports each outcome by itself, because there may be millions of parts.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
    ///   - dropped: How many packets the capture lost, somewhere.
    ///   - report: Takes each outcome, in the order of the parts and of the cases.
    public mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int = 0, report: (Outcome) -> Void
    ) {
        if finder != nil { release(isLast: true) }
        parts?.finish(
            at: end, cause: cause, general: unseen[nil], dropped: dropped, report: report)
        parts = nil
        whole?.finish(at: end, cause: cause, unseen: unseen.values, dropped: dropped)
            .forEach(report)
    }
}

// MARK: - Who is who

extension Judge {
    private mutating func deliver(_ message: TraceMessage) -> CaseMatcher.Consumption {
        // A list of messages, or a log, says by such a message what was not captured.
        if message.name == "tcp.gap" { note(UnseenSpan(gap: message)) }
        parts?.take(message)
        return whole?.take(message) ?? CaseMatcher.Consumption()
    }

    private mutating func hold(_ message: TraceMessage) {
        let code = cases.first?.protocols.code(ofMessage: message.name)
        if finder?.learn(from: message, code) == true { resolve() }
        guard held.isEmpty, isResolved, isDecided(message) else {
            held.append(message)
            return release(isLast: false)
        }
        _ = deliver(message)
    }

    /// Delivers the messages of which it is known whose they are, in their order.
    private mutating func release(isLast: Bool) {
        let isFull = held.count > Self.heldCountMax
        if isLast || isFull { noteUnclear() }
        guard isResolved || isLast || isFull else { return }
        var count = 0
        while count < held.count, isLast || isFull || isDecided(held[count]) {
            _ = deliver(held[count])
            count += 1
        }
        held.removeFirst(count)
    }

    /// Whether it is known whose a message is.
    private func isDecided(_ message: TraceMessage) -> Bool {
        guard let finder, let source = message.source, let destination = message.destination
        else { return true }
        if finder.isDecided(message) { return true }
        func isKnown(_ parties: Parties) -> Bool {
            parties.peer(at: source) != nil || parties.peer(at: destination) != nil
        }
        return whole?.instances.allSatisfy { isKnown($0.parties) } ?? true
            && parts?.parties.allSatisfy(isKnown) ?? true
    }

    /// Whether nothing that comes later can say more about who is who on a connection.
    func isDecided(_ flow: Int) -> Bool { finder?.isDecided(flow) ?? true }

    /// Takes over who is who for each case of which that is known by now.
    private mutating func resolve() {
        guard let finder else { return }
        let found = cases.map { try? finder.parties(for: $0.testCase) }
        isResolved = found.allSatisfy { $0 != nil }
        whole?.set(found)
        parts?.set(found)
    }

    /// Notes the cases of which it is not clear who is who.
    private mutating func noteUnclear() {
        guard !isResolved else { return }
        resolve()
        guard let finder, !isResolved else { return }
        isResolved = true
        for index in cases.indices {
            do throws(PartyFinder.Unclear) {
                _ = try finder.parties(for: cases[index].testCase)
            } catch {
                whole?.set(unclear: error.text, ofCase: index)
                parts?.unclear = error.text
            }
        }
    }
}

extension UnseenSpan {
    /// What a gap in a list of messages says.
    fileprivate init(gap message: TraceMessage) {
        let count = message.content.fields["bytes"]?.integerValue ?? 0
        self.init(
            cause: .missingBytes(Int(clamping: count)), since: message.time - Limits.tick,
            until: message.time, frame: message.frames.last, flow: message.flow,
            source: message.source, destination: message.destination)
    }
}
