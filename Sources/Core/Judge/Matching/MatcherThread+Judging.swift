import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Judges one message; returns the line that took it.
    mutating func judge(_ message: PlacedMessage) -> Int? {
        recordAnswer(message)
        switch phase {
        case .finished:
            return nil
        case .failed:
            follow(message)
            return nil
        case .running:
            recordUnread(message)
            if goesOnBeingLost(message) { return nil }
            if judgeBarred(message) || judgeSpecification(of: message) { return nil }
            recordHeard(message)
            let isTakenBeside = beside.isEmpty ? false : offerToParallelSchedules(message)
            guard phase == .running else { return nil }
            if let taken = offer(message) { return taken }
            if phase == .running, !isTakenBeside { judgeUntaken(message) }
        case .closing:
            recordUnread(message)
            if goesOnBeingLost(message) || judgeSpecification(of: message) { return nil }
            judgeUntaken(message)
        }
        return nil
    }

    /// Records a message of the device that violates its specification, if the case forbids that.
    ///
    /// It may be of any protocol, also of one whose messages are otherwise judged only if the case
    /// names them.
    private mutating func judgeSpecification(of message: PlacedMessage) -> Bool {
        guard testCase.violations == .fail, message.showsDevice, !message.isMalformed,
            message.content.violation != nil, !isIgnored(message), !isOverdue(at: message.time)
        else { return false }
        find(.violation, at: message.time, by: message)
        return true
    }

    /// Whether these bytes belong to those that a `lost` step took.
    ///
    /// They do not if the present step describes them.
    private mutating func goesOnBeingLost(_ message: PlacedMessage) -> Bool {
        guard message.isMalformed, !configuration.lostEnds.isEmpty,
            configuration.lostEnds[message.side]?.continues(with: message.message) == true,
            !isDescribed(message)
        else { return false }
        remember(lost: message)
        return true
    }

    /// Whether the present step takes a message by conditions on its fields.
    private func isDescribed(_ message: PlacedMessage) -> Bool {
        guard phase == .running, attempt?.schedule == nil, attempt?.collection == nil,
            let awaited, let window = attempt?.window, let line,
            !awaited.pattern.conditions.isEmpty, isOnConnection(message, of: line),
            case .full = awaited.fit(of: message, bindings: configuration.bindings),
            case .inside = window.placement(of: message.time)
        else { return false }
        return true
    }

    /// Records the end of bytes that belong to a `lost` step.
    private mutating func remember(lost message: PlacedMessage) {
        guard let range = message.message.streamRange else { return }
        configuration.lostEnds[message.side] = Configuration.LostEnd(
            offset: range.upperBound, time: message.message.arrival?.last ?? message.time)
    }

    /// Records that the other side sends something after bytes that a `lost` step took.
    private mutating func recordAnswer(_ message: PlacedMessage) {
        guard !configuration.lostEnds.isEmpty, message.message.streamRange != nil else { return }
        let other = Configuration.StreamSide(
            flow: message.message.flow, source: message.message.destination)
        guard configuration.lostEnds[other]?.answered == nil else { return }
        configuration.lostEnds[other]?.answered =
            message.message.arrival?.first ?? message.time
    }

    /// Fails this thread if a message ends a repetition, because another thread waits for it.
    ///
    /// This thread would have begun another round.
    private mutating func judgeBarred(_ message: PlacedMessage) -> Bool {
        for position in configuration.state?.barred ?? [] {
            guard case .expect(let signature) = program.lines[position].goal,
                isOnConnection(message, of: program.lines[position])
            else { continue }
            switch signature.fit(of: message, bindings: configuration.bindings) {
            case .full: find(.outOfOrder(line: position), at: message.time, by: message)
            case .undecided(let why): find(.undecided(why), at: message.time, by: message)
            case .fieldsDiffer, .otherParties, .otherName, .unbound: continue
            }
            return true
        }
        return false
    }

    /// Whether a message is on the connection that a line demands.
    private func isOnConnection(_ message: PlacedMessage, of line: CaseProgram.Line) -> Bool {
        isOnConnection(message, ofMessageOf: line.connectionLine)
    }

    /// Whether a message is on the connection of the message that a line took, if one is named.
    func isOnConnection(_ message: PlacedMessage, ofMessageOf line: Int?) -> Bool {
        guard let line else { return true }
        guard let flow = configuration.referenced[line]?.flow else { return false }
        return flow == message.message.flow
    }

    /// Offers a message to the present line; returns the line if it took it.
    private mutating func offer(_ message: PlacedMessage) -> Int? {
        guard !isUndemandedCrash(message) else { return nil }
        if attempt?.schedule != nil { return offerToSchedule(message) }
        if attempt?.collection != nil { return offerToCollection(message) }
        guard let awaited, let window = attempt?.window, let line = configuration.position else {
            return nil
        }
        let fit = awaited.fit(of: message, bindings: configuration.bindings)
        switch fit {
        case .full where !isOnConnection(message, of: program.lines[line]):
            let id = program.lines[line].step.connection ?? ""
            let other = Difference(
                party: "on", expected: "the connection of step \(id)",
                actual: "another connection")
            let nearest = NearMiss.closer(
                attempt?.nearest, NearMiss(message.message, .otherParties(other)))
            attempt?.nearest = nearest
        case .full:
            switch window.placement(of: message.time) {
            case .inside where breaksStep(message, line):
                find(.violation, at: message.time, by: message)
            case .inside:
                if judgeTaken(message, by: program.lines[line].isAct ? [] : [awaited]) {
                    return nil
                }
                if message.name == DeviceEvent.exited, !takeAnnouncedExit(of: message) {
                    recordEnd(message)
                }
                recordLost(message)
                complete(at: message.time, by: message.message)
                return line
            case .early(let lead): find(.early(lead), at: message.time, by: message)
            case .late(let lag): find(.late(lag), at: message.time, by: message)
            }
        case .unbound(let reason):
            find(.unbound(reason), at: message.time, by: message)
        case .undecided where !isOnConnection(message, of: program.lines[line]): break
        case .undecided(let reason):
            find(.undecided(reason), at: message.time, by: message)
        case .fieldsDiffer(let differences)
        where program.lines[line].step.isNext && isOnConnection(message, of: program.lines[line]):
            find(.fieldsDiffer(differences), at: message.time, by: message)
        case .otherParties where message.receiver == program.lines[line].step.from:
            break  // A message to the sender is not an attempt of the sender.
        case .fieldsDiffer, .otherParties:
            let nearest = NearMiss.closer(attempt?.nearest, NearMiss(message.message, fit))
            attempt?.nearest = nearest
        case .otherName:
            break
        }
        return nil
    }

    /// Whether a message that a step of the body takes violates its specification, and the case
    /// forbids that (`violations: steps`) unless the step itself has a condition on it.
    private func breaksStep(_ message: PlacedMessage, _ line: Int) -> Bool {
        guard testCase.violations == .steps, message.showsDevice, !message.isMalformed,
            !isInPreamble, message.content.violation != nil, !isIgnored(message),
            case .expect(let signature) = program.lines[line].goal
        else { return false }
        return !signature.pattern.conditions.contains { $0.path == .violation }
    }

    /// Records the end of the bytes that the present line, a `lost` step, takes.
    private mutating func recordLost(_ message: PlacedMessage) {
        guard case .lost? = line?.step.verb else { return }
        remember(lost: message)
    }

    /// The message that the present line waits for; `nil` if it waits for time.
    var awaited: Signature? {
        switch line?.goal {
        case .expect(let signature): signature
        case .act: attempt?.evidence
        case .pause, .schedule, .collect, nil: nil
        }
    }

    /// The names of the messages that the present line waits for; `nil` if any may matter.
    var awaitedNames: [String]? {
        guard branches.isEmpty else { return nil }
        var names: [String] = []
        switch phase {
        case .failed: return nil
        case .closing, .finished: return []
        case .running: break
        }
        switch line?.goal {
        case .expect(let signature): names = [signature.pattern.message]
        case .act: names = attempt?.evidence.map { [$0.pattern.message] } ?? []
        case .schedule(let signature, let schedule):
            names = [signature.pattern.message] + schedule.signNames
        // Silence depends on every message of the device.
        case .collect: return nil
        case .pause, nil: break
        }
        for (position, follower) in beside {
            guard case .schedule(let signature, _) = program.lines[position].goal else { continue }
            names += [signature.pattern.message] + follower.schedule.signNames
        }
        for position in configuration.state?.barred ?? [] {
            guard case .expect(let signature) = program.lines[position].goal else { return nil }
            names.append(signature.pattern.message)
        }
        return names
    }

    /// Whether a device has ended the connection on which a peer would send what the line awaits.
    ///
    /// A peer without code may still send after a FIN, which says only that the device sends no
    /// more (RFC 9293 3.6).
    private func endsAwaited(_ message: PlacedMessage) -> Bool {
        guard let line, !line.isUpToDevice else { return true }
        guard message.receiver == line.step.from,
            message.sender == (line.step.to ?? message.sender)
        else { return false }
        if message.name == "tcp.FIN",
            testCase.peers.contains(where: { $0.name == line.step.from && $0.kind.isScripted })
        {
            return false
        }
        let named = line.connectionLine ?? line.answeredLine
        let flow =
            named.flatMap { configuration.completion(of: $0)?.message?.flow }
            ?? latestFlow(of: line.step.from)
        return flow == nil || flow == message.message.flow
    }

    /// Returns the connection of the last message that a step took from or to a peer.
    private func latestFlow(of peer: String) -> Int? {
        configuration.completions.last {
            guard let message = $0.message, message.flow != nil else { return false }
            let placed = PlacedMessage(message, parties: parties)
            return placed.sender == peer || placed.receiver == peer
        }?.message?.flow
    }

    /// Judges a message that no line takes: first by `never`, then by `ignore`, then by the rest.
    private mutating func judgeUntaken(_ message: PlacedMessage) {
        recordExtra(message)
        if message.endsConnection, message.sender != nil {
            if message.isFromDevice {
                if endsAwaited(message) { attempt?.deviceClosing = message.message }
                record.recordDeparture(message)
            }
            if attempt?.connectionEnd == nil { attempt?.connectionEnd = message }
        }
        let isOverdue = isOverdue(at: message.time)
        if !options.harnessPlaysPeers, !isInPreamble, !isOverdue,
            message.content.carrierFault != nil, !isIgnored(message)
        {
            record.recordCarrierFault(message)
        }
        if !isInPreamble, !isOverdue, let rule = ruleForbidding(message) {
            find(.forbidden(rule: rule), at: message.time, by: message)
        } else if !isInPreamble, !isOverdue, let why = undecidedProhibition(of: message) {
            find(.undecided(why), at: message.time, by: message)
        } else if let failure = failureOfRule(on: message) {
            find(.unbound(failure.description), at: message.time, by: message)
        } else if isIgnored(message) {
            record.ignore(message.message)
        } else if !isOverdue, let why = undecidedIgnoring(of: message) {
            find(.undecided(why), at: message.time, by: message)
        } else if testCase.kind != .ordinary {
            // A rule demands only what it says.
            guard message.isMalformed, message.content.unread != nil, !isOverdue else { return }
            record.recordUnread(message)
        } else if message.name == DeviceEvent.exited {
            let event = message.message.content as? DeviceEvent
            if event?.isCrash != true, takeAnnouncedExit(of: message) {
                return keep(exit: message)
            }
            recordEnd(message)
            if event?.isCrash != true, isPassive, awaitsLater(message) {
                return keep(exit: message)
            }
            let kind = kind(ofExit: message)
            // A device that may end by itself breaks only what a step demands of its end.
            if event?.isExpected ?? false, case .deviceExited = kind, !isAwaited(end: message) {
                return keep(exit: message)
            }
            find(kind, at: message.time, by: message)
        } else if message.name == DeviceEvent.hung {
            find(.deviceHung, at: message.time, by: message)
        } else if message.isMalformed, configuration.malformedSenders.contains(message.sender ?? "")
        {
            record.ignore(message.message)
        } else if message.isMalformed, message.content.unread != nil {
            if !isOverdue { record.recordUnread(message) }
        } else if message.isMalformed, message.sender != nil, !isOverdue, !isConsidered(message) {
            find(.malformed, at: message.time, by: message)
        } else if message.isFromDevice {
            judgeDeviceMessage(message, isOverdue: isOverdue)
        }
    }

    private mutating func judgeDeviceMessage(_ message: PlacedMessage, isOverdue: Bool) {
        guard message.showsDevice, program.judges(message.name), !isConsidered(message),
            !isEarlyAttempt(message)
        else { return }
        if testCase.unexpected == .allow {
            record.ignore(message.message)
        } else if !isOverdue {
            find(kind(ofUnexpected: message), at: message.time, by: message)
        }
    }

    /// Whether a message is an attempt before the schedule that alone names attempts.
    private func isEarlyAttempt(_ message: PlacedMessage) -> Bool {
        guard phase == .running, let position = configuration.position else { return false }
        return program.isAttempt(message.name, before: position)
    }

    /// Whether the present line has missed its deadline.
    ///
    /// Then the case can no longer pass. It is watched only to see whether its message still comes.
    func isOverdue(at time: Timestamp) -> Bool {
        guard phase == .running, awaited != nil, let attempt else { return false }
        return time > attempt.window.latest
    }

    func isWrongInFields(_ message: PlacedMessage) -> Bool {
        guard phase == .running, let awaited else { return false }
        if case .fieldsDiffer = awaited.fit(of: message, bindings: configuration.bindings) {
            return true
        }
        return false
    }

    func isIgnored(_ message: PlacedMessage) -> Bool {
        testCase.ignore.contains {
            $0.means(message, bindings: configuration.bindings)
        }
    }

    // MARK: - The harness's own timing

    /// Checks whether the harness's peers answer in time.
    mutating func watchTime(of message: PlacedMessage, takenBy taken: Int?) {
        guard options.harnessPlaysPeers, let sender = message.sender else { return }
        let line = taken.map { program.lines[$0] }
        guard message.isFromDevice else {
            let isOwnStep = line?.isAct ?? false
            let peers = context.prepared.testCase.peers
            record.lateness.recordAnswer(
                message.message, from: isOwnStep ? nil : sender,
                wanted: peers.first { $0.name == sender }?.latestAnswer ?? .zero)
            return
        }
        guard line?.isAnsweredBySend != true else { return }
        // A request that no step took is answered during the present step, or after the last one.
        let present = self.line ?? program.lines.last
        let tolerance =
            (line ?? present)?.step.tolerance ?? context.prepared.testCase.tolerance
        record.lateness.expectAnswer(
            to: message.message,
            named: context.prepared.protocols.message(named: message.message.name)?.response,
            within: tolerance.bound(for: .zero))
    }
}
