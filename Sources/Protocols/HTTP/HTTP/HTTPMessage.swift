import Wire

extension HTTP {
    /// A request or response with its body, or bytes of the connection that are neither.
    public struct Message: DissectedMessage, Hashable {
        /// The kind and content of a message.
        public enum Content: Sendable, Hashable {
            /// The head of a request or response.
            case head(HTTPHead)
            /// Bytes after the connection was switched to another protocol (101, or CONNECT).
            case data
            /// Bytes that are not a message, and the reason.
            case malformed(String)
        }

        /// The request that a response answers.
        public struct Request: Sendable, Hashable {
            /// Its method.
            public let method: String
            /// Its target.
            public let target: String
            /// The number after `HTTP/1.`.
            let minorVersion: Int
        }

        /// What the message contains.
        public let content: Content
        /// The body without its codings.
        private var plain: PlainBody
        /// The length of the body in bytes.
        private var bodyLength = 0
        /// The fields after a chunked body.
        public var trailers: [HTTPHead.Field] = []
        /// The request that it answers; `nil` for a request, and if that is unknown.
        public var request: Request?
        /// The violations in its head.
        var found: [Anomaly] = []
        /// The bytes on the wire; only the first ones of malformed bytes and of a long body.
        public var bytes: [UInt8]

        /// Creates a message without a body.
        public init(_ content: Content, bytes: [UInt8]) {
            self.content = content
            self.bytes = bytes
            if case .head = content { plain = PlainBody([]) } else { plain = PlainBody(bytes) }
        }

        /// Sets the body and undoes its codings.
        ///
        /// - Parameters:
        ///   - body: The body without chunks; `nil` if it is longer than `Limits.body`.
        ///   - length: Its length in bytes.
        ///   - allowance: The allowance for the bodies of the direction.
        mutating func setBody(
            _ body: [UInt8]?, of length: Int, _ allowance: inout InflationAllowance
        ) {
            bodyLength = length
            guard let body, let head else {
                plain = PlainBody(body)
                return
            }
            plain = PlainBody(body, of: head, &allowance)
        }

        /// The head of a request or response.
        public var head: HTTPHead? {
            if case .head(let head) = content { head } else { nil }
        }

        /// `http.request`, `http.response`, `http.data` or `http.malformed`.
        public var name: String {
            switch content {
            case .head(let head):
                if case .request = head.start { "http.request" } else { "http.response" }
            case .data: "http.data"
            case .malformed: "http.malformed"
            }
        }

        /// Whether it is a response before the final one (RFC 9110 15.2).
        public var isInterim: Bool {
            guard case .response(let status, _)? = head?.start else { return false }
            return status < 200 && status != 101
        }

        /// The anomalies of its head and its body.
        public var anomalies: [Anomaly] {
            var all = found
            if let excess = plain.excess {
                all.append(Anomaly(.warning, excess, specification: "RFC 9110 6.4"))
            }
            if let anomaly = plain.anomaly { all.append(anomaly) }
            if case .failure(let error)? = json, error.code != .limit {
                all.append(
                    Anomaly(.violation, "the body is not JSON", specification: "RFC 8259 2"))
            }
            return all
        }

        /// The start line under Wireshark's names, the header fields by their lower-case names, and
        /// the body.
        public var fields: Value {
            var members: [Value.Member] = []
            switch content {
            case .head(let head):
                members = [
                    Value.Member("http", line(of: head)), Self.member("headers", head.fields),
                ]
                if !trailers.isEmpty { members.append(Self.member("trailers", trailers)) }
                members.append(Value.Member("length", .integer(Int64(bodyLength))))
            case .data: break
            case .malformed(let error): members = [Value.Member("error", .string(error))]
            }
            // The body appears once, in its actual form: conditions may name `data` and `text` of
            // any.
            if let data = plain.content {
                if case .success(let json)? = json {
                    members.append(Value.Member("json", json))
                } else if let text = text(of: data) {
                    members.append(Value.Member("text", .string(text)))
                } else {
                    members.append(Value.Member("data", .bytes(data)))
                }
            }
            return .object(members)
        }

        /// The value at one path.
        public func field(_ path: FieldPath) -> Value? {
            guard case .name(let name)? = path.components.first, path.components.count == 1 else {
                return fields[path]
            }
            switch name {
            case "data": return plain.content.map(Value.bytes)
            case "text": return plain.content.flatMap(text).map(Value.string)
            default: return fields[path]
            }
        }

