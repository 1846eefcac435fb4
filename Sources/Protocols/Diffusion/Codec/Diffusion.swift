import HTTP
import Wire

/// Diffusion over WebSocket: sessions of a publish-and-subscribe server.
///
/// There is no public specification. The decoder reads what clients and servers of the versions
/// 14 to 28 were observed to write.
public enum Diffusion {
    /// The code of the server's response to a connection.
    public enum ResponseCode: UInt8, Sendable, Hashable, CaseIterable {
        case ok = 100
        case downgrade = 102
        case reconnected = 105
        case reconnectedWithMessageLoss = 106
        case reverseAccepted = 107
        case rejected = 111
        case licenceExceeded = 113
        case reconnectionUnsupported = 114
        case protocolError = 115
        case authenticationFailed = 116
        case unknownSession = 117
        case reconnectionFailedMessageLoss = 118
        case serverInitialising = 119

        /// Whether the response contains a session.
        public var isSuccess: Bool {
            self == .ok || self == .reconnected || self == .reconnectedWithMessageLoss
        }
    }

    /// The service number of a ping by the application.
    public static let userPing: UInt64 = 56
    /// The service number of a ping by the server.
    public static let systemPing: UInt64 = 55

    /// Whether a handshake belongs to Diffusion: its path ends in `/diffusion`.
    static func recognises(_ bytes: RawSpan, behind known: Int = 0) -> Bool? {
        WebSocket.recognises(bytes, behind: known) { head in
            head.isWebSocket && head.path?.hasSuffix("/diffusion") == true
        }
    }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol])

    /// Diffusion as a protocol over byte streams.
    public static let streamProtocol = StreamProtocol(
        name: "diffusion", recognises: { recognises($0, behind: $1) },
        makeConnectionDecoder: { _ in
            WebSocket.connection { WebSocket.Directions { Application() } }
        })

    /// Creates the decoder of one direction of a connection, for messages that are not compressed.
    public static func makeStreamDecoder() -> WebSocket.StreamDecoder {
        WebSocket.StreamDecoder(application: Application())
    }

    /// A converter of the heads and payloads of a WebSocket into Diffusion messages.
    struct Application: WebSocket.Application {
        /// Whether the next payload is the server's response to the connection.
        private var awaitsResponse = false

        mutating func message(
            of head: HTTPHead, bytes: [UInt8], anomalies: [Anomaly]
        ) -> (any DissectedMessage)? {
            guard case .request = head.start else {
                awaitsResponse = head.isWebSocket
                return nil
            }
            return Connect(head: head, bytes: bytes, anomalies: anomalies)
        }

        mutating func message(
            of frame: WebSocket.Frame, bytes: [UInt8], anomalies: [Anomaly]
        ) -> (any DissectedMessage)? {
            guard frame.opcode == .binary else { return nil }
            defer { awaitsResponse = false }
            if awaitsResponse, frame.payload.first == ConnectResponse.mark {
                do throws(DecodeError) {
                    return try ConnectResponse(
                        parsing: frame.payload, bytes: bytes, anomalies: anomalies)
                } catch {
                    return Message(
                        .malformed("\(error)"), payload: frame.payload, anomalies: anomalies)
                }
            }
            return Message(parsing: frame.payload, anomalies: anomalies)
        }
    }
}
