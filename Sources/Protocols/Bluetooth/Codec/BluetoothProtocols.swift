import Wire

/// Bluetooth as the rest of the harness uses it.
public enum BluetoothProtocols {
    /// The module; its streams are queried last.
    public static let module = ProtocolModule(
        BluetoothDescriptions.all,
        streamProtocols: [H4.streamProtocol, ProfileReport.streamProtocol])
}
