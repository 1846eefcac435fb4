import HTTP
import Wire

/// A request for a new or a lost session, sent as the request of a WebSocket's handshake.
struct ConnectRequest: Sendable {
    /// The version of the protocol: that of client 6.5.
    static let protocolVersion: UInt8 = 18
    /// The kind of client: `WB`, which is what clients in browsers send.
    static let clientType = "WB"
    /// The capabilities of the client: unified topics (8), no compression.
    static let capabilities = 8

    /// The data with which a client requests a lost session again.
    struct Resumption: Sendable, Hashable {
        /// The session's token.
        var token: [UInt8]
        /// The first message of the client that can be sent again.
        var clientSequence: Int
        /// The last message of the server that was received.
        var serverSequence: Int
    }

    /// The configuration of the client.
    let configuration: SessionConfiguration
    /// The reconnection timeout that is sent to the server, in milliseconds.
    let reconnectionTimeout: Int
    /// The session to resume; `nil` for a new one.
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

    /// Returns a password as it is sent: kind, length and text, in Base64.
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

    /// Returns the header of the request.
    ///
    /// - Parameters:
    ///   - host: The name of the server.
    ///   - key: 16 random bytes, different for each connection.
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

    /// Returns a value with the escapes of a query (RFC 3986 2.3).
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

    /// Returns a value that is valid in a header field: without line ends.
    private static func singleLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
