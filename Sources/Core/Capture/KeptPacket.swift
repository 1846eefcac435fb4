/// A packet with its own copy of the bytes, which outlives its capture's buffer.
public struct KeptPacket: Sendable {
    /// When it was captured, in nanoseconds since 1970-01-01T00:00:00Z.
    public let timestamp: Int64
    private let bytes: [UInt8]
    private let linkType: LinkType
    private let originalLength: Int
    private let interface: Int
    private let isTimed: Bool

    /// Copies a packet; its comments and direction are left out.
    public init(_ packet: borrowing Packet) {
        timestamp = packet.timestamp
        bytes = packet.bytes.withUnsafeBytes { Array($0) }
        linkType = packet.linkType
        originalLength = packet.originalLength
        interface = packet.interface
        isTimed = packet.isTimed
    }

    /// Passes the packet on under a frame number, with another time or interface if they are given.
    public func withPacket(
        index: Int, timestamp: Int64? = nil, interface: Int? = nil,
        _ body: (borrowing Packet) -> Void
    ) {
        body(
            Packet(
                bytes.span.bytes, timestamp: timestamp ?? self.timestamp, index: index,
                linkType: linkType, originalLength: originalLength,
                interface: interface ?? self.interface, isTimed: isTimed))
    }
}
