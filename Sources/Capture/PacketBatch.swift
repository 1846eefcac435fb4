/// Packets of one interface that lie one behind the other in what has been read of a capture: what a
/// reader of many packets can look ahead in.
public struct PacketBatch: ~Escapable {
    /// Where a packet lies, and what the file says of it.
    public struct Place: BitwiseCopyable, Sendable {
        /// When the packet was captured, in nanoseconds since 1970-01-01T00:00:00Z.
        public let timestamp: Int64
        /// The packet's place in the bytes of the batch.
        public let start: Int
        /// How many bytes of it were captured.
        public let count: Int
        /// How many bytes it had on the wire.
        public let originalLength: Int

        /// No packet.
        static let none = Place(timestamp: 0, start: 0, count: 0, originalLength: 0)
    }

    /// What holds all of the packets.
    public let bytes: RawSpan
    /// Where they lie, in their order.
    public let places: Span<Place>
    /// How they are framed.
    public let linkType: LinkType
    /// The frame number of the first of them.
    public let firstIndex: Int
    /// The interface they were captured on.
    public let interface: Int

    /// Lends packets; their places must lie within the bytes, which is not checked again.
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

    /// The same packets as part of several captures that are read as one.
    @_lifetime(copy batch)
    init(_ batch: borrowing PacketBatch, firstIndex: Int, interface: Int) {
        self.init(
            batch.bytes, batch.places, linkType: batch.linkType, firstIndex: firstIndex,
            interface: interface)
    }

    /// How many packets there are.
    @inlinable
    public var count: Int { places.count }

    /// The bytes of a packet.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func frame(_ index: Int) -> RawSpan {
        let place = places[index]
        return bytes.extracting(
            unchecked: Range(
                uncheckedBounds: (place.start, place.start &+ place.count)))
    }

    /// One of the packets.
    @_lifetime(copy self)
    public func packet(_ index: Int) -> Packet {
        let place = places[index]
        return Packet(
            frame(index), timestamp: place.timestamp, index: firstIndex + index,
            linkType: linkType, originalLength: place.originalLength, interface: interface)
    }

    /// Enough to look ahead, and so few that what is looked at stays in the processor's nearest cache.
    static let countMax = 32
}
