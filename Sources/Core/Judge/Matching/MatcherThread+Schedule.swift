import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    // MARK: - Beginning

    /// Starts to follow the schedules of the present line and of the lines in parallel to it.
    ///
    /// The previous step was done at `origin` and took `last`.
    mutating func beginSchedule(origin: Timestamp, after last: TraceMessage?) {
        guard let position = configuration.position, case .schedule? = line?.goal else { return }
        let placed = last.map { PlacedMessage($0, parties: parties) }
        let known = beside[position]
        let own =
            known?.isJudging == true
            ? known : follower(of: position, origin: origin, after: placed)
        beside[position] = nil
        attempt?.schedule = own
        for other in program.companions[position] ?? [] where beside[other]?.isJudging != true {
            let begun = follower(of: other, origin: origin, after: placed)
            beside[other] = begun
        }
    }

    private mutating func follower(
        of position: Int, origin: Timestamp, after last: PlacedMessage?
    ) -> ScheduleFollower? {
        guard case .schedule(let signature, var schedule) = program.lines[position].goal else {
            return nil
        }
        if let saved = schedule.savedBase {
            let number = configuration.bindings[saved.variable].flatMap {
                schedule.duration($0, saved.unit)
            }
            guard let number else {
                find(.unbound("the variable \(saved.variable) has no value"), at: origin)
                return nil
            }
            schedule = schedule.with(base: number)
            schedule.savedBase = nil
        }
        let known = last.map { roles(of: $0, for: schedule, signature) } ?? []
        let isOther =
            known.isEmpty
            && last.map { $0.name == schedule.attempt || schedule.considers($0.name) } ?? false
        var result =
            ScheduleFollower(watching: schedule, at: origin).continuing(beside[position])
        result.begin(origin: origin, after: last?.message, as: known, isOther: isOther)
        return result
    }

    // MARK: - Messages

    /// Returns the roles of a message in a schedule.
    private func roles(
        of message: PlacedMessage, for schedule: BackoffSchedule, _ signature: Signature
    ) -> ScheduleFollower.Roles {
        if case .full = signature.fit(of: message, bindings: configuration.bindings) {
            return .attempt
        }
        guard isAbout(signature, message) else { return [] }
        var roles: ScheduleFollower.Roles = []
        if isMeant(message, by: schedule.successSign) { roles.insert(.success) }
        if schedule.failures.contains(where: { isMeant(message, by: $0) }) {
            roles.insert(.failure)
        }
        if schedule.watchesHandshake, message.name == BackoffSchedule.finishedHandshake {
            roles.insert(.success)
        }
        if BackoffSchedule.plainData.contains(message.name) {
            roles.insert(message.sender == signature.sender ? .requested : .answered)
        }
        return roles
    }

    /// Whether a message concerns the client of a schedule, or at least no other client.
    private func isAbout(_ signature: Signature, _ message: PlacedMessage) -> Bool {
        guard message.concernsParties else { return false }
        return [message.sender, message.receiver].compactMap { $0 }.allSatisfy { party in
            party == signature.sender
                || !testCase.isDevice(party) && party == signature.receiver ?? party
        }
    }

    private func isMeant(_ message: PlacedMessage, by sign: BackoffSchedule.Sign) -> Bool {
        guard message.name == sign.message, sign.from.map({ $0 == message.sender }) ?? true else {
            return false
        }
        guard !sign.conditions.isEmpty else { return true }
        if case .holds = sign.conditions.comparison(
            with: message.content, bindings: configuration.bindings)
        {
            return true
        }
        return false
    }

    /// Returns why the role of a message in a schedule is not decided; `nil` if it is.
    func undecided(
        _ message: PlacedMessage, by schedule: BackoffSchedule, _ signature: Signature
    ) -> String? {
        if case .undecided(let why) = signature.fit(of: message, bindings: configuration.bindings) {
            return why
        }
        let signs =
            [schedule.successSign] + schedule.failures + [schedule.hint?.sign].compactMap(\.self)
        for sign in signs where sign.conditions.contains(where: \.matcher.isLimited) {
            guard message.name == sign.message, sign.from.map({ $0 == message.sender }) ?? true,
                case .undecided(let why) = sign.conditions.comparison(
                    with: message.content, bindings: configuration.bindings)
            else { continue }
            return why
        }
        return nil
    }

    /// Returns the information of a message about the next wait.
    private func hint(
        _ message: PlacedMessage, _ schedule: BackoffSchedule
    ) -> ScheduleFollower.Hint? {
        guard let hint = schedule.hint, isMeant(message, by: hint.sign),
            let value = message.content.field(hint.field), value != .null
        else { return nil }
        return schedule.duration(value, hint.unit).map(ScheduleFollower.Hint.wait) ?? .unread
    }

    /// Offers a message to the schedule of the present line; returns the line if it took it.
    mutating func offerToSchedule(_ message: PlacedMessage) -> Int? {
        guard let position = configuration.position, var follower = attempt?.schedule,
            case .schedule(let signature, _)? = line?.goal
        else { return nil }
        if case .unbound(let name) = signature.fit(of: message, bindings: configuration.bindings) {
            find(.unbound(name), at: message.time, by: message)
            return nil
        }
        if let why = undecided(message, by: follower.schedule, signature) {
            find(.undecided(why), at: message.time, by: message)
            return nil
        }
        let known = roles(of: message, for: follower.schedule, signature)
        // Only a message about the client's own connections can be the end of one of them.
        guard known == .attempt || message.concernsParties else { return nil }
        let outcome = follower.consume(
            message.message, as: known, hint: hint(message, follower.schedule))
        attempt?.schedule = follower
        record.record(follower, line: position)
        if outcome == .taken || outcome == .done, judgeTaken(message, by: [signature]) {
            return nil
        }
        switch outcome {
        case .passed: return nil
        case .taken:
            record.complete(line: position, by: message.message)
            configuration.recordTaken()
            return position
        case .done:
            complete(at: message.time, by: message.message)
            return position
        case .violated(let violation):
            find(.schedule(violation), at: message.time, by: message)
            return nil
        }
    }

    /// Offers a message to the schedules of other lines; returns whether one of them took it.
    mutating func offerToParallelSchedules(_ message: PlacedMessage) -> Bool {
        var isTaken = false
        for (position, var follower) in beside.sorted(by: { $0.key < $1.key }) {
            guard case .schedule(let signature, _) = program.lines[position].goal else { continue }
            if let why = undecided(message, by: follower.schedule, signature) {
                turn(to: position)
                find(.undecided(why), at: message.time, by: message)
                return true
            }
            let known = roles(of: message, for: follower.schedule, signature)
            guard !known.isEmpty || follower.schedule.hint != nil else { continue }
            let outcome = follower.consume(
                message.message, as: known, hint: hint(message, follower.schedule))
            if case .done = outcome { follower.finish(at: message.time) }
            beside[position] = follower
            guard follower.isJudging else { continue }
            record.record(follower, line: position)
            switch outcome {
            case .passed: break
            case .taken, .done:
                guard !judgeTaken(message, by: [signature]) else { return true }
                isTaken = true
                record.complete(line: position, by: message.message)
                configuration.recordTaken()
            case .violated(let violation):
                turn(to: position)
                find(.schedule(violation), at: message.time, by: message)
                return true
            }
        }
        return isTaken
    }

    /// Makes a line in parallel the present one, because its schedule is decided.
    private mutating func turn(to position: Int) {
        guard let follower = beside.removeValue(forKey: position) else { return }
        if let present = configuration.position, let own = attempt?.schedule {
            beside[present] = own
        }
        configuration.position = position
        attempt?.schedule = follower
    }

    /// Whether the schedule of the present line examines a message without taking it.
    func isConsidered(_ message: PlacedMessage) -> Bool {
        attempt?.schedule?.schedule.considers(message.name) ?? false
    }

    // MARK: - Time

    /// The next moment at which time changes something for a schedule.
    ///
    /// `beside` is the line of the schedule if it is not the present one.
    private var nextOfSchedules: (alarm: (time: Timestamp, kind: Alarm), beside: Int?)? {
        func kind(_ kind: ScheduleFollower.Alarm) -> Alarm {
            kind == .silenceOver ? .due : .missing
        }
        var next: (alarm: (time: Timestamp, kind: Alarm), beside: Int?)?
        func time(
            _ alarm: (time: Timestamp, kind: ScheduleFollower.Alarm), _ follower: ScheduleFollower
        )
            -> Timestamp
        {
            guard alarm.kind == .missing, let latest = follower.latest else { return alarm.time }
            return watched(until: alarm.time, for: latest, since: follower.present.start)
        }
        if let follower = attempt?.schedule, let own = follower.alarm {
            next = ((time(own, follower), kind(own.kind)), nil)
        }
        for (position, follower) in beside.sorted(by: { $0.key < $1.key })
        where follower.isJudging && follower.finished == nil {
            guard let alarm = follower.alarm else { continue }
            let due = time(alarm, follower)
            guard next.map({ due < $0.alarm.time }) ?? true else { continue }
            next = ((due, kind(alarm.kind)), position)
        }
        return next
    }

    /// The next moment at which time changes something for a schedule.
    var scheduleAlarm: (time: Timestamp, kind: Alarm)? { nextOfSchedules?.alarm }

    /// Does what is due for a schedule at that time.
    mutating func advanceSchedules(at time: Timestamp) {
        guard let next = nextOfSchedules else { return }
        if let position = next.beside {
            guard var follower = beside[position] else { return }
            if next.alarm.kind == .due, case .done = follower.conclusion {
                follower.finish(at: time)
                beside[position] = follower
                return
            }
            turn(to: position)
        }
        if next.alarm.kind == .missing {
            guard let violation = missingAttempt() else { return }
            find(.schedule(violation), at: time)
        } else if case .violated(let violation)? = attempt?.schedule?.conclusion {
            find(.schedule(violation), at: time)
        } else {
            complete(at: time)
        }
    }

    /// Returns the violation of the next attempt, which is missing.
    private mutating func missingAttempt() -> ScheduleViolation? {
        guard let position = configuration.position, var follower = attempt?.schedule else {
            return nil
        }
        let violation = follower.missing()
        record.record(follower, line: position, missing: violation.interval)
        return violation
    }

    /// Returns the finding on schedules when nothing more comes; `nil` if they are kept.
    mutating func endOfSchedules(at end: Timestamp, _ cause: EndCause) -> Finding.Kind? {
        if let latest = attempt?.schedule?.latest, end > latest {
            return missingAttempt().map(Finding.Kind.schedule) ?? .captureEnded
        }
        let other = beside.sorted { $0.key < $1.key }.first { _, follower in
            follower.isJudging && follower.latest.map { end > $0 } ?? false
        }
        if let other {
            turn(to: other.key)
            return missingAttempt().map(Finding.Kind.schedule) ?? .captureEnded
        }
        let followers = [attempt?.schedule].compactMap { $0 } + beside.values.filter(\.isJudging)
        guard cause == .endKnown, isAtLastSchedules,
            followers.allSatisfy({
                $0.finished != nil || $0.schedule.isSilentToTheEnd && $0.isEnough
            })
        else { return .captureEnded }
        for case .violated(let violation) in followers.map(\.conclusion) {
            return .schedule(violation)
        }
        complete(at: end)
        branches = []
        return nil
    }

    /// Whether only lines in parallel follow the present line.
    private var isAtLastSchedules: Bool {
        guard let position = configuration.position else { return false }
        let others = program.companions[position] ?? []
        return program.lines.indices.dropFirst(position + 1).allSatisfy(others.contains)
    }

    // MARK: - After a failure

    /// Continues to examine attempts after one that broke the schedule, if the capture is complete.
    ///
    /// This finds the time of an attempt that came far too late, and lists the waits after it.
    mutating func followSchedule(_ message: PlacedMessage) {
        followBeside(message)
        followPresent(message)
        let followers = [attempt?.schedule].compactMap { $0 } + beside.values
        isScheduleWatched = followers.contains(where: \.isWaiting)
    }

    private mutating func followPresent(_ message: PlacedMessage) {
        guard case .schedule(let violation)? = finding?.kind,
            case .schedule(let signature, _)? = line?.goal, var follower = attempt?.schedule,
            let position = configuration.position, follower.isWaiting
        else { return }
        let outcome = follower.consume(
            message.message, as: roles(of: message, for: follower.schedule, signature),
            hint: hint(message, follower.schedule))
        attempt?.schedule = follower
        if case .passed = outcome { return }
        if case .violated(let found) = outcome, case .absent = violation.kind,
            finding?.message == nil
        {
            finding?.kind = .schedule(found)
            finding?.message = message
            finding?.time = message.time
            phase = .failed(at: message.time)
        }
        record.record(follower, line: position)
    }

    /// Lists the waits of the schedules in parallel to the broken one.
    private mutating func followBeside(_ message: PlacedMessage) {
        for (position, var follower) in beside where follower.isWaiting {
            guard case .schedule(let signature, _) = program.lines[position].goal else { continue }
            _ = follower.consume(
                message.message, as: roles(of: message, for: follower.schedule, signature),
                hint: hint(message, follower.schedule))
            beside[position] = follower
            record.record(follower, line: position)
        }
    }
}

extension ScheduleFollower {
    /// Whether further waits must be listed.
    fileprivate var isWaiting: Bool {
        isJudging && finished == nil && intervals.count < schedule.attempts.upperBound
    }

    /// Returns the state of another follower of the same client in place of this new one.
    fileprivate func continuing(_ other: ScheduleFollower?) -> ScheduleFollower {
        guard let other, other.schedule == schedule else { return self }
        return other
    }
}

extension BackoffSchedule {
    /// Returns the duration that a number in a message means, scaled by the client's time scale.
    ///
    /// It is `nil` if the value is not a number.
    fileprivate func duration(_ value: Value, _ unit: Unit) -> Duration? {
        guard let number = value.numberValue ?? value.stringValue.flatMap({ Double($0) }),
            number.isFinite, number >= 0
        else { return nil }
        let seconds = unit == .seconds ? number : number / 1000
        return timeScale.scaled(.seconds(min(seconds, 36_000_000)))
    }
}
