import HTTP
import WebSocket
import Wire

/// A wish for a session, or for one that was lost, as the request of a WebSocket's handshake.
struct ConnectRequest: Sendable {
    /// The version of the protocol: the one of client 6.5.
    static let protocolVersion: UInt8 = 18
    /// What kind of client it is: `WB`, as clients in browsers call themselves.
    static let clientType = "WB"
    /// What it is able to take: unified topics (8), no compression.
    static let capabilities = 8

    /// What a client tells of the session that it wants again.
    struct Resumption: Sendable, Hashable {
        /// The session's token.
        var token: [UInt8]
        /// The first message of the client that could be sent again.
        var clientSequence: Int
        /// The last message of the server that has come.
        var serverSequence: Int
    }

    /// What the client is configured with.
    let configuration: SessionConfiguration
    /// The reconnection timeout that the server is told, in milliseconds.
    let reconnectionTimeout: Int
    /// The session that is wanted again; `nil` for a new one.
    let resumption: Resumption?

    private var parameters: [HTTPHead.Field] {
        var fields = [
            HTTPHead.Field("v", String(Self.protocolVersion)),
            HTTPHead.Field("ty", Self.clientType),
            HTTPHead.Field("ca", String(Self.capabilities)),
            HTTPHead.Field("r", String(reconnectionTimeout)),
        ]
        if let principal = configuration.principal {
            fields.append(HTTPHead.Field("username", principal))
        }
        if let password = configuration.password {
            fields.append(HTTPHead.Field("password", Self.credentials(password)))
        }
        if let resumption {
            fields += [
                HTTPHead.Field("c", String(decoding: resumption.token, as: UTF8.self)),
                HTTPHead.Field("cs", String(resumption.clientSequence)),
                HTTPHead.Field("ss", String(resumption.serverSequence)),
            ]
        }
        return fields
    }

    /// A password as it is sent: kind, length and text, in base 64.
    private static func credentials(_ password: String) -> String {
        let text = Array(password.utf8)
        var bytes: [UInt8] = [1]
        var rest = text.count
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return Base64.text(of: bytes + [UInt8(rest)] + text)
    }

    /// The head of the request.
    ///
    /// - Parameters:
    ///   - host: What the server is called.
    ///   - key: 16 bytes, drawn for each connection.
    func head(host: String, key: String) -> HTTPHead {
        let query = parameters.map { "\($0.name)=\(Self.escaped($0.value))" }
        let isInQuery = configuration.carrier == .query
        let target = configuration.path + (isInQuery ? "?" + query.joined(separator: "&") : "")
        let fields = [
            HTTPHead.Field("Host", host), HTTPHead.Field("Upgrade", "websocket"),
            HTTPHead.Field("Connection", "Upgrade"), HTTPHead.Field("Sec-WebSocket-Key", key),
            HTTPHead.Field("Sec-WebSocket-Version", "13"),
        ]
        let headers = parameters.map { HTTPHead.Field($0.name, Self.singleLine($0.value)) }
        return HTTPHead(
            .request(method: "GET", target: target), fields: fields + (isInQuery ? [] : headers))
    }

    /// A value as a query takes it (RFC 3986 2.3).
    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            let character = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (character.properties.isAlphabetic || (0x30...0x39).contains(byte))
            if isPlain || "-._~".unicodeScalars.contains(character) {
                escaped.unicodeScalars.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// A value as a header field takes it: without line ends.
    private static func singleLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
