import HTTP
import Wire

/// A message of HTTP as the script of a peer says it.
public struct HTTPTemplate: Sendable, Hashable {
    /// What the first line says.
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

        /// Makes a field.
        public init(_ name: String, _ value: ByteExpression) {
            self.name = name
            self.value = value
        }
    }

    /// What the first line says.
    public var start: Start
    /// The header fields; how long the body is, and to whom a request goes, is added.
    public var fields: [Field] = []
    /// The body.
    public var body: ByteExpression?
    /// The body as a value that goes out as JSON.
    public var json: ValueExpression?
    /// Whether the body goes out in a chunk instead of with its length.
    public var isChunked = false

    /// Makes a message with neither fields nor a body.
    public init(_ start: Start) { self.start = start }

    /// The message with the values of all variables.
    ///
    /// - Parameters:
    ///   - variables: The values.
    ///   - host: Where a request goes.
    ///   - method: Of a response, the method of the request that it answers.
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
    /// A request with the field Host, which it must have (RFC 9112 3.2); a response as it is.
    public func addressed(to host: String) -> HTTPHead {
        guard case .request = start, self["Host"] == nil else { return self }
        var head = self
        head.fields.insert(Field("Host", host), at: 0)
        return head
    }
}
