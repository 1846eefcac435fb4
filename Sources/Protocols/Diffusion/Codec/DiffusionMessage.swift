import Wire

extension Diffusion {
    /// A message of a session.
    public struct Message: DissectedMessage, Hashable {
        /// The kind and content of a message.
        public enum Content: Sendable, Hashable {
            case serviceRequest(service: UInt64, conversation: UInt64, body: [UInt8])
            case serviceResponse(conversation: UInt64, body: [UInt8])
            case serviceError(conversation: UInt64, body: [UInt8])
            case topicValue(topic: UInt32, body: [UInt8])
            case topicDelta(topic: UInt32, body: [UInt8])
            /// The server ends the session.
            case abort
            /// The client ends the session.
            case close
            /// An unknown type, or a compressed message.
            case other(type: UInt8, body: [UInt8])
            case malformed(String)
        }

        /// What the message contains.
        public let content: Content
        /// The payload of the WebSocket message.
        public let bytes: [UInt8]
        /// The anomalies of the frame.
        public let anomalies: [Anomaly]

        /// Creates a message.
        public init(_ content: Content, payload: [UInt8], anomalies: [Anomaly] = []) {
            self.content = content
            self.bytes = payload
            self.anomalies = anomalies
        }

        /// Reads a payload; one that cannot be read is malformed.
        init(parsing payload: [UInt8], anomalies: [Anomaly] = []) {
            bytes = payload
            self.anomalies = anomalies
            do throws(DecodeError) {
                content = try Self.content(of: payload)
            } catch {
                content = .malformed("\(error)")
            }
        }

        private static func content(of payload: [UInt8]) throws(DecodeError) -> Content {
            var reader = ByteReader(payload.span.bytes, unit: "diffusion")
            let type = try reader.uint8("type")
            switch type {
            case 0:
                let service = try varint(&reader)
                let conversation = try varint(&reader)
                return .serviceRequest(
                    service: service, conversation: conversation,
                    body: [UInt8](copying: reader.rest))
            case 6:
                let conversation = try varint(&reader)
                return .serviceResponse(
                    conversation: conversation, body: [UInt8](copying: reader.rest))
            case 7:
                let conversation = try varint(&reader)
                return .serviceError(
                    conversation: conversation, body: [UInt8](copying: reader.rest))
            case 4:
                let topic = try reader.uint32("topic")
                return .topicValue(topic: topic, body: [UInt8](copying: reader.rest))
            case 5:
                let topic = try reader.uint32("topic")
                return .topicDelta(topic: topic, body: [UInt8](copying: reader.rest))
            case 0x1C where reader.remaining == 0: return .abort
            case 0x1D where reader.remaining == 0: return .close
            default: return .other(type: type, body: [UInt8](copying: reader.rest))
            }
        }

