import Protocols

/// What this target adds to the protocols that are looked for in streams.
public enum BluetoothProtocols {
    /// They are asked last.
    public static let streams = [H4.streamProtocol, ProfileReport.streamProtocol]
}
