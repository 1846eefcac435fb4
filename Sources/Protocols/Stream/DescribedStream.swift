/// A description of the messages of a stream, which says what their bytes mean.
public protocol StreamDescription: AnyObject, Sendable {
    /// What bytes are, from the first byte of a message on.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isWhole: Whether they are one message; otherwise more may follow, of this message or of
    ///     the next.
    func dissect(_ bytes: [UInt8], isWhole: Bool) -> StreamDissection
}

/// What a description makes of bytes.
public enum StreamDissection: Sendable {
    /// A message of so many bytes.
    case message(DescribedFields, count: Int)
    /// The message has at least so many bytes.
    case incomplete(atLeast: Int)
    /// The bytes are no message, for this reason.
    case malformed(String)
}

/// The fields of a message as a description has them.
public struct DescribedFields: Sendable, Hashable {
    /// The fields, an object.
    public let value: Value
    /// Where they are in the message, by the text of their paths.
    public let places: [String: Range<Int>]

    /// Makes them.
    public init(_ value: Value, places: [String: Range<Int>]) {
        self.value = value
        self.places = places
    }
}

/// Streams whose messages a description describes.
public struct DescribedStream: Sendable, Hashable {
    /// The description.
    public let description: any StreamDescription
    /// How the stream is cut; `nil` if the description says where messages end.
    public let cutting: StreamCutting?

    /// Makes the rule.
    public init(_ description: any StreamDescription, cutBy cutting: StreamCutting?) {
        self.description = description
        self.cutting = cutting
    }

    /// Whether both are cut in the same way by the same description.
    public static func == (left: DescribedStream, right: DescribedStream) -> Bool {
        left.description === right.description && left.cutting == right.cutting
    }

    /// By the identity of the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(description))
        hasher.combine(cutting)
    }
}
