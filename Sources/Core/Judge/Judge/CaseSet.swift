import SuiteLanguage
import Trace
import Wire

/// The cases that a judge judges on the same messages: those of a trace, or of a part of it.
struct CaseSet: Sendable {
    private(set) var instances: [CaseInstance]
    /// The traffic of the parties, one for each different assignment of parties.
    private var traffic = [PartyTraffic()]
    /// The index in `traffic` of each case.
    private var places: [Int]
    let start: Timestamp

    init(
        _ cases: [PreparedCase], parties: [Parties], start: Timestamp, keepsEvidence: Bool
    ) {
        instances = zip(cases, parties).map {
            CaseInstance($0, parties: $1, start: start, keepsEvidence: keepsEvidence)
        }
        places = cases.map { _ in 0 }
        self.start = start
        if cases.count > 1 { separate() }
    }

    /// Whether every case is over.
    var isFinished: Bool { instances.allSatisfy(\.isFinished) }

    /// The next moment at which time changes something.
    var nextDeadline: Timestamp? { instances.lazy.compactMap(\.nextDeadline).min() }

    /// Sets the parties that are known, in the order of the cases.
    mutating func set(_ parties: [Parties?]) {
        for (index, parties) in parties.enumerated() {
            if let parties { instances[index].parties = parties }
        }
        if instances.count > 1 { separate() }
    }

    /// Sets the reason why the parties of a case are not clear.
    mutating func set(unclear text: String, ofCase index: Int) { instances[index].unclear = text }

    /// Sets the reason why the rest of the trace is not examined.
    mutating func giveUp(_ reason: String) {
        for index in instances.indices { instances[index].giveUp(reason) }
    }

    /// Gives cases with different parties their own traffic.
    private mutating func separate() {
        var own: [(place: Int, parties: Parties)] = []
        let separate = instances.indices.map { index in
            let key = (place: places[index], parties: instances[index].parties)
            if let known = own.firstIndex(where: {
                $0.place == key.place && $0.parties == key.parties
            }) {
                return known
            }
            own.append(key)
            return own.count - 1
        }
        traffic = own.map { traffic[$0.place] }
        places = separate
    }

    /// Takes the next message.
    mutating func consume(_ message: TraceMessage) -> CaseMatcher.Consumption {
        let code = instances.first?.prepared.protocols.code(ofMessage: message.name)
        for index in traffic.indices {
            guard let first = places.firstIndex(of: index) else { continue }
            traffic[index].update(from: message, code, instances[first].parties)
        }
        var all = CaseMatcher.Consumption()
        let violation =
            instances.contains(where: \.recordsViolations) ? message.content.violation : nil
        for index in instances.indices {
            let one = instances[index].consume(message, code, violation: violation)
            if !one.demands.isEmpty { all.demands += one.demands }
            all.withholdsAnswer = all.withholdsAnswer || one.withholdsAnswer
            all.taken = all.taken ?? one.taken
        }
        return all
    }

    /// Continues the cases of a connection from the position that a screen has reached.
    ///
    /// - Parameters:
    ///   - marks: The messages that led to this position.
    ///   - attempt: The attempt by which the connection was opened.
    mutating func resume(_ marks: [Handover.Mark], after attempt: TraceMessage) {
        for (number, mark) in marks.enumerated() {
            let index = Int(mark.caseIndex)
            let message = instances[index].resume(mark, number + 2, after: attempt)
            traffic[places[index]].update(
                from: message, instances[index].prepared.protocols.code(ofMessage: message.name),
                instances[index].parties)
        }
    }

    /// Advances time without a message.
    mutating func advance(to now: Timestamp) -> [Demand] {
        var demands: [Demand] = []
        for index in instances.indices { demands += instances[index].advance(to: now) }
        return demands
    }

    /// Returns the messages of interest to each case from now on; `nil` for all messages.
    mutating func interests() -> [CaseInterest?] {
        instances.indices.map { instances[$0].interests() }
    }

    /// Whether nothing that comes later can change an outcome, once all cases are over.
    func isDecided(
        unseen: some Sequence<UnseenSpan>, mayLack: (Timestamp, Set<Int>) -> Bool
    ) -> Bool {
        zip(instances, places).allSatisfy { instance, place in
            guard let time = instance.matcher.decidedAt,
                !instance.awaitsConfusion || traffic[place].conflict != nil
            else { return false }
            return instance.loss(among: unseen, decidedAt: time, traffic[place]) != nil
                || !mayLack(time, traffic[place].flows)
        }
    }

    /// Ends the cases.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    ///   - unseen: What was not captured.
    ///   - dropped: How many packets were lost at unknown places.
    ///   - group: The part of the trace; `nil` for all of it.
    mutating func finish(
        at end: Timestamp, cause: EndCause, unseen: some Sequence<UnseenSpan>, dropped: Int,
        group: TraceGroup? = nil
    ) -> [Judge.Outcome] {
        var descriptions = MessageDescriptions()
        return instances.indices.map { index in
            let (judgement, evidence) = instances[index].finish(
                at: end, cause: cause, unseen: unseen, dropped: dropped, traffic[places[index]],
                &descriptions)
            return Judge.Outcome(
                prepared: instances[index].prepared, group: group, judgement: judgement,
                messageCount: instances[index].messageCount, start: start, evidence: evidence)
        }
    }
}
