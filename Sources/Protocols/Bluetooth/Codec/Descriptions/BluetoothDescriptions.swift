import Wire

/// The Bluetooth messages that suites can name, as data.
public enum BluetoothDescriptions {
    /// All protocols, for the catalogue.
    static let all = [
        commands, events, transport, l2cap, rfcomm, att, smp, sdp, le, bredr, gatt, services,
        profile,
    ]

    /// Creates a message of one of the protocols.
    static func message(
        _ name: String, _ summary: String, _ specification: String,
        _ fields: [FieldDescription] = [], response: String? = nil, refusal: String? = nil
    ) -> MessageDescription {
        MessageDescription(
            name: name, summary: summary, specification: specification, fields: fields,
            response: response, refusal: refusal)
    }

    static func number(_ path: String, _ range: ClosedRange<Int64> = 0...0xFFFF) -> FieldDescription
    {
        FieldDescription(path, .integer(range))
    }

    static func text(_ path: String) -> FieldDescription {
        FieldDescription(path, .string(maxLength: nil))
    }

    static let error = FieldDescription("error", .string(maxLength: nil), isMandatory: true)
    static let data = FieldDescription("data", .bytes)
}
