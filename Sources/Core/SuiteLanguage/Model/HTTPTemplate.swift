import HTTP
import Wire

/// An HTTP message in the script of a peer.
public struct HTTPTemplate: Sendable, Hashable {
    /// The content of the first line.
    public enum Start: Sendable, Hashable {
        case request(method: String, target: ByteExpression)
        case response(status: Int, reason: String)
    }

    /// A header field.
    public struct Field: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: ByteExpression
    }

    /// The content of the first line.
    public var start: Start
    /// The header fields; the length of the body and the host of a request are added.
    public var fields: [Field] = []
    /// The body.
    public var body: ByteExpression?
    /// The body as a value that is sent as JSON.
    public var json: ValueExpression?
    /// Whether the body is sent in a chunk instead of with its length.
    public var isChunked = false

    /// Returns the message with all variables replaced by their values.
    ///
    /// - Parameters:
    ///   - variables: The values.
    ///   - host: The host to which a request is sent.
    ///   - method: For a response, the method of the request that it answers.
    /// - Throws: Why it has no value: a variable without a value, or one of a wrong type.
    public func bytes(
        _ variables: [String: Value], host: String, answering method: String?
    ) throws(EvaluationError) -> [UInt8] {
        var head: HTTPHead
        switch start {
        case .request(let method, let target):
            head = HTTPHead(
                .request(method: method, target: try Self.text(target, variables)), fields: [])
        case .response(let status, let reason):
            head = HTTPHead(.response(status: status, reason: reason), fields: [])
        }
        for field in fields {
            head.fields.append(HTTPHead.Field(field.name, try Self.text(field.value, variables)))
        }
        var body: [UInt8] = []
        if let json {
            body = Array(try json.evaluate(variables).jsonText().utf8)
            if head["Content-Type"] == nil {
                head.fields.append(HTTPHead.Field("Content-Type", "application/json"))
            }
        } else if let expression = self.body {
            body = try expression.evaluate(variables)
        }
        return head.addressed(to: host).message(body, isChunked: isChunked, answering: method)
    }

    private static func text(
        _ expression: ByteExpression, _ variables: [String: Value]
    ) throws(EvaluationError) -> String {
        String(decoding: try expression.evaluate(variables), as: UTF8.self)
    }
}

extension HTTPHead {
    /// Returns a request with the field Host, which is mandatory (RFC 9112 3.2); a response is
    /// unchanged.
    public func addressed(to host: String) -> HTTPHead {
        guard case .request = start, self["Host"] == nil else { return self }
        var head = self
        head.fields.insert(Field("Host", host), at: 0)
        return head
    }
}
