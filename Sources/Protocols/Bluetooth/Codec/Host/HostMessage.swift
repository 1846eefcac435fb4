import Wire

/// A message from the packets between a host and its controller.
public struct HostMessage: Sendable {
    /// The decoded message.
    public let content: any DissectedMessage
    /// The places of its packets; empty for a message that follows from the end of the capture.
    public let places: [Range<UInt64>]
    /// Whether it is from the host's side.
    public let isFromHost: Bool
    /// The device at the other end; `nil` if it is only about the controller.
    public var remote: BluetoothNode?
    /// The channel, if it is about one.
    public var channel: BluetoothChannel?
}

/// The device at the other end of a link or of an advertisement.
///
/// It replaces the controller of a packet stream, which only carries the device's messages.
public final class BluetoothParty: StreamParty {
    /// The device.
    public let node: BluetoothNode
    /// The channel, if it is about one.
    public let channel: BluetoothChannel?
    /// Whether it is the sender rather than the receiver.
    public let isSender: Bool
    /// The side of the stream that is the host.
    public let hostSide: ConnectionSide

    /// Creates a party.
    init(
        _ node: BluetoothNode, _ channel: BluetoothChannel?, isSender: Bool,
        hostSide: ConnectionSide
    ) {
        self.node = node
        self.channel = channel
        self.isSender = isSender
        self.hostSide = hostSide
    }
}
