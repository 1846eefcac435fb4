import SuiteLanguage
import Trace
import Wire

/// The finding of a thread that fails.
extension MatcherThread {
    /// Fails the thread because of the state at rest.
    mutating func fail(_ failure: Finding.RestFailure, at time: Timestamp, since: Timestamp) {
        guard finding == nil else { return }
        finding = Finding(
            kind: .notAtRest(failure), place: .closing, time: time, origin: since,
            originName: "the last message", message: nil, nearest: nil,
            lastDone: configuration.completions.last?.line)
        phase = .failed(at: time)
    }

    /// Fails the thread for this reason; only the first finding is kept.
    mutating func find(_ kind: Finding.Kind, at time: Timestamp, by message: PlacedMessage? = nil) {
        guard finding == nil else { return }
        let position = phase == .running ? configuration.position : nil
        let closingStart = configuration.completions.last?.time ?? start
        var shown = message
        if case .connectionClosed = kind {
            shown = attempt?.deviceClosing.map { PlacedMessage($0, parties: parties) }
        }
        finding = Finding(
            kind: kind, place: position.map(Finding.Place.line) ?? .closing, time: time,
            origin: position == nil ? closingStart : origin(of: kind),
            originName: originName,
            message: shown, nearest: attempt?.nearest,
            lastDone: configuration.completions.last?.line,
            connectionEnd: attempt?.connectionEnd ?? (line?.isAct == true ? record.departure : nil))
        let (beginning, refusal) = (latestBeginning, record.refusal)
        finding?.beginning = beginning
        finding?.refusal = refusal
        let missing = position == nil ? [] : attempt?.collection?.missing ?? []
        finding?.missing = missing
        let debt = debt(of: kind)
        finding?.debt = debt
        let extra = extra(behind: kind, finding?.message)
        finding?.extra = extra
        if case .missing = kind, let line, line.isUpToPeer, attempt?.nearest != nil {
            let last = configuration.completions.last { completion in
                completion.message.map { PlacedMessage($0, parties: parties).isFromDevice } ?? false
            }?.message
            finding?.refused = last?.content.violation == nil ? nil : last
        }
        if case .forbidden(let rule) = kind, let message {
            let excess = crowds[rule]?.excess(by: message)
            finding?.excess = excess
            let values = testCase.never[rule].pattern.conditions.values(
                of: message.content, bindings: configuration.bindings)
            finding?.forbiddenValues = values
        }
        if case .schedule = kind { isScheduleWatched = options.isFinished }
        phase = .failed(at: time)
    }

    /// The name of the moment from which the times of a finding count.
    var originName: String {
        let last = configuration.completions.last
        if phase == .running, let line, let attempt {
            if let since = line.step.since { return since }
            if attempt.origin != last?.time ?? start { return "its group began" }
        }
        return last.map { "step \(program.lines[$0.line].reference.number)" }
            ?? (testCase.kind == .rule ? "the rule began" : "the case began")
    }

    /// Returns the moment from which the times of a finding at the present line count.
    func origin(of kind: Finding.Kind) -> Timestamp {
        guard let origin = attempt?.origin else { return start }
        switch kind {
        case .missing, .late: return deadlineOrigin(of: origin)
        default: return origin
        }
    }

    /// Returns the message that a peer owes when the device continues without it.
    ///
    /// It exists only in a trace of another tool, because the harness's own peers send what they
    /// owe.
    func debt(of kind: Finding.Kind) -> Finding.OwedMessage? {
        guard !options.harnessPlaysPeers, let line, line.isUpToPeer, let attempt, let awaited
        else { return nil }
        switch kind {
        case .outOfOrder, .repeated, .unexpected, .connectionClosed:
            return Finding.OwedMessage(
                awaited: awaited,
                until: hasForfeited(awaited.sender) ? start : attempt.window.latest)
        default: return nil
        }
    }

    /// Whether a peer has ended its connection, or answered otherwise, in place of what it owes.
    private func hasForfeited(_ peer: String) -> Bool {
        [attempt?.connectionEnd?.message, attempt?.nearest?.message].contains { message in
            message.map {
                PlacedMessage($0, parties: parties).sender == peer
                    && answersEarlier($0, from: peer)
            } ?? false
        }
    }
}
