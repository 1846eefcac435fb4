/// Bytes that did not decode, as a `lost` step sees them, whatever protocol they should have been.
public struct LostBytes: DissectedMessage {
    /// The name under which `where` and `save` find its fields.
    public static let name = "lost"

    /// `lost`.
    public var name: String { Self.name }
    /// `offset`, `length`, `bytes` and `reason`.
    public let fields: Value
    /// The bytes; of many the first.
    public let bytes: [UInt8]
    /// Always empty: that they do not decode is all that is said of them.
    public var anomalies: [Anomaly] { [] }

    /// Makes the view of an undecodable message; `nil` if `message` decoded.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - range: Where its bytes stand in their stream, counted from 0; `nil` if unknown.
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
    /// Whether it is the name of a message that stands for bytes that no decoder could make sense
    /// of.
    public var standsForLostBytes: Bool { self == "tcp.data" || hasSuffix(".malformed") }
}
