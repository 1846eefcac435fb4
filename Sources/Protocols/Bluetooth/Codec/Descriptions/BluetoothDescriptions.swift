import Wire

/// The Bluetooth messages that suites can name, as data.
public enum BluetoothDescriptions {
    /// All protocols, for the catalogue.
    static let all = [
        commands, events, transport, l2cap, rfcomm, att, smp, sdp, le, bredr, gatt, services,
        profile,
    ]

    static let error = FieldDescription("error", .string(maxLength: nil), isMandatory: true)
    static let data = FieldDescription("data", .bytes)
}
