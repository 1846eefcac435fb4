extension HTTPHead {
    /// Returns the whole message on the wire.
    ///
    /// It adds the length of the body unless the head has it (RFC 9112 6).
    ///
    /// - Parameters:
    ///   - body: The body; omitted where there cannot be one (1xx, 204, 304, an answer to HEAD).
    ///   - isChunked: Whether it is sent in one chunk instead of with its length.
    ///   - method: For a response, the method of the request that it answers.
    public func message(
        _ body: [UInt8], isChunked: Bool = false, answering method: String? = nil
    ) -> [UInt8] {
        var head = self
        var hasBody = true
        var mayHaveLength = true
        switch start {
        case .request(let method, _):
            mayHaveLength = !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method)
        case .response(let status, _):
            mayHaveLength = status >= 200 && status != 204 && status != 304
            hasBody = mayHaveLength && method != "HEAD"
        }
        let isFramed = self["Content-Length"] != nil || self["Transfer-Encoding"] != nil
        if isChunked, self["Transfer-Encoding"] == nil {
            head.fields.append(Field("Transfer-Encoding", "chunked"))
        } else if !isFramed, mayHaveLength {
            head.fields.append(Field("Content-Length", "\(body.count)"))
        }
        guard hasBody else { return head.bytes }
        guard isChunked else { return head.bytes + body }
        let chunk =
            body.isEmpty
            ? [] : Array((String(body.count, radix: 16) + "\r\n").utf8) + body + [13, 10]
        return head.bytes + chunk + Array("0\r\n\r\n".utf8)
    }

    /// Returns the reason phrase of RFC 9110 15 for a status; empty if it has none.
    public static func reason(of status: Int) -> String { reasons[status] ?? "" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created",
        202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 422: "Unprocessable Content",
        426: "Upgrade Required", 429: "Too Many Requests", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
