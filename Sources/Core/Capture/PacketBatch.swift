/// Packets of one interface that are adjacent in the part of a capture that has been read.
///
/// A reader of many packets can look ahead in them.
public struct PacketBatch: ~Escapable {
    /// The position of a packet, and what the file says about it.
    public struct Place: BitwiseCopyable, Sendable {
        /// When the packet was captured, in nanoseconds since 1970-01-01T00:00:00Z.
        public let timestamp: Int64
        /// The offset of the packet in the bytes of the batch.
        public let start: Int
        /// The number of its bytes that were captured.
        public let count: Int
        /// The number of bytes that it had on the wire.
        public let originalLength: Int

        /// A placeholder for no packet.
        static let none = Place(timestamp: 0, start: 0, count: 0, originalLength: 0)
    }

    /// The bytes that contain all of the packets.
    public let bytes: RawSpan
    /// The positions of the packets, in their order.
    public let places: Span<Place>
    /// The framing of the packets.
    public let linkType: LinkType
    /// The frame number of the first packet.
    public let firstIndex: Int
    /// The interface on which they were captured.
    public let interface: Int

    /// Creates a batch that borrows packets.
    ///
    /// Their positions must be within the bytes, which is not checked again.
    @_lifetime(copy bytes, copy places)
    init(
        _ bytes: RawSpan, _ places: Span<Place>, linkType: LinkType, firstIndex: Int,
        interface: Int = 0
    ) {
        self.bytes = bytes
        self.places = places
        self.linkType = linkType
        self.firstIndex = firstIndex
        self.interface = interface
    }

    /// Creates a batch of the same packets as part of several captures that are read as one.
    @_lifetime(copy batch)
    init(_ batch: borrowing PacketBatch, firstIndex: Int, interface: Int) {
        self.init(
            batch.bytes, batch.places, linkType: batch.linkType, firstIndex: firstIndex,
            interface: interface)
    }

    /// The number of packets.
    @inlinable
    public var count: Int { places.count }

    /// Returns the bytes of a packet.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func frame(_ index: Int) -> RawSpan {
        let place = places[index]
        return bytes.extracting(
            unchecked: Range(
                uncheckedBounds: (place.start, place.start &+ place.count)))
    }

    /// Returns one of the packets.
    @_lifetime(copy self)
    public func packet(_ index: Int) -> Packet {
        let place = places[index]
        return Packet(
            frame(index), timestamp: place.timestamp, index: firstIndex + index,
            linkType: linkType, originalLength: place.originalLength, interface: interface)
    }

    /// The maximum number of packets of a batch.
    ///
    /// It is enough to look ahead, and small enough for the processor's nearest cache.
    static let countMax = 32
}
