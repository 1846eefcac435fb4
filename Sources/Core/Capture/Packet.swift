/// A captured packet; its bytes are borrowed from the capture and end with the packet.
public struct Packet: ~Escapable {
    /// When it was captured, in nanoseconds since 1970-01-01T00:00:00Z.
    public let timestamp: Int64
    /// The framing of its bytes.
    public let linkType: LinkType
    /// The number of bytes on the wire; more than in `bytes` if the snapshot length cut the packet.
    public let originalLength: Int
    /// The bytes that were captured.
    public let bytes: RawSpan
    /// The frame number in its capture, from 1.
    public let index: Int
    /// The interface it was captured on: an index into the capture's interfaces.
    public let interface: Int
    /// The interface among those of its file, if several files are read as one.
    public let fileInterface: Int
    /// The comments about it in the capture file.
    public let comments: [String]

    /// Whether the capture has a time of the packet; `timestamp` is that of another one otherwise.
    public let isTimed: Bool

    /// The direction, as seen from the capturing machine; `nil` if the capture does not contain it.
    public let direction: Direction?

    /// A direction, as seen from the capturing machine.
    public enum Direction: String, Sendable, Hashable {
        case sent
        case received
    }

    /// Creates a packet that borrows `bytes`; `originalLength` is their count if not given.
    @_lifetime(copy bytes)
    public init(
        _ bytes: RawSpan, timestamp: Int64, index: Int, linkType: LinkType = .ethernet,
        originalLength: Int? = nil, interface: Int = 0, fileInterface: Int? = nil,
        comments: [String] = [], direction: Direction? = nil, isTimed: Bool = true
    ) {
        self.bytes = bytes
        self.timestamp = timestamp
        self.index = index
        self.linkType = linkType
        self.originalLength = originalLength ?? bytes.byteCount
        self.interface = interface
        self.fileInterface = fileInterface ?? interface
        self.comments = comments
        self.direction = direction
        self.isTimed = isTimed
    }

    /// Creates the same packet as part of several captures that are read as one, by the first one's
    /// clock.
    @_lifetime(copy packet)
    public init(_ packet: borrowing Packet, index: Int, interface: Int, ahead: Int64 = 0) {
        self.init(
            packet.bytes, timestamp: packet.timestamp &- ahead, index: index,
            linkType: packet.linkType, originalLength: packet.originalLength, interface: interface,
            fileInterface: packet.fileInterface, comments: packet.comments,
            direction: packet.direction, isTimed: packet.isTimed)
    }
}
