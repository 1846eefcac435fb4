import PeerKit
import SDL
import Wire

/// Requests and their consequences.
extension HeadUnitPeer {
    /// Answers a request of the device; a request in an unknown session is dropped.
    mutating func answer(
        _ request: SDL.RPC, _ message: SDL.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard let session = connections[connection]?.sessions[message.header.sessionID] else {
            unansweredReasons.record(
                "dropped \(message.name) in session \(message.header.sessionID), which it has not "
                    + "assigned or which has ended")
            return []
        }
        let isPending = session.unanswered[request.correlationID] != nil
        if withholdsAnswer {
            connections[connection]?.change(session.id) { $0.addUnanswered(request) }
            return []
        }
        guard request.correlationID >= 0, !isPending else {
            let refusal = response(to: request, ResponseParameters.refusal("INVALID_ID"))
            return write(OutgoingMessage(refusal, in: session), on: connection)
        }
        let answer = OutgoingMessage(defaultResponse(to: request, in: session), in: session)
        return transmit(answer, on: connection, answering: message)
    }

    /// Returns the head unit's own answer to a request.
    func defaultResponse(to request: SDL.RPC, in session: HeadUnitSession) -> SDL.RPC {
        guard SDL.registry.message(named: request.messageName) != nil,
            request.messageName != "sdl.\(SDL.RPC.unknownFunction).request"
        else {
            return genericResponse(to: request)
        }
        switch (request.functionName, session.app) {
        case ("RegisterAppInterface", nil):
            return response(
                to: request,
                ResponseParameters.registration(
                    request.parameters, settings: settings,
                    resumption: resumption(request.parameters),
                    iconIsThere: memories[memoryKey(request.parameters)]?.icon != nil))
        case ("RegisterAppInterface", _):
            return response(
                to: request, ResponseParameters.refusal("APPLICATION_REGISTERED_ALREADY"))
        case (_, nil):
            return response(
                to: request, ResponseParameters.refusal("APPLICATION_NOT_REGISTERED"))
        default:
            return response(to: request, outcome(of: request, memory(of: session)))
        }
    }

    /// Returns the answer to a registered app.
    private func outcome(of request: SDL.RPC, _ memory: AppMemory) -> Value {
        let success = ResponseParameters.success(
            of: request.functionName, to: request.parameters, memory: memory)
        guard !settings.refuses.contains(where: { $0.covers(request.messageName) }) else {
            return ResponseParameters.refusal("REJECTED")
        }
        guard settings.checksRequests,
            let objection = RequestCheck.objection(to: request, of: memory)
        else { return success }
        guard objection.isWarning else {
            return ResponseParameters.refusal(objection.resultCode, info: objection.info)
        }
        return success.merging([
            "resultCode": .string(objection.resultCode), "info": .string(objection.info),
        ])
    }

    private func response(to request: SDL.RPC, _ parameters: Value) -> SDL.RPC {
        SDL.RPC(
            .response, request.functionName, correlationID: request.correlationID,
            parameters: parameters)
            ?? genericResponse(to: request)
    }

    /// Returns the answer to a function that the head unit does not know or does not support.
    private func genericResponse(to request: SDL.RPC) -> SDL.RPC {
        let isUnknown =
            request.functionID == 0 || request.functionName == SDL.RPC.unknownFunction
        let code = isUnknown ? "INVALID_DATA" : "UNSUPPORTED_REQUEST"
        return SDL.RPC(
            .response, functionID: Self.genericResponseID, correlationID: request.correlationID,
            parameters: ResponseParameters.refusal(code))
    }

    private static let genericResponseID: UInt32 = 31

    /// Creates a notification; head units give it the correlation id -1.
    func notification(
        _ function: String, _ parameters: Value, in session: HeadUnitSession
    ) -> OutgoingMessage? {
        SDL.RPC(.notification, function, correlationID: -1, parameters: parameters).map {
            OutgoingMessage($0, in: session)
        }
    }
}

// MARK: - State changes by sent messages

