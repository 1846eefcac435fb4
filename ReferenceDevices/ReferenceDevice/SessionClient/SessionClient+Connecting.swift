import Diffusion

// MARK: - Opening, failing and resuming

extension SessionClient {
    /// Opens a new session.
    ///
    /// - Parameter lost: Whether it replaces a lost session.
    mutating func openSession(lost: Bool) {
        if lost { losses += 1 }
        let count = rules.sessionsToOpen(lost: lost, losses: losses)
        guard count > 0 else { return }
        if !rules.keepsStrategy {
            strategy = BackOffReconnectionStrategy(configuration.strategy, rules: rules)
        }
        enter(.connecting)
        let token = rules.openingToken(lost: lostToken)
        for _ in 0..<count { connect(token.map { resumption(token: $0) }) }
    }

    /// Opens the connection of an attempt.
    private mutating func connect(_ resumption: ConnectRequest.Resumption?) {
        if let link { twin = link }
        connections += 1
        lastAttempt = now
        link = SessionLink(number: connections, resumption: resumption)
        act(.startTimer(.connectionTimeout, at: now + configuration.connectionTimeout.nanoseconds))
        act(.connect(connections))
    }

    private func resumption(token: [UInt8]) -> ConnectRequest.Resumption {
        ConnectRequest.Resumption(
            token: token, clientSequence: (session?.sent ?? 0) + 1,
            serverSequence: session?.received ?? 0)
    }

    /// Handles the end of the connection of the session or of the attempt.
    mutating func connectionFailed(_ reason: String) {
        switch link?.phase {
        case .open: loseConnection(reason)
        // TCP was open, and TLS was not yet.
        case .connecting: attemptFailed(.unprotected, reason)
        default: attemptFailed(.ended, reason)
        }
    }

    /// Handles the loss of the session's connection.
    private mutating func loseConnection(_ reason: String) {
        dropLink()
        log(.connectionLost, ["reason": .string(reason)])
        enter(.failing)
        session?.pings = [:]
        validation = nil
        act(.stopTimer(.pingTimeout))
        if rules.stopsPingsOnFall(resumptions: session?.resumptions ?? 0) { stopPings() }
        guard rules.reconnects(within: configuration.reconnectionTimeout),
            rules.reconnects(afterLoss: true, requests: 0)
        else {
            return closeSession(.closedFailed, "it cannot be resumed")
        }
        if let timeout = rules.reconnectionTimeout(configuration.reconnectionTimeout) {
            let firstLoss = session?.firstLoss ?? now
            session?.firstLoss = firstLoss
            let start = rules.timeoutStart(
                opened: session?.openedAt ?? now, firstLoss: firstLoss, lost: now)
            let deadline = start + timeout.nanoseconds
            givesUpAt = deadline
            act(.startTimer(.reconnectionTimeout, at: deadline))
        }
        if isActive || rules.reconnectsInBackground {
            requestReconnection(isConnectionLoss: true)
        } else {
            hasPendingLoss = true
        }
    }

    /// Handles a failed attempt to open or to resume a session.
    mutating func attemptFailed(_ failure: SessionLink.Failure, _ reason: String) {
        guard link != nil, link?.phase != .open else { return }
        dropLink()
        log(.attemptFailed, ["reason": .string(reason)])
        guard session != nil else {
            log(.sessionFailed, ["reason": .string(reason)])
            return enter(.closedFailed)
        }
        enter(.failing)
        guard rules.reconnects(afterLoss: false, requests: strategy.requests),
            rules.reconnects(after: failure)
        else {
            return closeSession(.closedFailed, "the attempt failed")
        }
        strategy.failed(failure)
        requestReconnection(isConnectionLoss: false)
    }

