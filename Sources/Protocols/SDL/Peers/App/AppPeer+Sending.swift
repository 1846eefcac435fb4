import PeerKit
import SDL
import SuiteLanguage
import Wire

/// Messages that a suite requests from the app.
extension AppPeer {
    /// Sends the default of a message with fields replaced; see `Peer`.
    ///
    /// By default a request has its mandatory parameters, RegisterAppInterface the values of the
    /// settings, and a response answers the oldest request of its function.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)],
        answering: (any DissectedMessage)?, on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        let target = try liveConnection(connection)
        if message == "ea.data" { return try sendData(fields, on: target) }
        let answered = answering as? SDL.Message
        var outgoing = try defaultMessage(message, fields, answering: answered, on: target)
        for (path, value) in fields { try outgoing.replace(path, with: value) }
        try outgoing.checkEncodable(replaced: fields.map(\.0))
        return write(outgoing, on: target)
    }

    private mutating func defaultMessage(
        _ message: String, _ fields: [(FieldPath, Value?)], answering: SDL.Message?,
        on connection: PeerConnection
    ) throws(PeerError) -> OutgoingMessage {
        let parts = message.split(separator: ".").map(String.init)
        if parts.count == 2, parts[0] == "sdl",
            let frame = SDL.ControlFrame.allCases.first(where: { $0.messageName == parts[1] })
        {
            return try defaultControl(frame, fields, answering: answering, on: connection)
        }
        guard parts.count == 3, parts[0] == "sdl",
            let type = SDL.RPCType.allCases.first(where: { "\($0)" == parts[2] })
        else {
            throw PeerError(
                .unknownMessage, "an app cannot send \(message)",
                advice: "it sends control frames, RPCs and ea.data; sessions with an accessory are "
                    + "opened by the action open")
        }
        let address = try address("in which to send an RPC", fields, on: connection)
        let rpc = try defaultRPC(parts[1], type, fields, answering: answering, on: connection)
        switch address {
        case .session(let session): return OutgoingMessage(rpc, in: session)
        case .number(let number):
            return OutgoingMessage(
                rpc, version: settings.protocolVersion.major, sessionID: number)
        }
    }

    private func defaultControl(
        _ frame: SDL.ControlFrame, _ fields: [(FieldPath, Value?)], answering: SDL.Message?,
        on connection: PeerConnection
    ) throws(PeerError) -> OutgoingMessage {
        let state = connections[connection]
        if let request = frame.answeredByApp {
            guard let message = answering ?? state?.latestControl[request] else {
                throw PeerError(
                    .badField, "there is no \(request.messageName) to answer",
                    advice: "expect sdl.\(request.messageName) before")
            }
            return answer(to: message, frame)
        }
        let service = value(of: "sdl.service_type", in: fields)?.integerValue
        if frame == .startService, service == nil || service == Self.rpcService {
            return sessionStart
        }
        switch try address("for \(frame.messageName)", fields, on: connection) {
        case .session(let session):
            let hash = frame == .endService ? session.hashID : nil
            return OutgoingMessage(
                frame, service: frame.usualService,
                parameters: hash.map { [.init("hashId", .integer(Int64($0)))] } ?? [],
                version: session.version, sessionID: session.id)
        case .number(let number):
            return OutgoingMessage(
                frame, service: frame.usualService, version: settings.protocolVersion.major,
                sessionID: number)
        }
    }

    /// The session to which a message of a suite belongs.
    private enum Address {
        case session(AppSession)
        /// A number from the suite for which no session exists.
        case number(UInt8)
    }

    /// Returns the session that a suite names, or else the latest.
    ///
    /// - Parameter purpose: The purpose of the session, for the error message.
    private func address(
        _ purpose: String, _ fields: [(FieldPath, Value?)], on connection: PeerConnection
    ) throws(PeerError) -> Address {
        let chosen = chosenSession(in: fields)
        if let session = session(chosen, on: connection) { return .session(session) }
        if let chosen { return .number(chosen) }
        throw PeerError(
            .noSession, "\(name) has no session \(purpose)",
            advice: "expect sdl.StartServiceACK before, or give sdl.session_id")
    }

    /// Returns the session id that a suite gives; `nil` without one.
    private func chosenSession(in fields: [(FieldPath, Value?)]) -> UInt8? {
        value(of: "sdl.session_id", in: fields)?.integerValue.flatMap { UInt8(exactly: $0) }
    }

    /// Returns the session with an id, or else the one that was started last.
    private func session(_ id: UInt8?, on connection: PeerConnection) -> AppSession? {
        let state = connections[connection]
        return id.flatMap { state?.session($0) } ?? state?.session
    }

    private static let rpcService = Int64(SDL.ServiceType.rpc.rawValue)

    private mutating func defaultRPC(
        _ function: String, _ type: SDL.RPCType, _ fields: [(FieldPath, Value?)],
        answering: SDL.Message?, on connection: PeerConnection
    ) throws(PeerError) -> SDL.RPC {
        switch type {
        case .request:
            correlationID += 1
            let parameters =
                function == "RegisterAppInterface"
                ? registrationParameters
                : DefaultParameters.mandatory(of: "sdl.\(function).request")
            return rpc(type, function, correlationID, parameters)
        case .notification:
            return rpc(
                type, function, -1, DefaultParameters.mandatory(of: "sdl.\(function).notification"))
        case .response, .errorResponse:
            var request = connections[connection]?.unanswered.first {
                $0.functionName == function
            }
            if case .rpc(let answered)? = answering?.content { request = answered }
            let chosen = value(of: "rpc.correlation_id", in: fields)?.integerValue
            guard let id = request?.correlationID ?? chosen.flatMap({ Int32(exactly: $0) }) else {
                throw PeerError(
                    .badField, "there is no \(function) request to answer",
                    advice: "expect it before, or give rpc.correlation_id")
            }
            connections[connection]?.unanswered.removeAll { $0.correlationID == id }
            return rpc(type, function, id, ["success": true, "resultCode": "SUCCESS"])
        }
    }

    private func rpc(
        _ type: SDL.RPCType, _ function: String, _ correlationID: Int32, _ parameters: Value
    ) -> SDL.RPC {
        // The fallback is for the one name that stands for a number that the specification does not
        // define.
        SDL.RPC(type, function, correlationID: correlationID, parameters: parameters)
            ?? SDL.RPC(
                type, functionID: Self.undefinedFunctionID, correlationID: correlationID,
                parameters: parameters)
    }

    /// A number far from every defined function.
    private static let undefinedFunctionID: UInt32 = 0x0FFF_FFFE

    private func value(of path: String, in fields: [(FieldPath, Value?)]) -> Value? {
        fields.last { $0.0.description == path }?.1
    }
}

extension SDL.ControlFrame {
    /// The head unit's frame that this one answers; `nil` if it is not such an answer.
    fileprivate var answeredByApp: SDL.ControlFrame? {
        switch self {
        case .heartbeatACK: .heartbeat
        case .endServiceACK, .endServiceNAK: .endService
        default: nil
        }
    }

    /// The service that the frame has unless a suite gives another.
    fileprivate var usualService: UInt8 {
        (self == .heartbeat ? SDL.ServiceType.control : .rpc).rawValue
    }
}
