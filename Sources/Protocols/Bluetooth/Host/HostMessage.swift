import Wire

/// A message of the packets between a host and its controller.
public struct HostMessage: Sendable {
    /// What was decoded.
    public let content: any DissectedMessage
    /// Where the packets stood that it was made of; empty for what the end of the capture means.
    public let places: [Range<UInt64>]
    /// Whether the host's side says it.
    public let isFromHost: Bool
    /// The device at the other end; `nil` if it is about the controller alone.
    public var remote: BluetoothNode?
    /// The channel, if it is about one.
    public var channel: BluetoothChannel?
}

/// The device at the other end of a link or of an advertisement, which stands for the controller of
/// a stream of packets: that only carries what the device says.
public final class BluetoothParty: StreamParty {
    /// Which device it is.
    public let node: BluetoothNode
    /// The channel, if it is about one.
    public let channel: BluetoothChannel?
    /// Whether it is the sender, and not the receiver.
    public let isSender: Bool
    /// The side of the stream that is the host.
    public let hostSide: ConnectionSide

    /// Makes a party.
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
