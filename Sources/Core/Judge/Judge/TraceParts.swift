import SuiteLanguage
import TCPIP
import Trace
import Wire

/// The parts of a trace that are judged separately: connections, sessions or devices.
struct TraceParts: Sendable {
    private enum Key: Hashable {
        case connection(Int)
        case session(Int, Int64)
        case device(Endpoint)
    }

    /// One part, and the positions of the cases on it.
    private struct Part {
        var group: TraceGroup
        var set: CaseSet
        /// Whether a message of the peers' protocol was seen, or a device called a peer's port.
        var speaks = false
        /// The first part of each of its connections that was not captured.
        var losses: [Int?: UnseenSpan] = [:]
    }

    /// Messages of a connection that belong to its next session, or to all of its sessions.
    private struct Opening {
        var events: [TraceMessage] = []
        var pending: [TraceMessage] = []
        var sessions: [Int64] = []
    }

    /// An attempt of a connection.
    ///
    /// It is an object, because a table of whole messages is slow to change.
    private final class Attempt: Sendable {
        let message: TraceMessage

        init(_ message: TraceMessage) { self.message = message }
    }

    let cases: [PreparedCase]
    let options: Judge.Options
    private let protocols: Set<String>
    /// The parties of each case; only used for parts by device.
    private(set) var parties: [Parties]
    /// The reason why the parties are not clear.
    var unclear: String?
    private var found: [Key: Part] = [:]
    private var order: [Key] = []
    /// The index in `order` of the first part that may still exist.
    private var oldest = 0
    /// Parts that were given up, and whether the outcomes of their cases were reported.
    ///
    /// Those of a part without a message of the protocol are reported when such a message comes.
    private var givenUp: [Key: Bool] = [:]
    private var openings: [Int: Opening] = [:]
    /// Attempts of connections that are followed by headers: they show the callers.
    private var attempts: [Int: Attempt] = [:]
    /// Closed connections with undecided cases, by the second in which time decides one of them.
    private var lingering: [Int64: [Int]] = [:]
    /// Connections that were handed over and have no part yet; see `ParkedConnection`.
    private var parked: [Int: ParkedConnection] = [:]
    private var nextLook = Timestamp.distantPast
    private var released: [Judge.Outcome] = []
    private var ledger: OutcomeLedger
    /// The spans of connections that were not captured before any message of them was seen.
    private var losses: [Int: UnseenSpan] = [:]

    init(_ cases: [PreparedCase], _ options: Judge.Options) {
        self.cases = cases
        var options = options
        if options.grouping == .session, !cases.contains(where: \.testCase.mayHaveSessions) {
            options.grouping = .connection
        }
        self.options = options
        ledger = OutcomeLedger(listedMax: options.listedMax, caseCount: cases.count)
        parties =
            options.grouping == .device ? cases.map { _ in Parties(peers: [:]) } : []
        protocols = Set(
            cases.flatMap(\.testCase.peers).map(\.shownProtocol))
    }

    mutating func set(_ parties: [Parties?]) {
        for (index, parties) in parties.enumerated() {
            if let parties { self.parties[index] = parties }
        }
    }

    // MARK: - Messages

    /// Passes a message to the part that it belongs to.
    mutating func consume(_ message: TraceMessage) {
        switch options.grouping {
        case .capture: break
        case .connection:
            if let flow = message.flow { consume(message, into: .connection(flow)) }
        case .session: takeOfSession(message)
        case .device:
            guard let device = device(of: message) else { return }
            consume(message, into: .device(device))
        }
    }

    private mutating func consume(_ message: TraceMessage, into key: Key) {
        if case .connection(let flow) = key, parked[flow] != nil {
            if parked[flow]?.consume(message) == true { return }
            unpark(flow)
        }
        if found.index(forKey: key) == nil {
            if let isTold = givenUp[key] { return takeGivenUp(message, of: key, isTold) }
            // An ICMP message about an unknown connection is not relevant.
            guard !(message.content is ICMPUnreachable) else { return }
            begin(key, with: message)
        }
        guard let index = found.index(forKey: key) else { return }
        if !found.values[index].speaks, speaks(message) { found.values[index].speaks = true }
        _ = found.values[index].set.consume(message)
    }

    /// Whether a message is of the peers' protocol, or a device called a peer's port.
    private func speaks(_ message: TraceMessage) -> Bool {
        protocols.contains(message.content.protocolName) || isAtPort(message)
    }

    private func group(of key: Key, first: TraceMessage) -> TraceGroup {
        var group = TraceGroup(flow: first.flow, firstFrame: first.frames.first ?? 0)
        if case .session(_, let number) = key { group.session = number }
        (group.caller, group.callee) = ends(of: first)
        if case .device(let device) = key {
            (group.device, group.flow) = (device, nil)
        }
        return group
    }

