import PeerKit
import SDL
import Wire

/// Control frames: services, heartbeat, secondary transports (SDL protocol 4).
extension HeadUnitPeer {
    /// Reacts to a control frame from the device.
    mutating func react(
        to frame: SDL.ControlFrame, _ message: SDL.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        connections[connection]?.latestControl[frame] = message
        if frame == .endServiceACK, message.header.service == .rpc {
            end(connections[connection]?.sessions[message.header.sessionID]?.app)
            connections[connection]?.end(message.header.sessionID)
        }
        if frame == .heartbeat, message.header.version < Self.firstHeartbeatVersion {
            unansweredReasons.record(
                "did not answer a heartbeat of version \(message.header.version), because there "
                    + "are heartbeats from version \(Self.firstHeartbeatVersion) on")
        }
        guard !withholdsAnswer, let answer = answer(to: frame, message, on: connection) else {
            return []
        }
        return transmit(answer, on: connection, answering: message)
    }

    /// The first version with heartbeats (SDL protocol 4.5).
    private static let firstHeartbeatVersion: UInt8 = 3

    /// Returns the head unit's own answer to a control frame; `nil` if there is none.
    func answer(
        to frame: SDL.ControlFrame, _ message: SDL.Message, on connection: PeerConnection
    ) -> OutgoingMessage? {
        switch frame {
        case .startService:
            if let refusal = refusalToStart(message, on: connection) {
                return negative(.startServiceNAK, message, refusal)
            }
            return acknowledgement(of: message, on: connection)
        case .endService:
            if let refusal = refusalToEnd(message, on: connection) {
                return negative(.endServiceNAK, message, refusal)
            }
            return plain(.endServiceACK, message)
        case .heartbeat:
            return message.header.version >= Self.firstHeartbeatVersion
                ? plain(.heartbeatACK, message) : nil
        case .registerSecondaryTransport:
            return negative(
                .registerSecondaryTransportNAK, message,
                ControlRefusal("no secondary transport is offered"))
        default:
            return nil
        }
    }

    /// Returns the default of a control frame that a suite sends.
    func defaultControl(
        _ frame: SDL.ControlFrame, _ fields: [(FieldPath, Value?)],
        answering message: SDL.Message?, on connection: PeerConnection
    ) throws(PeerError) -> OutgoingMessage {
        if let request = frame.answered {
            guard let message = message ?? connections[connection]?.latestControl[request] else {
                throw PeerError(
                    .badField, "there is no \(request.messageName) to answer",
                    advice: "expect sdl.\(request.messageName) before, or name it with `answers`")
            }
            return answer(frame, to: message, on: connection)
        }
        // Before the device's first StartService the connection may not be one of SDL at all.
        let state = connections[connection]
        let isNamed = value(of: "sdl.session_id", in: fields) != nil
        guard isNamed || state?.latestSession != nil || state?.latestControl[.startService] != nil
        else {
            throw PeerError(
                .noSession, "the device has not asked \(name) for a session",
                advice: "expect sdl.StartService before \(frame.messageName)")
        }
        let session = state?.latestSession
        return OutgoingMessage(
            frame, service: (frame == .heartbeat ? .control : SDL.ServiceType.rpc).rawValue,
            parameters: parameters(of: frame, session),
            version: session?.headerVersion ?? settings.protocolVersion.major,
            sessionID: session?.id ?? 0)
    }

    private func parameters(
        of frame: SDL.ControlFrame, _ session: HeadUnitSession?
    ) -> [Value.Member] {
        switch frame {
        case .endService:
            session.map { [.init("hashId", .integer(Int64($0.hashID)))] } ?? []
        case .transportEventUpdate:
            [.init("tcpIpAddress", "127.0.0.1"), .init("tcpPort", 12345)]
        default:
            []
        }
    }

    private func answer(
        _ frame: SDL.ControlFrame, to message: SDL.Message, on connection: PeerConnection
    ) -> OutgoingMessage {
        switch frame {
        case .startServiceACK:
            acknowledgement(of: message, on: connection)
        case .startServiceNAK, .endServiceNAK, .registerSecondaryTransportNAK:
            negative(frame, message, refusal(frame, message, on: connection))
        default:
            plain(frame, message)
        }
    }

    private func refusal(
        _ frame: SDL.ControlFrame, _ message: SDL.Message, on connection: PeerConnection
    ) -> ControlRefusal {
        switch frame {
        case .startServiceNAK: refusalToStart(message, on: connection) ?? ControlRefusal("refused")
        case .endServiceNAK: refusalToEnd(message, on: connection) ?? ControlRefusal("refused")
        default: ControlRefusal("no secondary transport is offered")
        }
    }
}

extension SDL.ControlFrame {
    /// The frame that this one answers; `nil` if it is not an answer.
    fileprivate var answered: SDL.ControlFrame? {
        switch self {
        case .startServiceACK, .startServiceNAK: .startService
        case .endServiceACK, .endServiceNAK: .endService
        case .registerSecondaryTransportACK, .registerSecondaryTransportNAK:
            .registerSecondaryTransport
        case .heartbeatACK: .heartbeat
        default: nil
        }
    }
}

extension SDL.Message {
    /// The parameters, if this is a control frame.
    var controlParameters: Value {
        if case .control(_, let parameters) = content { parameters } else { .object([]) }
    }
}
