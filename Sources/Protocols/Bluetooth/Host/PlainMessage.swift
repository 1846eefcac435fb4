import Wire

/// What happened, whatever commands, events and packets said it: a message of the plain layer, such
/// as `le.connected` or `gatt.value`.
public struct PlainMessage: DissectedMessage, Hashable {
    /// The name, such as `gatt.read`.
    public let name: String
    private let members: [Value.Member]

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - name: Its name; the part before the dot is what its fields are found under.
    ///   - members: Its fields; those without a value are left out.
    init(_ name: String, _ members: KeyValuePairs<String, Value?>) {
        self.name = name
        self.members = members.compactMap { member in
            member.value.map { Value.Member(member.key, $0) }
        }
    }

    /// Its fields.
    public var fields: Value { .object([Value.Member(protocolName, .object(members))]) }

    /// A link that was lost, as the reason of its end says (Core 5.4, volume 1, part F, 1.3).
    public var carrierFault: String? {
        let values = Value.object(members)
        guard name.hasSuffix(".disconnected"), values["by"] == .string("air") else { return nil }
        let reason = values["reason"]?.integerValue.map { " (reason \($0))" } ?? ""
        return "the air broke a link\(reason)"
    }

    /// Always empty: what is wrong is said by the messages of the wire.
    public var anomalies: [Anomaly] { [] }

    /// Always empty: the bytes are those of the messages of the wire.
    public var bytes: [UInt8] { [] }
}

extension Value {
    /// A number.
    static func number(_ value: (some FixedWidthInteger)?) -> Value? {
        value.map { .integer(Int64(truncatingIfNeeded: $0)) }
    }

    /// A device's address.
    static func address(_ address: UInt64?) -> Value? {
        address.map { .string(BluetoothNode.address($0).description) }
    }

    /// A UUID of 128 bits.
    static func uuid(_ uuid: BluetoothUUID?) -> Value? {
        uuid.map { .string($0.description) }
    }
}
