import Results
import SuiteLanguage
import Trace
import Wire

/// Judges any number of cases in parallel on one trace while it is read once.
///
/// It is the only way to a verdict. It takes messages in their order. Live runs, captures, logs and
/// lists of messages differ only in where the messages come from and who executes the demands.
public struct Judge: Sendable {
    /// The result of a case on the trace, or on one part of it.
    public struct Outcome: Sendable {
        /// The case.
        public let prepared: PreparedCase
        /// The part; `nil` for all of the trace.
        public let group: TraceGroup?
        /// The judgement of the case.
        public internal(set) var judgement: Judgement
        /// How many messages there were.
        public let messageCount: Int
        /// When the case began.
        public let start: Timestamp
        /// The evidence for a report; `nil` if none is kept.
        public var evidence: Evidence?
        /// How many parts it stands for, by their verdicts; empty for the outcome of one part.
        public internal(set) var standsFor: [Verdict: Int] = [:]
    }

    /// How a trace is judged.
    public struct Options: Sendable {
        /// The parts of a trace that a case is judged on.
        public var grouping = Grouping.capture
        /// The roles of endpoints, as the user says them.
        public var roles = CaptureRoles()
        /// Whether to keep the messages that a report shows.
        public var keepsEvidence = false
        /// How many parts of the trace are judged at the same time; the oldest are given up first.
        public var partsMax = Int.max
        /// How many parts have outcomes of their own; the gravest of the others stands for them.
        public var listedMax = Int.max
        /// The reason for the verdict on a part that was given up.
        public var partsExcess = "more parts of the trace at the same time than are judged"

        /// Creates options for judging the whole trace without keeping evidence.
        public init() {}
    }

    /// The cases.
    public let cases: [PreparedCase]
    /// The cases on the whole trace; `nil` for other groupings.
    private(set) var whole: CaseSet?
    /// The cases on its parts.
    var parts: TraceParts?
    /// Identifies the parties; `nil` if they were known beforehand.
    private var finder: PartyFinder?
    /// Whether each case's parties are known.
    private(set) var isResolved = false
    /// Messages whose parties are not known yet, and all later messages.
    private(set) var held: [TraceMessage] = []
    /// The slots of connections that the matcher judges and a screen still follows.
    private var slots: [Int: Int] = [:]
    /// The earliest span that was not captured, for each connection and for none.
    private var unseen: [Int?: UnseenSpan] = [:]

    /// The largest number of messages that wait until the parties are known.
    private static let heldCountMax = 65_536

    /// Prepares to judge a trace with known parties.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - parties: The parties of the trace.
    ///   - start: The moment that the first window counts from.
    ///   - keepsEvidence: Whether to keep the messages that a report shows.
    public init(
        _ cases: [PreparedCase], parties: Parties, start: Timestamp, keepsEvidence: Bool = false
    ) {
        self.cases = cases
        whole = CaseSet(
            cases, parties: cases.map { _ in parties }, start: start, keepsEvidence: keepsEvidence)
    }

