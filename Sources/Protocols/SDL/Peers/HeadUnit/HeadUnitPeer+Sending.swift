import PeerKit
import SDL
import SuiteLanguage
import Wire

/// Messages that a suite requests from the head unit.
extension HeadUnitPeer {
    /// Sends the default of a message with fields replaced; see `Peer`.
    ///
    /// By default a response is what the head unit would have answered; with `params.success:
    /// false` among the fields, it is a plain refusal (GENERIC_ERROR). Messages that normally
    /// follow a message also follow here: notifications after a registration, OnHashChange after a
    /// change.
    package mutating func send(
        _ message: String, fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        let target = try liveConnection(connection)
        let answered = answering as? SDL.Message
        var outgoing = try defaultMessage(message, fields, answering: answered, on: target)
        for (path, value) in fields { try outgoing.replace(path, with: value) }
        try outgoing.checkEncodable(replaced: fields.map(\.0))
        return transmit(outgoing, on: target, answering: answered)
    }

    private mutating func defaultMessage(
        _ message: String, _ fields: [(FieldPath, Value?)], answering: SDL.Message?,
        on connection: PeerConnection
    ) throws(PeerError) -> OutgoingMessage {
        let parts = message.split(separator: ".").map(String.init)
        if parts[0] == "sdl", parts.count == 2,
            let frame = SDL.ControlFrame.allCases.first(where: { $0.messageName == parts[1] })
        {
            return try defaultControl(frame, fields, answering: answering, on: connection)
        }
        guard SDL.registry.message(named: message) != nil, parts.count == 3,
            let type = SDL.RPCType.allCases.first(where: { "\($0)" == parts[2] })
        else {
            let near = Suggestion.closest(to: message, in: SDL.registry.messageNames)
            throw PeerError(
                .unknownMessage, "a head unit cannot send \(message)",
                advice: near.map { "did you mean \"\($0)\"?" }
                    ?? "it sends control frames and RPCs")
        }
        let session = try session(answering, fields, on: connection)
        let rpc = try defaultRPC(parts[1], type, fields, answering: answering, in: session)
        return OutgoingMessage(rpc, in: session)
    }

    /// Returns the session from the fields, or that of the answered message, or the latest one.
    private func session(
        _ answering: SDL.Message?, _ fields: [(FieldPath, Value?)], on connection: PeerConnection
    ) throws(PeerError) -> HeadUnitSession {
        let state = connections[connection]
        let chosen = value(of: "sdl.session_id", in: fields)?.integerValue
        let id = chosen.flatMap { UInt8(exactly: $0) } ?? answering?.header.sessionID
        if let session = id.flatMap({ state?.sessions[$0] }) ?? state?.latestSession {
            return session
        }
        if let number = chosen.flatMap({ UInt8(exactly: $0) }) {
            let own = settings.protocolVersion
            return HeadUnitSession(
                id: number, negotiation: VersionNegotiation(offered: own, own: own), hashID: 0)
        }
        throw PeerError(
            .noSession, "the device has no session with \(name) in which to send an RPC",
            advice: "expect sdl.StartServiceACK from \(name) first, or give sdl.session_id")
    }

    private mutating func defaultRPC(
        _ function: String, _ type: SDL.RPCType, _ fields: [(FieldPath, Value?)],
        answering: SDL.Message?, in session: HeadUnitSession
    ) throws(PeerError) -> SDL.RPC {
        switch type {
        case .response, .errorResponse:
            var rpc = try defaultResponse(function, fields, answering: answering, in: session)
            rpc.type = type
            return rpc
        case .notification:
            let hash = function == "OnHashChange" ? nextHash() : ""
            let level = value(of: "params.hmiLevel", in: fields)?.stringValue
            return try rpc(
                type, function, correlationID: -1,
                NotificationParameters.plain(
                    function, app: session.app, memory: memory(of: session),
                    level: level ?? settings.hmiLevel, settings: settings, hashID: hash))
        case .request:
            requestCount += 1
            return try rpc(
                type, function, correlationID: requestCount,
                DefaultParameters.mandatory(of: "sdl.\(function).request"))
        }
    }

    private func defaultResponse(
        _ function: String, _ fields: [(FieldPath, Value?)], answering: SDL.Message?,
        in session: HeadUnitSession
    ) throws(PeerError) -> SDL.RPC {
        var request = session.oldestUnanswered(function)
        if case .rpc(let answered)? = answering?.content { request = answered }
        let chosen = value(of: "rpc.correlation_id", in: fields)?.integerValue
        guard let correlationID = request?.correlationID ?? chosen.flatMap({ Int32(exactly: $0) })
        else {
            throw PeerError(
                .badField, "there is no \(function) request to answer",
                advice: "name it with `answers`, or give rpc.correlation_id")
        }
        if value(of: "params.success", in: fields) == false {
            return try rpc(
                .response, function, correlationID: correlationID,
                ResponseParameters.refusal("GENERIC_ERROR"))
        }
        if let request {
            let own = defaultResponse(to: request, in: session)
            if own.functionName == function { return own }
        }
        let isSame = request?.functionName == function
        return try rpc(
            .response, function, correlationID: correlationID,
            ResponseParameters.success(
                of: function, to: isSame ? request?.parameters ?? .object([]) : .object([]),
                memory: memory(of: session)))
    }

    private func rpc(
        _ type: SDL.RPCType, _ function: String, correlationID: Int32, _ parameters: Value
    ) throws(PeerError) -> SDL.RPC {
        if let rpc = SDL.RPC(
            type, function, correlationID: correlationID, parameters: parameters)
        {
            return rpc
        }
        // The fallback is for the one name that stands for a number that the specification does not
        // define.
        return SDL.RPC(
            type, functionID: Self.undefinedFunctionID, correlationID: correlationID,
            parameters: parameters)
    }

    /// A number far from every defined function.
    private static let undefinedFunctionID: UInt32 = 0x0FFF_FFFE

    func value(of path: String, in fields: [(FieldPath, Value?)]) -> Value? {
        fields.last { $0.0.description == path }?.1
    }
}