    private mutating func begin(_ key: Key, with first: TraceMessage) {
        let group = group(of: key, first: first)
        makeRoom(at: first.time)
        order.append(key)
        var part = part(group, from: first.time)
        if let flow = first.flow, let loss = losses.removeValue(forKey: flow) {
            part.losses[flow] = loss
        }
        found[key] = part
    }

    private func part(_ group: TraceGroup, from start: Timestamp) -> Part {
        let set = CaseSet(
            cases, parties: cases.indices.map { parties(of: group, forCase: $0) },
            start: start,
            keepsEvidence: options.keepsEvidence && found.count < Self.evidenceMax)
        return Part(group: group, set: set)
    }

    /// How many parts keep evidence at the same time.
    private static let evidenceMax = 1_024

    /// Gives up the oldest parts if there are too many.
    private mutating func makeRoom(at now: Timestamp) {
        while found.count + parked.count >= options.partsMax, oldest < order.count {
            let key = order[oldest]
            oldest += 1
            guard let part = removePart(of: key) else { continue }
            givenUp[key] = part.speaks
            giveUp(part, at: now)
        }
        guard oldest > 1024, oldest * 2 > order.count else { return }
        order.removeFirst(oldest)
        oldest = 0
    }

    private mutating func giveUp(_ part: Part, at now: Timestamp) {
        var part = part
        part.set.giveUp(options.partsExcess)
        released += ledger.take(
            Self.outcomes(of: part, at: now, cause: .captureEnded, general: [], dropped: 0))
    }

    /// Takes a message of a part that was given up before the protocol was used in it.
    private mutating func takeGivenUp(_ message: TraceMessage, of key: Key, _ isTold: Bool) {
        guard !isTold, speaks(message) else { return }
        givenUp[key] = true
        var late = part(group(of: key, first: message), from: message.time)
        late.speaks = true
        giveUp(late, at: message.time)
    }

    // MARK: - Sessions

    private mutating func takeOfSession(_ message: TraceMessage) {
        guard let flow = message.flow else { return }
        guard let number = cases.first?.protocols.session(of: message.content) else {
            openings[flow, default: Opening()].events.append(message)
            for session in openings[flow]?.sessions ?? [] {
                consume(message, into: .session(flow, session))
            }
            return
        }
        if number == 0 {
            openings[flow, default: Opening()].pending.append(message)
            return
        }
        if openings[flow]?.sessions.contains(number) != true { open(number, on: flow) }
        consume(message, into: .session(flow, number))
    }

    /// Starts a session with the messages that came before it on its connection.
    private mutating func open(_ number: Int64, on flow: Int) {
        var opening = openings[flow] ?? Opening()
        let before = (opening.events + opening.pending).sorted { $0.number < $1.number }
        opening.pending = []
        opening.sessions.append(number)
        openings[flow] = opening
        for message in before { consume(message, into: .session(flow, number)) }
    }

    // MARK: - Connections that were followed by headers

    /// Records the caller of a connection that is followed by headers.
    mutating func remember(_ attempt: TraceMessage) {
        if let flow = attempt.flow { attempts[flow] = Attempt(attempt) }
    }

    /// Continues with a connection whose headers no longer suffice.
    mutating func begin(_ handover: Handover) {
        let key = Key.connection(handover.flow)
        if let attempt = attempts.removeValue(forKey: handover.flow)?.message {
            guard givenUp[key] != nil else { return park(handover, after: attempt) }
            consume(attempt, into: key)
        }
    }

    private mutating func park(_ handover: Handover, after attempt: TraceMessage) {
        let flow = handover.flow
        makeRoom(at: attempt.time)
        order.append(.connection(flow))
        parked[flow] = ParkedConnection(
            handover, after: attempt, loss: losses.removeValue(forKey: flow))
    }

    /// Creates the part of a parked connection.
    private mutating func unpark(_ flow: Int) {
        guard let connection = parked.removeValue(forKey: flow) else { return }
        found[.connection(flow)] = part(connection)
    }

    private func part(_ connection: ParkedConnection) -> Part {
        let attempt = connection.attempt
        var part = part(
            group(of: .connection(connection.handover.flow), first: attempt), from: attempt.time)
        part.speaks =
            connection.handover.speaks
            || connection.messages.contains { protocols.contains($0.content.protocolName) }
        if let loss = connection.loss { part.losses[attempt.flow] = loss }
        connection.notify(&part.set)
        return part
    }

