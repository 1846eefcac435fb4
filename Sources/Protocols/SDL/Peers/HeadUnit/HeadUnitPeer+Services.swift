import PeerKit
import SDL
import Wire

/// Accepted services, and the changes that they cause (SDL protocol 4.2, 4.3, 6).
extension HeadUnitPeer {
    /// Creates a frame without parameters, with the session and version of the message.
    func plain(_ frame: SDL.ControlFrame, _ message: SDL.Message) -> OutgoingMessage {
        OutgoingMessage(
            frame, service: message.header.serviceType, version: message.header.version,
            sessionID: message.header.sessionID)
    }

    func negotiation(_ message: SDL.Message) -> VersionNegotiation {
        let offered = message.controlParameters["protocolVersion"]?.stringValue
        return VersionNegotiation(
            offered: offered.flatMap { ProtocolVersion($0) }, own: settings.protocolVersion)
    }

    func acknowledgement(
        of message: SDL.Message, on connection: PeerConnection
    ) -> OutgoingMessage {
        message.header.service == .rpc && message.header.sessionID == 0
            ? sessionStart(message, on: connection) : serviceStart(message)
    }

    private func sessionStart(
        _ message: SDL.Message, on connection: PeerConnection
    ) -> OutgoingMessage {
        let negotiation = negotiation(message)
        let state = connections[connection]
        let id = state?.freeSessionID(from: settings.sessionID) ?? settings.sessionID
        var parameters: [Value.Member] = []
        if negotiation.headerVersion > 1 {
            let hash = hashID(connection: state?.number ?? 1, session: id)
            parameters.append(.init("hashId", .integer(Int64(hash))))
        }
        if negotiation.headerVersion >= 5 {
            parameters.append(.init("mtu", announcedMTU))
            parameters.append(
                .init("protocolVersion", .string(negotiation.version.description)))
        }
        if negotiation.version >= ProtocolVersion(5, 4, 0) {
            parameters += settings.vehicle.objectValue ?? []
            parameters += [
                .init("systemSoftwareVersion", HeadUnitCapabilities.systemSoftwareVersion),
                .init("systemHardwareVersion", HeadUnitCapabilities.systemHardwareVersion),
            ]
        }
        return OutgoingMessage(
            .startServiceACK, service: message.header.serviceType, parameters: parameters,
            version: negotiation.headerVersion, sessionID: id)
    }

    private func serviceStart(_ message: SDL.Message) -> OutgoingMessage {
        var answer = plain(.startServiceACK, message)
        guard answer.version >= 5, [.audio, .video].contains(message.header.service) else {
            return answer
        }
        var parameters: [Value.Member] = [.init("mtu", announcedMTU)]
        if message.header.service == .video {
            parameters += (message.controlParameters.objectValue ?? []).filter {
                ["height", "width", "videoProtocol", "videoCodec"].contains($0.name)
            }
        }
        answer.content = .control(.startServiceACK, parameters: .object(parameters))
        return answer
    }

    private var announcedMTU: Value {
        .integer(Int64(settings.mtu ?? HeadUnitSettings.defaultMTU))
    }

    /// Returns the hash as sdl_core builds it: the connection's number above the session's.
    private func hashID(connection: Int, session: UInt8) -> Int32 {
        settings.hashID ?? Int32(truncatingIfNeeded: connection << 16 | Int(session))
    }

    /// Advances the state after a control frame has been sent.
    mutating func advance(
        _ frame: SDL.ControlFrame, _ sent: OutgoingMessage, parameters: Value,
        answering message: SDL.Message?, on connection: PeerConnection
    ) {
        let isRPC = sent.serviceType == SDL.ServiceType.rpc.rawValue
        switch frame {
        case .startServiceACK where isRPC:
            start(sent, parameters, answering: message, on: connection)
        case .startServiceACK:
            connections[connection]?.change(sent.sessionID) { session in
                session.services.insert(sent.serviceType)
            }
        case .endServiceACK where isRPC:
            end(connections[connection]?.sessions[sent.sessionID]?.app)
            connections[connection]?.end(sent.sessionID)
        case .endServiceACK:
            connections[connection]?.change(sent.sessionID) { session in
                session.services.remove(sent.serviceType)
            }
        default:
            break
        }
    }

    private mutating func start(
        _ sent: OutgoingMessage, _ parameters: Value, answering message: SDL.Message?,
        on connection: PeerConnection
    ) {
        guard connections[connection]?.sessions[sent.sessionID] == nil else { return }
        let hash = parameters["hashId"]?.integerValue.flatMap { Int32(exactly: $0) }
        let stated = parameters["protocolVersion"]?.stringValue.flatMap { ProtocolVersion($0) }
        let agreed = message.map { self.negotiation($0) }
        var session = HeadUnitSession(
            id: sent.sessionID,
            negotiation: agreed
                ?? VersionNegotiation(offered: stated, own: settings.protocolVersion),
            hashID: hash
                ?? hashID(connection: connections[connection]?.number ?? 1, session: sent.sessionID)
        )
        session.headerVersion = sent.version
        session.mtu = parameters["mtu"]?.integerValue.flatMap { Int(exactly: $0) }
        if let stated { session.version = stated }
        connections[connection]?.start(session)
    }
}