        private func line(of head: HTTPHead) -> Value {
            var members: [Value.Member]
            switch head.start {
            case .request(let method, let target):
                members = [
                    Value.Member(
                        "request",
                        [
                            "method": .string(method), "uri": .string(target),
                            "version": .string(head.version),
                        ])
                ]
            case .response(let status, let phrase):
                members = [
                    Value.Member(
                        "response",
                        [
                            "code": .integer(Int64(status)), "phrase": .string(phrase),
                            "version": .string(head.version),
                        ])
                ]
                if let request {
                    members.append(
                        Value.Member(
                            "response_for",
                            ["method": .string(request.method), "uri": .string(request.target)]))
                }
            }
            return .object(members)
        }

        /// Fields by their names; the values of equal names form one list (RFC 9110 5.3).
        private static func member(_ name: String, _ fields: [HTTPHead.Field]) -> Value.Member {
            var members: [Value.Member] = []
            var places: [String: Int] = [:]
            for field in fields {
                let name = field.name.lowercased()
                if let place = places[name], let former = members[place].value.stringValue {
                    members[place].value = .string(former + ", " + field.value)
                } else {
                    places[name] = members.count
                    members.append(Value.Member(name, .string(field.value)))
                }
            }
            return Value.Member(name, .object(members))
        }

        // MARK: - The body

        /// The body, if it has more bytes than are kept, or its JSON is nested too deep.
        public var unread: Unread? {
            if let excess = plain.excess {
                return Unread(["data", "text", "json"], because: excess)
            }
            // Few bodies can exceed the limit, and need to be parsed for it.
            let opening = Set("[{".utf8)
            guard let data = plain.content,
                data.count(where: opening.contains) > JSONLimits.maximumDepth,
                case .failure(let error)? = json, error.code == .limit
            else { return nil }
            return Unread(["json"], because: "the body is \(error.detail)")
        }

        private func text(of data: [UInt8]) -> String? {
            if case .malformed = content { return nil }
            return String(validating: data, as: UTF8.self)
        }

        /// Whether the head says that the body is JSON (RFC 8259 11, RFC 6839 3.1), all of it.
        private var isJSON: Bool {
            guard !plain.isCoded, let head, PlainBody.isWhole(head),
                let type = head["Content-Type"]?.prefix(while: { $0 != ";" }).lowercased()
            else { return false }
            let word = type.split(separator: " ").first ?? ""
            return word.hasSuffix("/json") || word.hasSuffix("+json")
        }

        /// The body as JSON; `nil` if it is not to be read as such.
        private var json: Result<Value, DecodeError>? {
            guard isJSON, let data = plain.content else { return nil }
            return Result { () throws(DecodeError) in try Value(anyJSON: data.span.bytes) }
        }
    }

    /// The messages that suites can name.
    public static let description = ProtocolDescription(
        name: "http", firstCode: 416, title: "HTTP/1.1",
        messages: [
            MessageDescription(
                name: "http.request", summary: "A request with its body.",
                specification: "RFC 9112 3",
                fields: [
                    FieldDescription(
                        "http.request.method", .string(maxLength: nil), isMandatory: true),
                    FieldDescription(
                        "http.request.uri", .string(maxLength: nil), isMandatory: true),
                    FieldDescription(
                        "http.request.version", .string(maxLength: nil), isMandatory: true),
                ] + common, response: "http.response"),
            MessageDescription(
                name: "http.response", summary: "A response with its body.",
                specification: "RFC 9112 4",
                fields: [
                    FieldDescription(
                        "http.response.code", .integer(100...999), isMandatory: true),
                    FieldDescription(
                        "http.response.phrase", .string(maxLength: nil), isMandatory: true),
                    FieldDescription(
                        "http.response.version", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("http.response_for.method", .string(maxLength: nil)),
                    FieldDescription("http.response_for.uri", .string(maxLength: nil)),
                ] + common),
            MessageDescription(
                name: "http.data",
                summary: "Bytes after the connection was handed to another protocol.",
                specification: "RFC 9110 7.8 and 9.3.6", fields: body),
            MessageDescription(
                name: "http.malformed", summary: "Bytes that are not a message.",
                specification: "RFC 9112 2.2",
                fields: [
                    FieldDescription("error", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("data", .bytes),
                ]),
        ], fields: [])

    private static let body = [
        FieldDescription("data", .bytes), FieldDescription("text", .string(maxLength: nil)),
    ]

    private static let common =
        [
            FieldDescription("headers", .any, isMandatory: true),
            FieldDescription("trailers", .any),
            FieldDescription("length", .integer(0...Int64.max), isMandatory: true),
            FieldDescription("json", .any),
        ] + body
}
