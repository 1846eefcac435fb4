/// Bytes that did not decode, as a `lost` step sees them, whichever protocol they belong to.
public struct LostBytes: DissectedMessage {
    /// The name under which `where` and `save` find its fields.
    public static let name = "lost"

    /// `lost`.
    public var name: String { Self.name }
    /// `offset`, `length`, `bytes` and `reason`.
    public let fields: Value
    /// The bytes, or only the first ones if there are many.
    public let bytes: [UInt8]
    /// Always empty: nothing more is known than that the bytes do not decode.
    public var anomalies: [Anomaly] { [] }

    /// Creates the view of an undecodable message; `nil` if `message` decoded.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - range: The range of its bytes in their stream, counted from 0; `nil` if unknown.
    public init?(_ message: any DissectedMessage, at range: Range<UInt64>?) {
        guard message.name.standsForLostBytes else { return nil }
        bytes = message.bytes
        let length = range.map { Int64(clamping: $0.count) } ?? Int64(message.bytes.count)
        let reason = message.fields["error"]?.stringValue ?? "no protocol was recognised"
        var members = [
            Value.Member("length", .integer(length)), Value.Member("bytes", .bytes(bytes)),
            Value.Member("reason", .string(reason)),
        ]
        if let range {
            let offset = Value.integer(Int64(clamping: range.lowerBound))
            members.insert(Value.Member("offset", offset), at: 0)
        }
        fields = .object(members)
    }

    /// The fields that suites may name.
    public static let fieldDescriptions: [FieldDescription] = [
        FieldDescription("offset", .integer(0...Int64.max)),
        FieldDescription("length", .integer(1...Int64.max), isMandatory: true),
        FieldDescription("bytes", .bytes, isMandatory: true),
        FieldDescription("reason", .string(maxLength: nil), isMandatory: true),
    ]
}

extension String {
    /// Whether it is the name of a message that represents bytes which no decoder understands.
    public var standsForLostBytes: Bool {
        self == "tcp.data" || self == "tls.data" || hasSuffix(".malformed")
    }
}
