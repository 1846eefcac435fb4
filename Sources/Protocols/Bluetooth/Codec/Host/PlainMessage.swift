import Wire

/// A message of the plain layer, such as `le.connected` or `gatt.value`.
///
/// It shows what happened, whichever commands, events and packets reported it.
public struct PlainMessage: DissectedMessage, Hashable {
    /// The name, such as `gatt.read`.
    public let name: String
    private let members: [Value.Member]

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - name: Its name; its fields are found under the part before the dot.
    ///   - members: Its fields; those without a value are omitted.
    init(_ name: String, _ members: KeyValuePairs<String, Value?>) {
        self.name = name
        self.members = members.compactMap { member in
            member.value.map { Value.Member(member.key, $0) }
        }
    }

    /// Its fields.
    public var fields: Value { .object([Value.Member(protocolName, .object(members))]) }

    /// The description of a lost link, by the reason of its end (Core 5.4, volume 1, part F, 1.3).
    public var carrierFault: String? {
        let values = Value.object(members)
        guard name.hasSuffix(".disconnected"), values["by"] == .string("air") else { return nil }
        let reason = values["reason"]?.integerValue.map { " (reason \($0))" } ?? ""
        return "the air broke a link\(reason)"
    }

    /// Always empty: anomalies are reported by the messages of the wire.
    public var anomalies: [Anomaly] { [] }

    /// Always empty: the messages of the wire have the bytes.
    public var bytes: [UInt8] { [] }
}

extension Value {
    /// Returns a number as a value.
    static func number(_ value: (some FixedWidthInteger)?) -> Value? {
        value.map { .integer(Int64(truncatingIfNeeded: $0)) }
    }

    /// Returns a device's address as text.
    static func address(_ address: UInt64?) -> Value? {
        address.map { .string(BluetoothNode.address($0).description) }
    }

    /// Returns a UUID as text of 128 bits.
    static func uuid(_ uuid: BluetoothUUID?) -> Value? {
        uuid.map { .string($0.description) }
    }
}