    /// Asks the strategy for the time of the next attempt.
    mutating func requestReconnection(isConnectionLoss: Bool) {
        enter(.recoveringReconnect)
        let wait = strategy.nextWait(at: now, isConnectionLoss: isConnectionLoss)
        if let elapsed = wait.elapsed {
            log(.elapsedSinceLastAttempt, ["milliseconds": .integer(elapsed / 1_000_000)])
        }
        log(
            .sessionWishesToReconnect,
            [
                "attempt": .integer(Int64(wait.attempt)),
                "delay": .integer(wait.delay / 1_000_000),
                "maxDelay": .integer(Int64(configuration.strategy.maximum)),
            ])
        let time = rules.attemptTime(wait.delay, noticed: now, lastAttempt: lastAttempt)
        if time <= now {
            startAttempt()
        } else {
            act(.startTimer(.attempt, at: time))
        }
    }

    /// Tries to resume the session.
    mutating func startAttempt() {
        guard let session, link == nil else { return }
        guard isActive || rules.attemptsInBackground else {
            hasPendingLoss = true
            return
        }
        if let givesUpAt, givesUpAt <= now { return giveUp() }
        log(.attemptStarting)
        for _ in 0..<rules.attemptsAtOnce {
            let token = rules.token(session.identity.token, isReconnect: true)
            connect(token.map { resumption(token: $0) })
        }
    }

    /// Ends the session because the reconnection timeout is over.
    mutating func giveUp() {
        guard session != nil, link?.phase != .open else { return }
        closeSession(.closedFailed, "the reconnection timeout is over")
    }

    /// Handles the end of a session that the client has not ended.
    mutating func closeSession(_ state: SessionState, _ reason: String) {
        dropLink()
        act(.stopTimer(.attempt))
        act(.stopTimer(.reconnectionTimeout))
        act(.stopTimer(.pingTimeout))
        stopPings()
        givesUpAt = nil
        hasPendingLoss = false
        validation = nil
        lostToken = session?.identity.token
        session = nil
        enter(state)
        log(.sessionClosed, ["reason": .string(reason)])
        guard isValidating else { return }
        isValidating = false
        log(.sessionLost)
        openSession(lost: true)
    }

    /// Closes the connection, if there is one.
    mutating func dropLink() {
        act(.stopTimer(.connectionTimeout))
        guard let number = link?.number else { return }
        link = nil
        act(.close(number))
    }

    // MARK: The server's response

    mutating func consume(_ response: Diffusion.ConnectResponse) {
        guard link != nil else { return }
        let code = Diffusion.ResponseCode(rawValue: response.code)
        if let session, !rules.acceptsNewSession {
            takeResumption(response, code, of: session)
        } else if let identity = response.session, code?.isSuccess == true {
            opened(identity)
        } else {
            attemptFailed(.ended, "the server answered \(response.code)")
        }
    }

    private mutating func takeResumption(
        _ response: Diffusion.ConnectResponse, _ code: Diffusion.ResponseCode?, of session: Session
    ) {
        let isResumed = code == .reconnected || code == .reconnectedWithMessageLoss
        if isResumed, let identity = response.session,
            identity.id == session.identity.id || !rules.looksAtSessionID
        {
            return resumed(identity)
        }
        if rules.crashesOnRefusal { return act(.harm(.crash)) }
        let reason = "the server answered \(response.code)"
        if isResumed {
            closeSession(.closedFailed, "\(reason) for another session")
        } else if rules.isFinal(code) {
            closeSession(.closedByServer, reason)
        } else {
            attemptFailed(.ended, reason)
        }
    }

    /// Handles a session that was opened.
    private mutating func opened(_ identity: Diffusion.ConnectResponse.Session) {
        linkStands()
        session = Session(identity: identity, openedAt: now)
        if rules.countsResponse { session?.received += 1 }
        enter(.connectedActive)
        log(.sessionOpened, ["sessionID": .string(identity.id)])
        if isActive { startPings() }
    }

    private mutating func resumed(_ identity: Diffusion.ConnectResponse.Session) {
        linkStands()
        if rules.takesNewToken { session?.identity.token = identity.token }
        session?.resumptions += 1
        enter(.connectedActive)
        log(.sessionResumed, ["sessionID": .text(session?.identity.id)])
        if isValidating { validate() }
    }

    private mutating func linkStands() {
        link?.phase = .open
        strategy.succeeded(at: now)
        givesUpAt = nil
        act(.stopTimer(.connectionTimeout))
        act(.stopTimer(.reconnectionTimeout))
    }
}
