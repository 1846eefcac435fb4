import Wire

/// The messages of a peer without its own protocol: at the beginning, in answer, and periodically.
public struct PeerScript: Sendable, Hashable {
    /// A unit that is sent.
    public enum Send: Sendable, Hashable {
        /// Bytes that are sent unchanged; for a WebSocket, a frame.
        case bytes(ByteExpression)
        /// An HTTP message.
        case http(HTTPTemplate)

        /// The bytes, if they are known when the suite is loaded.
        public var literalBytes: [UInt8]? {
            if case .bytes(let bytes) = self { bytes.literalBytes } else { nil }
        }
    }

    /// One entry of the table of answers.
    public struct Answer: Sendable, Hashable {
        /// The way in which a connection ends after an answer.
        public enum End: String, Sendable, Hashable, CaseIterable {
            case close
            case reset
        }

        /// The message that it answers; `nil` for plain bytes as they arrive: a datagram, or bytes
        /// of a stream.
        public var message: String?
        /// The conditions on the bytes, or on the fields of a named message.
        public var conditions: [FieldCondition] = []
        /// The variables that take their values from the message.
        public var saves: [Step.Save] = []
        /// What is sent, in this order; empty for silence.
        public var sends: [Send] = []
        /// The delay of the answer.
        public var after: Duration = .zero
        /// The maximum number of answers on a connection; after that the entries below it may
        /// answer.
        public var times: Int?
        /// How the connection ends after the answer; `nil` if it does not.
        public var end: End?

        /// Creates an entry that answers any bytes with silence.
        public init() {}
    }

    /// The periodic part of a script.
    public struct KeepAlive: Sendable, Hashable {
        /// The time between two transmissions.
        public var interval: Duration
        /// What is sent.
        public var sends: [Send]
    }

    /// What is sent when a connection is established; a peer that calls with datagrams sends it
    /// when it calls.
    public var greeting: [Send] = []
    /// The answers; the first entry that matches is used.
    public var answers: [Answer] = []
    /// What is sent periodically on every connection.
    public var keepAlive: KeepAlive?

    /// Creates a script that sends nothing.
    public init() {}

    /// The longest delay of its answers.
    var latestAnswer: Duration { answers.map(\.after).max() ?? .zero }
}

extension FieldPath {
    /// The path under which answers refer to the bytes of a message.
    public static let answeredData = FieldPath(components: [.name("data")])

    /// The path of all bytes of a message, including its header; suites cannot write it.
    public static let answeredBytes = FieldPath(components: [.name("")])
}
