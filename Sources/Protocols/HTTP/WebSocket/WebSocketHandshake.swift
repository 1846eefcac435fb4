import Wire

extension WebSocket {
    /// The reason why a server cannot accept a WebSocket request, as an HTTP status.
    public enum HandshakeRefusal: Int, Error, Sendable, Hashable {
        /// It is not a request for a WebSocket, or lacks a key.
        case badRequest = 400
        /// It requests a version other than 13.
        case upgradeRequired = 426
    }

    /// Appended to the client's key before it is hashed (RFC 6455 1.3).
    private static let acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Returns the value by which a server proves that it has read the client's key (RFC 6455
    /// 4.2.2).
    public static func acceptKey(for key: String) -> String {
        Base64.text(of: SHA1.hash(of: Array((key + acceptSuffix).utf8)))
    }

    /// Returns the head by which a server accepts a request (RFC 6455 4.2.2).
    ///
    /// - Throws: `HandshakeRefusal` for a request that it must not accept.
    public static func acceptance(of request: HTTPHead) throws(HandshakeRefusal) -> HTTPHead {
        guard case .request("GET", _) = request.start, request.isWebSocket,
            let key = request["Sec-WebSocket-Key"], Base64.bytes(of: key)?.count == 16
        else { throw .badRequest }
        guard request["Sec-WebSocket-Version"] == "13" else { throw .upgradeRequired }
        return HTTPHead(
            .response(status: 101, reason: "Switching Protocols"),
            fields: [
                HTTPHead.Field("Upgrade", "websocket"), HTTPHead.Field("Connection", "Upgrade"),
                HTTPHead.Field("Sec-WebSocket-Accept", acceptKey(for: key)),
            ])
    }
}