        /// Reads a number in groups of seven bits, the lowest first.
        private static func varint(_ reader: inout ByteReader) throws(DecodeError) -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                let byte = try reader.uint8("varint")
                let bits = UInt64(byte & 0x7F)
                guard shift < 63 || bits <= 1 else { break }
                value |= bits << shift
                if byte & 0x80 == 0 { return value }
            }
            throw DecodeError(
                .badValue, in: "diffusion.varint", at: reader.offset, "more than 64 bits")
        }

        /// Encodes a number in groups of seven bits, the lowest first.
        private static func varint(_ value: UInt64) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = value
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }

        /// Returns the payload of a message; that of a malformed one is empty.
        public static func payload(of content: Content) -> [UInt8] {
            var bytes: [UInt8]
            switch content {
            case .serviceRequest(let service, let conversation, let body):
                return [0] + varint(service) + varint(conversation) + body
            case .serviceResponse(let conversation, let body):
                return [6] + varint(conversation) + body
            case .serviceError(let conversation, let body):
                return [7] + varint(conversation) + body
            case .topicValue(let topic, let body):
                bytes = [4]
                bytes.append(bigEndian: topic)
                return bytes + body
            case .topicDelta(let topic, let body):
                bytes = [5]
                bytes.append(bigEndian: topic)
                return bytes + body
            case .abort: return [0x1C]
            case .close: return [0x1D]
            case .other(let type, let body): return [type] + body
            case .malformed: return []
            }
        }

        /// `diffusion.` and the kind of message; pings have names of their own.
        public var name: String {
            switch content {
            case .serviceRequest(Diffusion.userPing, _, _): "diffusion.ping"
            case .serviceRequest(Diffusion.systemPing, _, _): "diffusion.systemPing"
            case .serviceRequest: "diffusion.serviceRequest"
            case .serviceResponse: "diffusion.serviceResponse"
            case .serviceError: "diffusion.serviceError"
            case .topicValue: "diffusion.topicValue"
            case .topicDelta: "diffusion.topicDelta"
            case .abort: "diffusion.abort"
            case .close: "diffusion.close"
            case .other: "diffusion.other"
            case .malformed: "diffusion.malformed"
            }
        }

        /// The parts of the message.
        public var fields: Value {
            switch content {
            case .serviceRequest(let service, let conversation, let body):
                [
                    "service": .integer(Int64(clamping: service)),
                    "conversation": .integer(Int64(clamping: conversation)), "body": .bytes(body),
                ]
            case .serviceResponse(let conversation, let body),
                .serviceError(let conversation, let body):
                ["conversation": .integer(Int64(clamping: conversation)), "body": .bytes(body)]
            case .topicValue(let topic, let body), .topicDelta(let topic, let body):
                ["topic": .integer(Int64(topic)), "body": .bytes(body)]
            case .abort, .close: .object([])
            case .other(let type, let body):
                ["type": .integer(Int64(type)), "body": .bytes(body)]
            case .malformed(let what): ["error": .string(what)]
            }
        }
    }

    /// The messages that suites can name.
    public static let description = ProtocolDescription(
        name: "diffusion", firstCode: 432, title: "Diffusion sessions",
        messages: [
            message("connect", "A client asks for a session.", connect, answer: "response"),
            message(
                "reconnect", "A client asks for its session again.", connect, answer: "response"),
            message("response", "The server's answer to a connection.", response),
            message(
                "ping", "A client asks whether the server is there.", service + conversation,
                answer: "serviceResponse"),
            message(
                "systemPing", "The server asks whether the client is there.",
                service + conversation),
            message("serviceRequest", "Any other request of a service.", service + conversation),
            message("serviceResponse", "The answer of a service, also to a ping.", conversation),
            message("serviceError", "A service reports an error.", conversation),
            message("topicValue", "The value of a topic.", topic),
            message("topicDelta", "A change of a topic's value.", topic),
            message("abort", "The server ends the session.", []),
            message("close", "The client ends the session.", []),
            message(
                "other", "A message of another type, or compressed.",
                [FieldDescription("type", .integer(0...255), isMandatory: true)] + body),
            message(
                "malformed", "A message that cannot be read.",
                [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    private static let body = [FieldDescription("body", .bytes, isMandatory: true)]
    private static let conversation =
        [FieldDescription("conversation", .integer(0...Int64.max), isMandatory: true)] + body
    private static let service = [
        FieldDescription("service", .integer(0...Int64.max), isMandatory: true)
    ]
    private static let topic =
        [FieldDescription("topic", .integer(0...0xFFFF_FFFF), isMandatory: true)] + body
    private static let connect = [
        FieldDescription("http.request.method", .string(maxLength: nil), isMandatory: true),
        FieldDescription("http.request.uri", .string(maxLength: nil), isMandatory: true),
        FieldDescription(
            "carrier", .enumeration(name: "diffusion.carrier", values: ["query", "header"]),
            isMandatory: true),
        FieldDescription("parameters", .any, isMandatory: true),
    ]
    private static let response = [
        FieldDescription("version", .integer(0...255), isMandatory: true),
        FieldDescription("code", .integer(0...255), isMandatory: true),
        FieldDescription("sessionId", .string(maxLength: nil)),
        FieldDescription("token", .string(maxLength: nil)),
        FieldDescription("pingPeriod", .integer(nil)),
        FieldDescription("maxMessageSize", .integer(0...0xFFFF_FFFF)),
        FieldDescription("recoverySequence", .integer(0...0xFFFF_FFFF)),
    ]

    private static func message(
        _ name: String, _ summary: String, _ fields: [FieldDescription], answer: String? = nil
    ) -> MessageDescription {
        MessageDescription(
            name: "diffusion.\(name)", summary: summary, specification: "Diffusion clients",
            fields: fields, response: answer.map { "diffusion.\($0)" })
    }
}
