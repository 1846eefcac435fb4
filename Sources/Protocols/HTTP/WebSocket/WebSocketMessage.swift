import Wire

extension WebSocket {
    /// A message of a WebSocket connection: the handshake, a complete message, or a control frame.
    public struct Message: DissectedMessage, Hashable {
        /// The kind and content of a message.
        public enum Content: Sendable, Hashable {
            /// The head of the handshake's request or response.
            case handshake(HTTPHead)
            /// The first frame's header with the payload of all frames, and the number of frames.
            case frames(Frame, count: Int)
            /// Bytes that are not a frame.
            case malformed(String)
        }

        /// What the message contains.
        public let content: Content
        /// The anomalies of the message.
        public let anomalies: [Anomaly]
        /// The bytes on the wire; a sample of malformed ones.
        public let bytes: [UInt8]
        /// Why a malformed message was not read, if the reason is a limit of the decoder.
        public let unread: Unread?

        /// Creates a message.
        public init(
            _ content: Content, bytes: [UInt8], anomalies: [Anomaly] = [], unread: Unread? = nil
        ) {
            self.content = content
            self.unread = unread
            self.bytes = bytes
            self.anomalies = anomalies
        }

        /// `websocket.` and the kind of message.
        public var name: String {
            switch content {
            case .handshake(let head):
                if case .request = head.start { "websocket.request" } else { "websocket.response" }
            case .frames(let frame, _): "websocket.\(frame.opcode.name ?? "reserved")"
            case .malformed: "websocket.malformed"
            }
        }

        /// The parts of the head, or the frame's header and payload.
        public var fields: Value {
            switch content {
            case .handshake(let head): return head.value
            case .malformed(let what): return ["error": .string(what)]
            case .frames(let frame, let count):
                let header: Value = [
                    "fin": .bool(frame.isFinal), "rsv": .integer(Int64(frame.reserved)),
                    "opcode": .integer(Int64(frame.opcode.rawValue)),
                    "mask": .bool(frame.maskingKey != nil),
                    "payload_length": .integer(Int64(frame.payload.count)),
                    "frames": .integer(Int64(count)),
                ]
                return .object([Value.Member("websocket", header)] + payload(of: frame))
            }
        }

        private func payload(of frame: Frame) -> [Value.Member] {
            switch frame.opcode {
            case .text:
                return [
                    Value.Member(
                        "text", .string(String(decoding: frame.payload, as: UTF8.self)))
                ]
            case .close where frame.payload.count >= 2:
                let code = Int64(frame.payload[0]) << 8 | Int64(frame.payload[1])
                let reason = String(decoding: frame.payload.dropFirst(2), as: UTF8.self)
                return [
                    Value.Member(
                        "close", ["status_code": .integer(code), "reason": .string(reason)])
                ]
            default: return [Value.Member("data", .bytes(frame.payload))]
            }
        }
    }

    /// The messages that suites can name.
    public static let description = ProtocolDescription(
        name: "websocket", firstCode: 384, title: "WebSocket",
        messages: [
            message("request", "The HTTP request of the handshake.", "RFC 6455 4.1", requestFields),
            message(
                "response", "The HTTP response of the handshake.", "RFC 6455 4.2.2",
                [
                    FieldDescription("http.response.code", .integer(0...999), isMandatory: true),
                    FieldDescription("headers", .any, isMandatory: true),
                ]),
            message(
                "text", "A complete text message.", "RFC 6455 5.6",
                frameFields + [FieldDescription("text", .string(maxLength: nil))]),
            message("binary", "A complete binary message.", "RFC 6455 5.6", frameFields + data),
            message(
                "close", "The end of the connection.", "RFC 6455 5.5.1",
                frameFields + data + [
                    FieldDescription("close.status_code", .integer(0...0xFFFF)),
                    FieldDescription("close.reason", .string(maxLength: nil)),
                ]),
            message("ping", "Asks for a pong.", "RFC 6455 5.5.2", frameFields + data),
            message("pong", "Answers a ping.", "RFC 6455 5.5.3", frameFields + data),
            message(
                "continuation", "A continuation without a message.", "RFC 6455 5.4",
                frameFields + data, isFragment: true),
            message("reserved", "A frame of no known kind.", "RFC 6455 5.2", frameFields + data),
            message(
                "malformed", "Bytes that are not a frame.", "RFC 6455 5.2",
                [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    static let requestFields = [
        FieldDescription("http.request.method", .string(maxLength: nil), isMandatory: true),
        FieldDescription("http.request.uri", .string(maxLength: nil), isMandatory: true),
        FieldDescription("headers", .any, isMandatory: true),
    ]

    private static let data = [FieldDescription("data", .bytes)]

    private static let frameFields = [
        FieldDescription("websocket.fin", .boolean, isMandatory: true, isFraming: true),
        FieldDescription("websocket.rsv", .integer(0...7), isMandatory: true, isFraming: true),
        FieldDescription("websocket.opcode", .integer(0...15), isMandatory: true, isFraming: true),
        FieldDescription("websocket.mask", .boolean, isMandatory: true),
        FieldDescription(
            "websocket.payload_length", .integer(0...Int64.max), isMandatory: true, isFraming: true),
        FieldDescription("websocket.frames", .integer(1...Int64.max), isMandatory: true),
    ]

    private static func message(
        _ name: String, _ summary: String, _ specification: String, _ fields: [FieldDescription],
        isFragment: Bool = false
    ) -> MessageDescription {
        MessageDescription(
            name: "websocket.\(name)", summary: summary, specification: specification,
            fields: fields, isFragment: isFragment)
    }
}

extension HTTPHead {
    /// The parts under Wireshark's names; header fields by their lower-case names.
    package var value: Value {
        let start: Value
        switch self.start {
        case .request(let method, let target):
            start = ["request": ["method": .string(method), "uri": .string(target)]]
        case .response(let status, _):
            start = ["response": ["code": .integer(Int64(status))]]
        }
        let headers = fields.map { Value.Member($0.name.lowercased(), .string($0.value)) }
        return .object([Value.Member("http", start), Value.Member("headers", .object(headers))])
    }
}
