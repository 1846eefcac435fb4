import Wire

/// What a peer without a protocol of its own says: at the beginning, in answer, and again and again.
public struct PeerScript: Sendable, Hashable {
    /// One thing that is sent.
    public enum Send: Sendable, Hashable {
        /// Bytes as they are; of a WebSocket, a frame.
        case bytes(ByteExpression)
        /// A message of HTTP.
        case http(HTTPTemplate)

        /// The bytes, if they are known when the suite is loaded.
        public var literalBytes: [UInt8]? {
            if case .bytes(let bytes) = self { bytes.literalBytes } else { nil }
        }
    }

    /// One entry of the table of answers.
    public struct Answer: Sendable, Hashable {
        /// How a connection ends after an answer.
        public enum End: String, Sendable, Hashable, CaseIterable {
            case close
            case reset
        }

        /// The message that it answers; `nil` for plain bytes as they come: a datagram, or bytes of
        /// a stream.
        public var message: String?
        /// What the bytes must be like; of a message that is named its fields.
        public var conditions: [FieldCondition] = []
        /// Variables that take their values from the message.
        public var saves: [Step.Save] = []
        /// What is sent, one after the other; nothing for silence.
        public var sends: [Send] = []
        /// How much later.
        public var after: Duration = .zero
        /// How often it answers on a connection, at most; then the entries below it may.
        public var times: Int?
        /// How the connection ends after what is sent, if it does.
        public var end: End?

        /// Makes an entry that answers any bytes with silence.
        public init() {}
    }

    /// What is sent again and again.
    public struct KeepAlive: Sendable, Hashable {
        /// The time between two of them.
        public var interval: Duration
        /// What is sent.
        public var sends: [Send]

        /// Makes an entry.
        public init(every interval: Duration, _ sends: [Send]) {
            self.interval = interval
            self.sends = sends
        }
    }

    /// What is sent as soon as a connection is established; by a peer that calls with datagrams, when it
    /// calls.
    public var greeting: [Send] = []
    /// The answers; the first entry that fits is the one.
    public var answers: [Answer] = []
    /// What is sent again and again on every connection.
    public var keepAlive: KeepAlive?

    /// Makes a script that says nothing.
    public init() {}
}

extension FieldPath {
    /// The path of the bytes of a message, as answers look at them.
    public static let answeredData = FieldPath(components: [.name("data")])

    /// The path of all bytes of a message, its head included; it cannot be written.
    public static let answeredBytes = FieldPath(components: [.name("")])
}
