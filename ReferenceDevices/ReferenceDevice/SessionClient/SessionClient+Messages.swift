import Diffusion
import HTTP

// MARK: - Messages of the server

extension SessionClient {
    /// Handles bytes of the connection.
    mutating func receive(_ bytes: [UInt8]) {
        let number = link?.number
        for message in link?.receive(bytes) ?? [] where link?.number == number {
            switch message {
            case let message as WebSocket.Message: consume(message)
            case let response as Diffusion.ConnectResponse where link?.phase == .opening:
                consume(response)
            case let message as Diffusion.Message where link?.phase == .open: consume(message)
            default: connectionFailed("\(message.name) does not belong here")
            }
        }
    }

    private mutating func consume(_ message: WebSocket.Message) {
        switch message.content {
        case .handshake(let head):
            guard link?.isUpgraded(by: head) == true else {
                let reason = "the upgrade to WebSocket was not agreed to"
                if session != nil, rules.isHTTPErrorFinal {
                    return closeSession(.closedFailed, reason)
                }
                return connectionFailed(reason)
            }
            link?.phase = .opening
        case .frames(let frame, _) where frame.opcode == .ping:
            if answersServer { send(WebSocket.Frame(.pong, frame.payload)) }
        case .frames(let frame, _) where frame.opcode == .pong:
            break
        case .frames(let frame, _) where frame.opcode == .close:
            if answersServer { send(WebSocket.Frame(.close, Array(frame.payload.prefix(2)))) }
            connectionFailed("the server closed the WebSocket")
        case .frames(let frame, _):
            connectionFailed("a frame of opcode \(frame.opcode.rawValue) does not belong here")
        case .malformed(let what):
            connectionFailed("no WebSocket: \(what)")
        }
    }

    private mutating func consume(_ message: Diffusion.Message) {
        session?.received += 1
        switch message.content {
        case .serviceRequest(Diffusion.systemPing, let conversation, _):
            guard answersServer,
                let answer = rules.answer(
                    toServerPing: conversation, resumptions: session?.resumptions ?? 0)
            else { break }
            send(.serviceResponse(conversation: answer, body: []))
        case .serviceResponse(let conversation, _):
            pingAnswered(conversation)
        case .serviceError(let conversation, _):
            pingRefused(conversation)
        case .abort:
            closeSession(.closedByServer, "the server ended it")
        case .serviceRequest, .topicValue, .topicDelta, .close, .other, .malformed:
            log(.messageIgnored, ["message": .string(message.name)])
        }
    }

    private var answersServer: Bool { isActive || rules.answersInBackground }
}

// MARK: - Pings

extension SessionClient {
    private var pingPeriod: Int64? {
        rules.pingPeriod(
            configuration.pingPeriod.nanoseconds, resumptions: session?.resumptions ?? 0)
    }

    /// Starts the timer for pings to the server.
    mutating func startPings() {
        guard let period = pingPeriod else { return }
        log(.pingTimerSet, ["milliseconds": .integer(period / 1_000_000)])
        setPing(now + period)
    }

    private mutating func setPing(_ time: Int64) {
        nextPing = time
        act(.startTimer(.ping, at: time))
    }

    mutating func stopPings() {
        nextPing = nil
        act(.stopTimer(.ping))
    }

    /// Sends a ping, and starts the timer again without shifting its rhythm.
    mutating func pingTimerFired() {
        guard let due = nextPing, let period = pingPeriod else { return }
        if link?.phase == .open { ping() }
        guard rules.repeatsPings(after: session?.nextConversation ?? 0) else { return stopPings() }
        setPing(due + (1 + max(0, now - due) / period) * period)
    }

    /// Sends a ping to the server; returns its conversation.
    @discardableResult
    private mutating func ping() -> UInt64? {
        let time = now
        guard let conversation = session?.takeConversation(at: time) else { return nil }
        send(.serviceRequest(service: Diffusion.userPing, conversation: conversation, body: []))
        return conversation
    }

    private mutating func pingAnswered(_ conversation: UInt64) {
        guard let sent = session?.pings.removeValue(forKey: conversation) else {
            return log(.messageIgnored, ["message": "diffusion.serviceResponse"])
        }
        log(.pingSuccessful, ["milliseconds": .integer((now - sent) / 1_000_000)])
        if conversation == validation { validated() }
    }

    private mutating func validated() {
        validation = nil
        isValidating = false
        act(.stopTimer(.pingTimeout))
    }

    /// Handles the timeout of the ping that validates the session.
    mutating func validationUnanswered() {
        rules.isValid(withoutAnswer: true) ? validated() : validationFailed("no answer")
    }

    private mutating func pingRefused(_ conversation: UInt64) {
        guard session?.pings.removeValue(forKey: conversation) != nil else {
            return log(.messageIgnored, ["message": "diffusion.serviceError"])
        }
        if conversation == validation, !rules.isValid(withoutAnswer: false) {
            validationFailed("refused")
        } else {
            log(.pingFailed, ["reason": "refused"])
        }
    }

    /// Checks with a ping whether the session is valid.
    mutating func validate() {
        isValidating = rules.pingsWhenActive && rules.validates(after: validationCount)
        guard isValidating else { return }
        validationCount += 1
        validation = ping()
        act(.startTimer(.pingTimeout, at: now + configuration.pingTimeout.nanoseconds))
    }

    /// Closes a session that is not valid.
    private mutating func validationFailed(_ reason: String) {
        guard validation != nil else { return }
        log(.pingFailed, ["reason": .string(reason)])
        closeSession(.closedFailed, "its validation failed")
    }
}
