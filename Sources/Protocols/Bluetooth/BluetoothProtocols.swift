import Wire

/// Bluetooth as the rest of the harness uses it.
public enum BluetoothProtocols {
    /// What it offers; its streams are asked for last.
    public static let module = ProtocolModule(
        BluetoothDescriptions.all,
        streamProtocols: [H4.streamProtocol, ProfileReport.streamProtocol])
}
