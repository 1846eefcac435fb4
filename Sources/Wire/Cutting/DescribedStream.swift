/// A description of the messages of a stream, which says what their bytes mean.
public protocol StreamDescription: AnyObject, Sendable {
    /// The first component of the names of its messages; `nil` if they are messages of a stream and no
    /// more.
    var protocolName: String? { get }

    /// What bytes are, from the first byte of a message on.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isWhole: Whether they are one message; otherwise more may follow, of this message or of
    ///     the next.
    func dissect(_ bytes: [UInt8], isWhole: Bool) -> StreamDissection
}

extension StreamDescription {
    /// None.
    public var protocolName: String? { nil }
}

/// What a description makes of bytes.
public enum StreamDissection: Sendable {
    /// A message of so many bytes.
    case message(DescribedFields, count: Int)
    /// The message has at least so many bytes.
    case incomplete(atLeast: Int)
    /// So many bytes are a message that the protocol forbids, for this reason.
    case refused(String, count: Int)
    /// The bytes are no message, for this reason.
    case malformed(String)
}

/// The fields of a message as a description has them.
public struct DescribedFields: Sendable, Hashable {
    /// The full name of the message; `nil` if it is a message of a stream and no more.
    public let name: String?
    /// The fields, an object.
    public let value: Value
    /// Where they are in the message.
    public let places: [Place]

    /// Where a field is.
    public struct Place: Sendable, Hashable {
        /// The text of its path.
        public var path: String
        /// Its bytes.
        public var range: Range<Int>

        /// A place.
        public init(_ path: String, _ range: Range<Int>) {
            self.path = path
            self.range = range
        }
    }

    /// Makes them.
    public init(_ value: Value, places: [Place], name: String? = nil) {
        self.name = name
        self.value = value
        self.places = places
    }

    /// The same of a message that has so many more bytes before them.
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

/// Streams whose messages a description describes.
public struct DescribedStream: Sendable, Hashable {
    /// The description.
    public let description: any StreamDescription
    /// How the stream is cut; `nil` if the description says where messages end.
    public let cutting: StreamCutting?
    /// How many bytes come before what the description describes, in each message.
    public let prefix: Int

    /// Makes the rule.
    public init(
        _ description: any StreamDescription, cutBy cutting: StreamCutting?, prefix: Int = 0
    ) {
        self.description = description
        self.cutting = cutting
        self.prefix = prefix
    }

    /// Whether both are cut in the same way by the same description.
    public static func == (left: DescribedStream, right: DescribedStream) -> Bool {
        left.description === right.description && left.cutting == right.cutting
            && left.prefix == right.prefix
    }

    /// By the identity of the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(description))
        hasher.combine(cutting)
        hasher.combine(prefix)
    }
}
