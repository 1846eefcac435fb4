/// A description of the messages of a stream, which defines the meaning of their bytes.
public protocol StreamDescription: AnyObject, Sendable {
    /// The first component of the names of its messages.
    ///
    /// It is `nil` if they are plain stream messages.
    var protocolName: String? { get }

    /// Dissects bytes that start with the first byte of a message.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isWhole: Whether they are exactly one message; otherwise more may follow, of this
    ///     message
    ///     or of the next.
    func dissect(_ bytes: [UInt8], isWhole: Bool) -> StreamDissection

    /// Whether a message says where it ends, so that a datagram may carry several.
    var endsMessages: Bool { get }
}

extension StreamDescription {
    /// The default: plain stream messages.
    public var protocolName: String? { nil }

    /// The default: a datagram is a message.
    public var endsMessages: Bool { false }
}

/// The result of dissecting bytes by a description.
public enum StreamDissection: Sendable {
    /// A message of `count` bytes.
    case message(DescribedFields, count: Int)
    /// The message has at least this number of bytes.
    case incomplete(atLeast: Int)
    /// The first `count` bytes are a message that the protocol forbids, for this reason.
    case refused(String, count: Int)
    /// The bytes are not a message, for this reason.
    case malformed(String)
}

/// The fields of a message as a description decodes them.
public struct DescribedFields: Sendable, Hashable {
    /// The full name of the message; `nil` if it is a plain stream message.
    public let name: String?
    /// The fields, as an object.
    public let value: Value
    /// The positions of the fields in the message.
    public let places: [Place]

    /// The position of a field.
    public struct Place: Sendable, Hashable {
        /// The path of the field, as text.
        public var path: String
        /// The range of its bytes.
        public var range: Range<Int>

        /// Creates a position.
        public init(_ path: String, _ range: Range<Int>) {
            self.path = path
            self.range = range
        }
    }

    /// Creates the fields of a message.
    public init(_ value: Value, places: [Place], name: String? = nil) {
        self.name = name
        self.value = value
        self.places = places
    }

    /// Returns the same fields for a message with `count` more bytes in front of them.
    func moved(by count: Int) -> DescribedFields {
        guard count > 0 else { return self }
        return DescribedFields(
            value,
            places: places.map {
                Place($0.path, $0.range.lowerBound + count..<$0.range.upperBound + count)
            },
            name: name)
    }
}

/// A stream whose messages are defined by a description.
public struct DescribedStream: Sendable, Hashable {
    /// The description.
    public let description: any StreamDescription
    /// How the stream is cut; `nil` if the description determines where messages end.
    public let cutting: StreamCutting?
    /// The number of bytes in each message before the part that the description defines.
    public let prefix: Int

    /// Creates a described stream.
    public init(
        _ description: any StreamDescription, cutBy cutting: StreamCutting?, prefix: Int = 0
    ) {
        self.description = description
        self.cutting = cutting
        self.prefix = prefix
    }

    /// Returns whether both are cut in the same way by the same description.
    public static func == (left: DescribedStream, right: DescribedStream) -> Bool {
        left.description === right.description && left.cutting == right.cutting
            && left.prefix == right.prefix
    }

    /// Hashes the identity of the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(description))
        hasher.combine(cutting)
        hasher.combine(prefix)
    }
}
