import Wire

/// The messages of Bluetooth that suites may name.
///
/// They stand here as data, and the decoders in a target of their own, because the catalogue is not
/// handed in yet.
public enum BluetoothDescriptions {
    /// All of them, for the catalogue.
    static let all = [
        commands, events, transport, l2cap, rfcomm, att, smp, sdp, le, bredr, gatt, services,
        profile,
    ]

    /// Makes a message of one of the protocols.
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
