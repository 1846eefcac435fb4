import PeerKit
import SDL
import Wire

/// Actions that an app library performs without a request in a session (SDL protocol 4).
extension AppPeer {
    /// Starts an RPC session if the setting `upTo` includes it.
    mutating func beginSession(on connection: PeerConnection) -> [PeerCommand] {
        guard settings.upTo >= .session, connections[connection]?.carriesSDL == true else {
            return []
        }
        return write(sessionStart, on: connection)
    }

    /// The StartService frame, which always has the header of version 1 and no session.
    var sessionStart: OutgoingMessage {
        var parameters: [Value.Member] = []
        if settings.protocolVersion.major >= 5 {
            parameters.append(
                .init("protocolVersion", .string(settings.protocolVersion.description)))
        }
        return OutgoingMessage(
            .startService, service: SDL.ServiceType.rpc.rawValue, parameters: parameters,
            version: 1, sessionID: 0)
    }

    /// Reacts to a message of the head unit.
    mutating func react(
        to message: SDL.Message, on connection: PeerConnection, withholdsAnswer: Bool
    ) -> [PeerCommand] {
        guard connections[connection] != nil else { return [] }
        switch message.content {
        case .control(let frame, _):
            return react(to: frame, message, on: connection, withholdsAnswer: withholdsAnswer)
        case .rpc(let rpc):
            if rpc.type == .request { connections[connection]?.unanswered.append(rpc) }
            return []
        default:
            return []
        }
    }

    private mutating func react(
        to frame: SDL.ControlFrame, _ message: SDL.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        connections[connection]?.latestControl[frame] = message
        let isRPC = message.header.service == .rpc
        switch frame {
        case .startServiceACK where isRPC:
            let session = AppSession(message, own: settings.protocolVersion)
            connections[connection]?.start(session)
            beginHeartbeats(on: connection)
            guard settings.upTo >= .registration else { return [] }
            return registration.map {
                write(OutgoingMessage($0, in: session), on: connection)
            } ?? []
        case .startServiceNAK where isRPC:
            if settings.upTo >= .registration {
                unansweredReasons.record(
                    "did not register, because its session was refused"
                        + (message.controlParameters["reason"]?.stringValue.map { ": \($0)" } ?? "")
                )
            }
            return []
        case .endServiceACK where isRPC:
            connections[connection]?.end(message.header.sessionID)
            return []
        case .endService, .heartbeat:
            guard !withholdsAnswer else { return [] }
            let answer = answer(to: message, frame == .heartbeat ? .heartbeatACK : .endServiceACK)
            let commands = write(answer, on: connection)
            if frame == .endService, isRPC {
                connections[connection]?.end(message.header.sessionID)
            }
            return commands
        default:
            return []
        }
    }

    /// Returns an answer without parameters, with the session and version of the message.
    func answer(to message: SDL.Message, _ frame: SDL.ControlFrame) -> OutgoingMessage {
        OutgoingMessage(
            frame, service: message.header.serviceType, version: message.header.version,
            sessionID: message.header.sessionID)
    }

    // MARK: - Registration

    /// The RegisterAppInterface request with the next correlation id.
    private var registration: SDL.RPC? {
        mutating get {
            correlationID += 1
            return SDL.RPC(
                .request, "RegisterAppInterface", correlationID: correlationID,
                parameters: registrationParameters)
        }
    }

    /// The parameters of RegisterAppInterface.
    var registrationParameters: Value {
        var members: [Value.Member] = [
            .init(
                "syncMsgVersion",
                ["majorVersion": 8, "minorVersion": 0, "patchVersion": 0]),
            .init("appName", .string(settings.appName)),
            .init("isMediaApplication", false),
            .init("languageDesired", .string(settings.language)),
            .init("hmiDisplayLanguageDesired", .string(settings.hmiDisplayLanguage)),
            .init("appID", .string(settings.appID)),
        ]
        if let hash = settings.hashID { members.append(.init("hashID", .string(hash))) }
        return Value.object(members).merging(settings.registerAppInterface)
    }
}