    /// Prepares to judge a trace of another tool, whose parties are identified while it is read.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - start: When the trace begins.
    ///   - options: How it is judged.
    public init(_ cases: [PreparedCase], start: Timestamp, options: Options) {
        self.cases = cases
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

    /// Whether every case is over; missing packets may still be found later.
    public var isFinished: Bool {
        held.isEmpty && whole?.isFinished == true
    }

    /// Whether nothing that comes later can change an outcome.
    ///
    /// - Parameter mayLack: Whether something that was sent before a moment on one of these
    ///   connections may still turn out not to be captured.
    public func isDecided(mayLack: (Timestamp, Set<Int>) -> Bool) -> Bool {
        guard isFinished, let whole else { return false }
        return whole.isDecided(unseen: unseen.values, mayLack: mayLack)
    }

    /// Takes the next message of the trace.
    ///
    /// - Returns: What the harness must do now.
    public mutating func consume(_ message: TraceMessage) -> CaseMatcher.Consumption {
        guard finder != nil else { return deliver(message) }
        hold(message)
        return CaseMatcher.Consumption()
    }

    /// Takes messages of connections that are followed by headers, and returns settled judgements.
    ///
    /// - Parameters:
    ///   - messages: The messages that the screen wanted, in their order; they are removed.
    ///   - screen: The screen.
    ///   - spans: The parts of the traffic that were not captured.
    ///   - now: The time that the trace has reached.
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
                parts?.consume(message)
                touched.append(flow)
            }
        }
        messages.removeAll(keepingCapacity: true)
        for handover in handovers.values.sorted(by: { $0.flow < $1.flow }) {
            parts?.begin(handover)
        }
        spans.forEach { record($0) }
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

    /// Advances time without a message; an earlier message must not come afterwards.
    public mutating func advance(to now: Timestamp) -> [Demand] {
        held.isEmpty ? whole?.advance(to: now) ?? [] : []
    }

    /// Tells a screen which messages are of interest now.
    public mutating func instruct(_ screen: inout InterestScreen) { screen.instruct(&self) }

    /// Returns the messages of interest to each case from now on; `nil` for all messages.
    mutating func interests() -> [CaseInterest?] {
        whole?.interests() ?? []
    }

    /// Records a part of the traffic that was not captured.
    public mutating func record(_ span: UnseenSpan) {
        parts?.record(span)
        if let other = unseen[span.flow], other.since <= span.since { return }
        unseen[span.flow] = span
    }

    /// Ends judging: nothing more will come.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    ///   - dropped: How many packets the capture lost at unknown places.
    public mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int = 0
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        finish(at: end, cause: cause, dropped: dropped) { outcomes.append($0) }
        return outcomes
    }

    /// Ends judging and reports outcomes one by one, because there may be millions of parts.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    ///   - dropped: How many packets the capture lost at unknown places.
    ///   - report: Called with each outcome, in the order of the parts and of the cases.
    public mutating func finish(
        at end: Timestamp, cause: EndCause, dropped: Int = 0, report: (Outcome) -> Void
    ) {
        if finder != nil { release(isLast: true) }
        parts?.finish(
            at: end, cause: cause,
            general: [nil, UnseenSpan.timeKey, UnseenSpan.clockKey].compactMap { unseen[$0] },
            dropped: dropped, report: report)
        parts = nil
        whole?.finish(at: end, cause: cause, unseen: unseen.values, dropped: dropped)
            .forEach(report)
    }
}

// MARK: - Parties

extension Judge {
    private mutating func deliver(_ message: TraceMessage) -> CaseMatcher.Consumption {
        // In a list of messages or a log, such a message shows what was not captured.
        if message.name == "tcp.gap" { record(UnseenSpan(gap: message)) }
        parts?.consume(message)
        return whole?.consume(message) ?? CaseMatcher.Consumption()
    }

    private mutating func hold(_ message: TraceMessage) {
        let code = cases.first?.protocols.code(ofMessage: message.name)
        if finder?.update(from: message, code) == true { resolve() }
        guard held.isEmpty, isResolved, isDecided(message) else {
            held.append(message)
            return release(isLast: false)
        }
        _ = deliver(message)
    }

    /// Delivers the messages whose parties are known, in their order.
    private mutating func release(isLast: Bool) {
        let isFull = held.count > Self.heldCountMax
        if isLast || isFull { recordUnclear() }
        guard isResolved || isLast || isFull else { return }
        var count = 0
        while count < held.count, isLast || isFull || isDecided(held[count]) {
            _ = deliver(held[count])
            count += 1
        }
        held.removeFirst(count)
    }

    /// Whether the parties of a message are known.
    private func isDecided(_ message: TraceMessage) -> Bool {
        guard let finder, message.source != nil, message.destination != nil else { return true }
        if finder.isDecided(message) { return true }
        func isKnown(_ parties: Parties) -> Bool { parties.concern(message) }
        return whole?.instances.allSatisfy { isKnown($0.parties) } ?? true
            && parts?.parties.allSatisfy(isKnown) ?? true
    }

    /// Whether nothing that comes later can change the roles on a connection.
    func isDecided(_ flow: Int) -> Bool { finder?.isDecided(flow) ?? true }

    /// Sets the parties of each case for which they are known.
    private mutating func resolve() {
        guard let finder else { return }
        let found = cases.map { try? finder.parties(for: $0.testCase) }
        isResolved = found.allSatisfy { $0 != nil }
        whole?.set(found)
        parts?.set(found)
    }

    /// Records the cases whose parties are not clear.
    private mutating func recordUnclear() {
        guard !isResolved else { return }
        finder?.isComplete = true
        resolve()
        guard let finder, !isResolved else { return }
        isResolved = true
        for index in cases.indices {
            do throws(PartyFinder.UnidentifiedParty) {
                _ = try finder.parties(for: cases[index].testCase)
            } catch {
                whole?.set(unclear: error.text, ofCase: index)
                parts?.unclear = error.text
            }
        }
    }
}

extension UnseenSpan {
    /// Creates the span of a gap in a list of messages.
    fileprivate init(gap message: TraceMessage) {
        let count = message.content.fields["bytes"]?.integerValue ?? 0
        self.init(
            cause: .missingBytes(Int(clamping: count)), since: message.time - Limits.tick,
            until: message.time, frame: message.frames.last, flow: message.flow,
            source: message.source, destination: message.destination)
    }
}