extension HeadUnitPeer {
    /// Sends a message and the messages that follow it, and advances the state with both.
    mutating func transmit(
        _ message: OutgoingMessage, on connection: PeerConnection, answering: SDL.Message?
    ) -> [PeerCommand] {
        let commands = write(message, on: connection)
        switch message.content {
        case .control(let frame, let parameters):
            advance(
                frame, message, parameters: parameters, answering: answering, on: connection)
            return commands
        case .rpc(let rpc):
            return commands + advance(rpc, message, answering: answering, on: connection)
        }
    }

    private mutating func advance(
        _ rpc: SDL.RPC, _ sent: OutgoingMessage, answering: SDL.Message?,
        on connection: PeerConnection
    ) -> [PeerCommand] {
        guard connections[connection]?.sessions[sent.sessionID] != nil else { return [] }
        switch rpc.type {
        case .request:
            return []
        case .notification:
            advanceByNotification(rpc, session: sent.sessionID, on: connection)
            return []
        case .response, .errorResponse:
            var request: SDL.RPC?
            connections[connection]?.change(sent.sessionID) { session in
                request = session.settle(rpc.correlationID)
            }
            if case .rpc(let answered)? = answering?.content { request = answered }
            guard rpc.parameters["success"] == true else { return [] }
            return advanceBySuccess(
                rpc.functionName, request?.parameters ?? .object([]), session: sent.sessionID,
                on: connection)
        }
    }

    private mutating func advanceByNotification(
        _ rpc: SDL.RPC, session: UInt8, on connection: PeerConnection
    ) {
        switch rpc.functionName {
        case "OnAppInterfaceUnregistered":
            end(connections[connection]?.sessions[session]?.app)
            connections[connection]?.change(session) { $0.app = nil }
        case "OnHashChange":
            guard let app = connections[connection]?.sessions[session]?.app else { return }
            memories[app.key, default: AppMemory()].hashID = rpc.parameters["hashID"]?.stringValue
        case "OnLanguageChange":
            settings.language = rpc.parameters["language"]?.stringValue ?? settings.language
            settings.hmiDisplayLanguage =
                rpc.parameters["hmiDisplayLanguage"]?.stringValue ?? settings.hmiDisplayLanguage
        default:
            break
        }
    }

    private mutating func advanceBySuccess(
        _ function: String, _ parameters: Value, session id: UInt8, on connection: PeerConnection
    ) -> [PeerCommand] {
        switch function {
        case "RegisterAppInterface":
            let app = RegisteredApp(parameters, key: memoryKey(parameters))
            let isHashNew = begin(app, parameters)
            connections[connection]?.change(id) { $0.app = app }
            let stated =
                settings.sendsNotifications
                ? notifyRegistered(app, session: id, on: connection) : []
            return stated + (isHashNew ? changeHash(of: app, session: id, on: connection) : [])
        case "UnregisterAppInterface":
            end(connections[connection]?.sessions[id]?.app, unregistered: true)
            connections[connection]?.change(id) { $0.app = nil }
            return []
        default:
            guard let app = connections[connection]?.sessions[id]?.app,
                remember(function, parameters, of: app)
            else { return [] }
            return changeHash(of: app, session: id, on: connection)
        }
    }

    private mutating func notifyRegistered(
        _ app: RegisteredApp, session: UInt8, on connection: PeerConnection
    ) -> [PeerCommand] {
        var commands = notify("OnHMIStatus", app.status("NONE"), session, on: connection)
        commands += notify(
            "OnPermissionsChange", NotificationParameters.permissions, session, on: connection)
        if settings.hmiLevel != "NONE" {
            commands += notify(
                "OnHMIStatus", app.status(settings.hmiLevel), session, on: connection)
        }
        return commands
    }

    /// Sends a notification in a session; does nothing if there is no such session.
    mutating func notify(
        _ function: String, _ parameters: Value, _ session: UInt8, on connection: PeerConnection
    ) -> [PeerCommand] {
        guard let session = connections[connection]?.sessions[session],
            let message = notification(function, parameters, in: session)
        else { return [] }
        return write(message, on: connection)
    }
}
