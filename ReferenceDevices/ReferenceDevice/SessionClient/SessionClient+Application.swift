import HTTP
import Wire

/// The methods of a session client's control channel.
enum SessionControl: String, CaseIterable {
    case background, foreground, state, stop
}

// MARK: - The life cycle of the application

extension SessionClient {
    /// Handles the application's becoming active.
    ///
    /// This is its first run, its return from a short pause with a session that may be valid, or
    /// its return from a long pause after which the session is lost.
    mutating func becomeActive() {
        log(.applicationActive)
        guard session != nil else {
            guard link == nil else { return }
            log(.noSession)
            return openSession(lost: lostToken != nil)
        }
        isValidating = true
        if rules.pingsAfterBackground { startPings() }
        if hasPendingLoss {
            hasPendingLoss = false
            requestReconnection(isConnectionLoss: true)
        } else if link?.phase == .open, rules.replacesSessionWhenActive {
            dropLink()
            session = nil
            isValidating = false
            openSession(lost: false)
        } else if link?.phase == .open {
            validate()
        }
    }

    private mutating func enterForeground() {
        guard !isActive else { return }
        isActive = true
        act(.resume)
        act(.startTimer(.becomeActive, at: now))
    }

    private mutating func enterBackground() {
        guard isActive else { return }
        isActive = false
        log(.applicationInBackground)
        act(.stopTimer(.becomeActive))
        if !rules.pingsInBackground { stopPings() }
        if rules.closesInBackground { endSession() }
        if rules.restsInBackground { act(.suspend) }
    }

    /// Ends the session and notifies the server if it is connected.
    private mutating func endSession() {
        guard let link else { return }
        if link.phase == .open {
            send(.close)
            send(WebSocket.Frame(.close, [0x03, 0xE8]))
        }
        dropLink()
        session = nil
        enter(.closedByClient)
    }

    /// Ends the session and the process; in the background the server is not notified.
    mutating func stop() {
        log(.stopping)
        if isActive { endSession() }
        exit(0)
    }

    // MARK: The control channel

    /// Carries out one line of the control channel and answers it.
    mutating func consume(controlLine line: String) {
        do throws(ControlError) {
            let request = try ControlRequest(line: line)
            if let control = SessionControl(rawValue: request.method) {
                perform(control, request)
            } else {
                answer(request.unknownMethod(among: SessionControl.self))
            }
        } catch {
            answer(error.answer)
        }
    }

    private mutating func perform(_ control: SessionControl, _ request: ControlRequest) {
        answer(request.answer(control == .state ? stateValue : true))
        switch control {
        case .background: enterBackground()
        case .foreground: enterForeground()
        case .state: break
        case .stop: stop()
        }
    }

    private mutating func answer(_ answer: Value?) {
        if let answer { act(.answer(answer)) }
    }

    private var stateValue: Value {
        [
            "state": .text(state?.rawValue),
            "active": .bool(isActive),
            "sessionID": .text(session?.identity.id),
            "resumed": .integer(Int64(session?.resumptions ?? 0)),
        ]
    }
}
