import Protocols

/// Control frames: services, heartbeat, secondary transports (SDL protocol 4).
extension HeadUnitPeer {
    /// Reacts to a control frame of the device.
    mutating func react(
        to frame: SDL.ControlFrame, _ message: SDL.Message, on connection: PeerConnection,
        withholdsAnswer: Bool
    ) -> [PeerCommand] {
        connections[connection]?.latestControl[frame] = message
        if frame == .endServiceACK, message.header.service == .rpc {
            connections[connection]?.end(message.header.sessionID)
        }
        guard !withholdsAnswer, let answer = answer(to: frame, message, on: connection) else {
            return []
        }
        return transmit(answer, on: connection, answering: message)
    }

    /// What the head unit itself answers to a control frame; `nil` if nothing.
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
            return message.header.version >= 3 ? plain(.heartbeatACK, message) : nil
        case .registerSecondaryTransport:
            return negative(
                .registerSecondaryTransportNAK, message,
                Refusal("no secondary transport is offered"))
        default:
            return nil
        }
    }

    /// The default of a control frame that a suite sends.
    func defaultControl(
        _ frame: SDL.ControlFrame, answering message: SDL.Message?, on connection: PeerConnection
    ) throws(PeerError) -> OutgoingMessage {
        if let request = frame.answered {
            guard let message = message ?? connections[connection]?.latestControl[request] else {
                throw PeerError(
                    .badField, "there is no \(request.messageName) to answer",
                    advice: "expect sdl.\(request.messageName) before, or name it with `answers`")
            }
            return answer(frame, to: message, on: connection)
        }
        let session = connections[connection]?.latestSession
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
    ) -> Refusal {
        switch frame {
        case .startServiceNAK: refusalToStart(message, on: connection) ?? Refusal("refused")
        case .endServiceNAK: refusalToEnd(message, on: connection) ?? Refusal("refused")
        default: Refusal("no secondary transport is offered")
        }
    }
}

// MARK: - Refusals

/// Why a control frame is refused.
private struct Refusal {
    let reason: String
    let rejectedParameters: [Value]

    init(_ reason: String, rejecting parameters: [Value] = []) {
        self.reason = reason
        rejectedParameters = parameters
    }
}

extension HeadUnitPeer {
    private func refusalToStart(
        _ message: SDL.Message, on connection: PeerConnection
    ) -> Refusal? {
        guard let service = message.header.service, service != .control else {
            return Refusal("service \(message.header.serviceType) is not supported")
        }
        if message.header.isEncrypted { return Refusal("encryption is not supported") }
        guard service == .rpc else {
            let session = connections[connection]?.sessions[message.header.sessionID]
            if session == nil { return Refusal("there is no such session") }
            return session?.app == nil ? Refusal("the app is not registered") : nil
        }
        if message.header.sessionID != 0 { return Refusal("the session has its RPC service") }
        if let text = message.controlParameters["protocolVersion"]?.stringValue,
            ProtocolVersion(text) == nil
        {
            return Refusal("protocolVersion is not understood", rejecting: ["protocolVersion"])
        }
        let isFull = connections[connection]?.freeSessionID(from: settings.sessionID) == nil
        return isFull ? Refusal("no session is free") : nil
    }

    private func refusalToEnd(_ message: SDL.Message, on connection: PeerConnection) -> Refusal? {
        guard let session = connections[connection]?.sessions[message.header.sessionID] else {
            return Refusal("there is no such session")
        }
        guard session.services.contains(message.header.serviceType) else {
            return Refusal("the service is not open")
        }
        guard message.header.service == .rpc, message.header.version > 1 else { return nil }
        let hash = message.controlParameters["hashId"]?.integerValue
        guard hash == Int64(session.hashID), hash != 0 else {
            return Refusal("the hash is not that of the session", rejecting: ["hashId"])
        }
        return nil
    }

    /// A NAK; rejected parameters since 5.0.0, the reason since 5.3.0.
    private func negative(
        _ frame: SDL.ControlFrame, _ message: SDL.Message, _ refusal: Refusal
    ) -> OutgoingMessage {
        var answer = plain(frame, message)
        if frame == .startServiceNAK, message.header.service == .rpc {
            answer.version = negotiation(message).headerVersion
            answer.sessionID = 0
            answer.messageID = 0
        }
        guard answer.version >= 5 else { return answer }
        var parameters: [Value.Member] = []
        if !refusal.rejectedParameters.isEmpty {
            parameters.append(.init("rejectedParams", .array(refusal.rejectedParameters)))
        }
        if settings.protocolVersion >= ProtocolVersion(5, 3, 0) {
            parameters.append(.init("reason", .string(refusal.reason)))
        }
        answer.content = .control(frame, parameters: .object(parameters))
        return answer
    }
}

// MARK: - Acceptance

extension HeadUnitPeer {
    /// A frame without parameters, of the session and version that it answers.
    private func plain(_ frame: SDL.ControlFrame, _ message: SDL.Message) -> OutgoingMessage {
        OutgoingMessage(
            frame, service: message.header.serviceType, version: message.header.version,
            sessionID: message.header.sessionID)
    }

    private func negotiation(_ message: SDL.Message) -> VersionNegotiation {
        let offered = message.controlParameters["protocolVersion"]?.stringValue
        return VersionNegotiation(
            offered: offered.flatMap { ProtocolVersion($0) }, own: settings.protocolVersion)
    }

    private func acknowledgement(
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
            parameters += HeadUnitCapabilities.vehicleType.objectValue ?? []
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

    /// As sdl_core makes it: the connection's number above the session's.
    private func hashID(connection: Int, session: UInt8) -> Int32 {
        settings.hashID ?? Int32(truncatingIfNeeded: connection << 16 | Int(session))
    }

    /// What a control frame that has been sent changes.
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
        let told = parameters["protocolVersion"]?.stringValue.flatMap { ProtocolVersion($0) }
        let negotiation = message.map { negotiation($0) }
        var session = HeadUnitSession(
            id: sent.sessionID,
            negotiation: negotiation
                ?? VersionNegotiation(offered: told, own: settings.protocolVersion),
            hashID: hash
                ?? hashID(connection: connections[connection]?.number ?? 1, session: sent.sessionID)
        )
        session.headerVersion = sent.version
        if let told { session.version = told }
        connections[connection]?.start(session)
    }
}

extension SDL.ControlFrame {
    /// The frame that this one answers, if it is an answer.
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
    fileprivate var controlParameters: Value {
        if case .control(_, let parameters) = content { parameters } else { .object([]) }
    }
}
