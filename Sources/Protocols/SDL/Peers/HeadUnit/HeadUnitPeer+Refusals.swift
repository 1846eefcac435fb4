import PeerKit
import SDL
import Wire

/// The reason for refusing a control frame.
struct ControlRefusal {
    let reason: String
    let rejectedParameters: [Value]

    init(_ reason: String, rejecting parameters: [Value] = []) {
        self.reason = reason
        rejectedParameters = parameters
    }
}

/// Refusals of a head unit, and how it sends them (SDL protocol 3.1.3, 4.2.4, 6.2).
extension HeadUnitPeer {
    func refusalToStart(
        _ message: SDL.Message, on connection: PeerConnection
    ) -> ControlRefusal? {
        guard let service = message.header.service, service != .control else {
            return ControlRefusal("service \(message.header.serviceType) is not supported")
        }
        if message.header.isEncrypted { return ControlRefusal("encryption is not supported") }
        guard service == .rpc else {
            let session = connections[connection]?.sessions[message.header.sessionID]
            if session == nil { return ControlRefusal("there is no such session") }
            return session?.app == nil ? ControlRefusal("the app is not registered") : nil
        }
        if message.header.sessionID != 0 {
            return ControlRefusal("the session has its RPC service")
        }
        if let text = message.controlParameters["protocolVersion"]?.stringValue,
            ProtocolVersion(text) == nil
        {
            return ControlRefusal(
                "protocolVersion is not understood", rejecting: ["protocolVersion"])
        }
        let isFull = connections[connection]?.freeSessionID(from: settings.sessionID) == nil
        return isFull ? ControlRefusal("no session is free") : nil
    }

    func refusalToEnd(_ message: SDL.Message, on connection: PeerConnection) -> ControlRefusal? {
        guard let session = connections[connection]?.sessions[message.header.sessionID] else {
            return ControlRefusal("there is no such session")
        }
        guard session.services.contains(message.header.serviceType) else {
            return ControlRefusal("the service is not open")
        }
        guard message.header.service == .rpc, message.header.version > 1 else { return nil }
        let hash = message.controlParameters["hashId"]?.integerValue
        guard hash == Int64(session.hashID), hash != 0 else {
            return ControlRefusal("the hash is not that of the session", rejecting: ["hashId"])
        }
        return nil
    }

    /// Creates a NAK; it has rejected parameters since 5.0.0 and the reason since 5.3.0.
    func negative(
        _ frame: SDL.ControlFrame, _ message: SDL.Message, _ refusal: ControlRefusal
    ) -> OutgoingMessage {
        var answer = plain(frame, message)
        if frame == .startServiceNAK, message.header.service == .rpc {
            if message.header.sessionID == 0 {
                answer.version = negotiation(message).headerVersion
            }
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
