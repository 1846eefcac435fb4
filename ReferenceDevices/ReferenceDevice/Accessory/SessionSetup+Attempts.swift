import ExternalAccessory

// MARK: - Attempts

extension SessionSetup {
    /// Makes an attempt, as `sdl_establishSessionWithAccessory:` of the document does.
    mutating func attempt() {
        guard rules.allowsAttempt(after: retryCounter) else { return exhausted() }
        if rules.countsBeforeAttempt { retryCounter += 1 }
        log(
            .attemptingToConnect,
            [
                "attempt": .integer(Int64(retryCounter)),
                "notified": notified.map { .integer(Int64($0.id)) } ?? .null,
            ])
        let found = rules.choice(notified: notified, among: accessories ?? [])
        notified = nil
        guard let found else {
            log(.noCompatibleAccessory)
            return finish(.nothingCompatible)
        }
        choice = found
        rules.record(found)
        switch found.route {
        case .direct(let string): open(.data, string)
        case .hub(let string): open(.control, string)
        case .detour: open(.control, ExternalAccessory.controlString)
        }
    }

    private mutating func exhausted() {
        log(.createSessionRetriesExhausted, ["message": "Create session retries exhausted."])
        guard let pause = rules.restartPause else { return finish(.exhausted) }
        retryCounter = 0
        state = .pausing
        act(.startTimer(milliseconds: pause))
    }

    /// Ends the setup without a session.
    private mutating func finish(_ ending: ConnectionRules.Ending) {
        end()
        if rules.endsSetup(ending) { log(.setupEnded) } else { state = .stuck }
    }

    private mutating func open(_ role: SessionRole, _ string: String) {
        guard let choice else { return }
        state = role == .control ? .openingControl : .openingData
        sessions.insert(role)
        log(
            .sessionAsked,
            [
                "session": .string(role.rawValue),
                "accessory": .integer(Int64(choice.accessory.id)),
                "protocol": .string(string),
            ])
        act(.open(role, choice.accessory.id, string))
        start(rules.openTimeout)
    }

    private mutating func start(_ milliseconds: Int?) {
        act(milliseconds.map { .startTimer(milliseconds: $0) } ?? .stopTimer)
    }

    private mutating func close(_ role: SessionRole) {
        guard sessions.remove(role) != nil else { return }
        log(.sessionClosed, ["session": .string(role.rawValue)])
        act(.close(role))
    }

    mutating func closeSessions() {
        for role in SessionRole.allCases { close(role) }
    }

    /// Ends a failed attempt and schedules the next one after a pause.
    private mutating func fail(_ failure: ConnectionRules.Failure, _ reason: String) {
        if rules.closesSessions(after: failure) { closeSessions() } else { sessions = [] }
        rules.recordFailure(of: choice)
        log(.attemptFailed, ["reason": .string(reason)])
        guard rules.retries(after: failure) else {
            act(.stopTimer)
            state = .stuck
            return
        }
        state = .pausing
        act(.startTimer(milliseconds: ConnectionRules.retryPause))
    }
}

// MARK: - Sessions

extension SessionSetup {
    mutating func opened(_ role: SessionRole, _ id: UInt32) {
        log(
            .sessionOpened, ["session": .string(role.rawValue), "id": .integer(Int64(id))])
        switch (role, state) {
        case (.control, .openingControl):
            if case .detour(awaitsIndex: false) = choice?.route {
                close(.control)
                return open(.data, ExternalAccessory.multisessionString)
            }
            state = .awaitingIndex
            start(rules.indexTimeout)
        case (.data, .openingData):
            if !rules.countsBeforeAttempt { retryCounter += 1 }
            if rules.openedSessionResetsCounter { retryCounter = 0 }
            if rules.controlEnding == .afterData { close(.control) }
            state = .established
            isWanted = false
            act(.stopTimer)
            act(.connected)
        default: break
        }
    }

    mutating func received(_ role: SessionRole, _ bytes: [UInt8]) {
        switch (role, state) {
        case (.control, .awaitingIndex):
            guard let index = rules.index(of: bytes) else { return }
            consume(index: index)
        case (.data, .established): act(.deliver(bytes))
        default: break
        }
    }

    private mutating func consume(index: UInt8) {
        guard let choice else { return }
        log(.indexReceived, ["index": .integer(Int64(index))])
        if rules.indexResetsCounter { retryCounter = 0 }
        if case .detour = choice.route {
            close(.control)
            return open(.data, ExternalAccessory.multisessionString)
        }
        switch rules.answer(
            toIndex: index, of: choice.accessory, among: accessories ?? [])
        {
        case .open(let string):
            if rules.controlEnding == .beforeData { close(.control) }
            open(.data, string)
        case .fail(let reason): fail(.badIndex, reason)
        case .wait: break
        }
    }

    /// Handles a session that the accessory side has refused or ended.
    mutating func ended(_ role: SessionRole, _ reason: String) {
        guard sessions.contains(role) else { return }
        let isOpening = state == (role == .control ? .openingControl : .openingData)
        let failure: ConnectionRules.Failure =
            isOpening ? .refused : role == .control ? .controlEnded : .dropped
        closed(role, failure, reason)
    }

    mutating func closed(
        _ role: SessionRole, _ failure: ConnectionRules.Failure, _ reason: String
    ) {
        guard sessions.remove(role) != nil else { return }
        log(
            .sessionLost,
            ["session": .string(role.rawValue), "reason": .string(reason)])
        switch (role, state) {
        case (.data, .established): dropped(reason)
        case (.control, .openingControl), (.control, .awaitingIndex), (.data, .openingData):
            fail(failure, reason)
        default: break
        }
    }

    /// Handles the loss of an open data session.
    ///
    /// The app is notified, and its next request is the retry.
    private mutating func dropped(_ reason: String) {
        closeSessions()
        rules.recordFailure(of: choice)
        log(.attemptFailed, ["reason": .string(reason)])
        state = rules.retries(after: .dropped) ? .ended : .stuck
        lose(reason)
    }

    mutating func timerFired() {
        switch state {
        case .pausing:
            state = .ended
            if accessories == nil { return finish(.nothingCompatible) }
            attempt()
        case .openingControl, .openingData: fail(.silent, "the session has not opened in time")
        case .awaitingIndex: fail(.noIndex, "the control session has delivered no index in time")
        case .ended, .established, .stuck: break
        }
    }
}