    /// Removes and returns a part; creates it first if it was parked.
    private mutating func removePart(of key: Key) -> Part? {
        if case .connection(let flow) = key, let connection = parked.removeValue(forKey: flow) {
            return part(connection)
        }
        return found.removeValue(forKey: key)
    }

    /// Whether every case is over on a connection.
    func isFinished(_ flow: Int) -> Bool {
        found[.connection(flow)]?.set.isFinished ?? givenUp[.connection(flow)] ?? false
    }

    /// Records the end of a connection; its cases may have to wait for time to pass.
    mutating func end(_ flow: Int, at now: Timestamp) {
        attempts[flow] = nil
        losses[flow] = nil
        givenUp[.connection(flow)] = nil
        if let index = found.index(forKey: .connection(flow)) { settle(index, flow, at: now) }
        if let connection = parked[flow] {
            lingering[(now + connection.patience).second, default: []].append(flow)
        }
        guard now > nextLook else { return }
        nextLook = now + Self.checkInterval
        releaseLingering(at: now)
    }

    /// How often closed connections are checked.
    private static let checkInterval: Duration = .seconds(1)

    private mutating func releaseLingering(at now: Timestamp) {
        for second in lingering.keys.filter({ $0 < now.second }).sorted() {
            for flow in lingering.removeValue(forKey: second) ?? [] {
                unpark(flow)
                if let index = found.index(forKey: .connection(flow)) {
                    settle(index, flow, at: now)
                }
            }
        }
    }

    /// Advances time on a closed connection: reports its outcomes, or lets it wait for more time.
    private mutating func settle(
        _ index: Dictionary<Key, Part>.Index, _ flow: Int, at now: Timestamp
    ) {
        _ = found.values[index].set.advance(to: now)
        if found.values[index].set.isFinished {
            let part = found.remove(at: index).value
            released += ledger.take(
                Self.outcomes(of: part, at: now, cause: .captureEnded, general: [], dropped: 0))
        } else if let next = found.values[index].set.nextDeadline {
            lingering[next.second, default: []].append(flow)
        }
    }

    // MARK: - Missing traffic and the end

    /// Records a part of a connection that was not captured.
    mutating func record(_ span: UnseenSpan) {
        guard let flow = span.flow else { return }
        if parked[flow] != nil {
            parked[flow]?.record(span)
            return
        }
        var isKnown = false
        for key in keys(of: flow, span) where found[key] != nil {
            isKnown = true
            if let other = found[key]?.losses[flow], other.since <= span.since { continue }
            found[key]?.losses[flow] = span
        }
        if !isKnown, losses[flow].map({ span.since < $0.since }) ?? true { losses[flow] = span }
    }

    private func keys(of flow: Int, _ span: UnseenSpan) -> [Key] {
        switch options.grouping {
        case .capture: return []
        case .connection: return [.connection(flow)]
        case .session: return (openings[flow]?.sessions ?? []).map { .session(flow, $0) }
        case .device:
            return [span.source, span.destination].compactMap { $0?.party }.map(Key.device)
        }
    }

    /// Returns the outcomes of closed connections, since the last call.
    mutating func takeReleased() -> [Judge.Outcome] {
        defer { released = [] }
        return released
    }

    /// Ends judging.
    mutating func finish(
        at end: Timestamp, cause: EndCause, general: [UnseenSpan], dropped: Int,
        report: (Judge.Outcome) -> Void
    ) {
        for (flow, opening) in openings.sorted(by: { $0.key < $1.key })
        where opening.sessions.isEmpty
            && !(opening.pending.isEmpty && !opening.events.contains(where: speaks))
        {
            open(0, on: flow)
        }
        takeReleased().forEach(report)
        for key in order {
            guard let part = removePart(of: key) else { continue }
            let outcomes = Self.outcomes(
                of: part, at: end, cause: cause, general: general, dropped: dropped)
            ledger.take(outcomes).forEach(report)
        }
        ledger.further.forEach(report)
    }

    private static func outcomes(
        of part: Part, at end: Timestamp, cause: EndCause, general: [UnseenSpan], dropped: Int
    ) -> [Judge.Outcome] {
        guard part.speaks else { return [] }
        var set = part.set
        // A clock that was set back before it began does not concern it.
        let unseen = general.filter {
            $0.cause != .clock || $0.frame.map { part.group.firstFrame < $0 } ?? true
        }
        return set.finish(
            at: end, cause: cause, unseen: Array(part.losses.values) + unseen,
            dropped: dropped, group: part.group)
    }
}

extension Timestamp {
    /// Its whole seconds.
    fileprivate var second: Int64 { nanoseconds / 1_000_000_000 }
}
