/// Reads pcap, the format of `tcpdump -w` (draft-ietf-opsawg-pcap).
struct PcapReader: RecordReader {
    /// The properties that the magic number determines.
    struct Variant {
        let order: ByteOrder
        /// The number of nanoseconds in one unit of the fraction of a second.
        let nanosecondsPerUnit: Int64

        /// Creates the variant of a magic number, read most significant byte first.
        ///
        /// The result is `nil` if the number is not one of pcap.
        init?(magic: UInt32) {
            switch magic {
            case 0xA1B2_C3D4: (order, nanosecondsPerUnit) = (.big, 1_000)
            case 0xD4C3_B2A1: (order, nanosecondsPerUnit) = (.little, 1_000)
            case 0xA1B2_3C4D: (order, nanosecondsPerUnit) = (.big, 1)
            case 0x4D3C_B2A1: (order, nanosecondsPerUnit) = (.little, 1)
            default: return nil
            }
        }
    }

    private static let fileHeaderBytes = 24
    private static let recordHeaderBytes = 16
    private static let majorVersion: UInt16 = 2

    private let variant: Variant
    let linkType: LinkType
    private let snapshotLength: Int

    /// Reads the file header.
    init(header input: inout InputFile, variant: Variant) throws(CaptureError) {
        guard try input.fill(Self.fileHeaderBytes) else {
            throw CaptureError(
                .truncated, input.path,
                "the file header has \(Self.fileHeaderBytes) bytes, the file \(input.available)",
                offset: 0)
        }
        let major = input.bytes.number(UInt16.self, at: 4, variant.order)
        guard major == Self.majorVersion else {
            throw CaptureError(
                .unsupported, input.path, "pcap version \(major), expected \(Self.majorVersion)",
                offset: 4)
        }
        self.variant = variant
        snapshotLength = Int(input.bytes.number(UInt32.self, at: 16, variant.order))
        // The upper half of the field is about frame check sequences, not about the link type.
        linkType = LinkType(
            dlt: Int32(input.bytes.number(UInt32.self, at: 20, variant.order) & 0xFFFF))
        input.consume(Self.fileHeaderBytes)
    }

    /// The metadata in the file header.
    var metadata: CaptureMetadata {
        CaptureMetadata(
            format: .pcap, section: CaptureSection(),
            interfaces: [CaptureInterface(linkType: linkType, snapshotLength: snapshotLength)])
    }

    /// Consumes the next packet if the buffer contains all of it.
    ///
    /// If the result is `nil`, use `next(from:packetIndex:metadata:)`.
    func next(in input: inout InputFile) -> (record: PacketBatch.Place, place: Range<Int>)? {
        guard let record = quickRecord(input.bytes, at: 0, variant.order) else { return nil }
        let whole = input.consume(record.start + record.count)
        return (record, whole.lowerBound + record.start..<whole.upperBound)
    }

    /// Finds the packets of the next complete records in the bytes, up to the number of places.
    ///
    /// - Parameters:
    ///   - bytes: What has been read and not consumed.
    ///   - places: The positions of the packets are stored here, from the front.
    /// - Returns: The number of packets, and the number of bytes of the records.
    func locate(
        _ bytes: RawSpan, into places: inout MutableSpan<PacketBatch.Place>
    ) -> (count: Int, bytes: Int) {
        // The byte order is tested once for all of them.
        switch variant.order {
        case .big: locate(bytes, into: &places, .big)
        case .little: locate(bytes, into: &places, .little)
        }
    }

    @inline(__always)
    private func locate(
        _ bytes: RawSpan, into places: inout MutableSpan<PacketBatch.Place>, _ order: ByteOrder
    ) -> (count: Int, bytes: Int) {
        var count = 0
        var used = 0
        while count < places.count, let record = quickRecord(bytes, at: used, order) {
            places[unchecked: count] = record
            count &+= 1
            used = record.start &+ record.count
        }
        return (count, used)
    }

    /// Returns the packet of the record at a place, if the bytes contain all of it.
    @inline(__always)
    private func quickRecord(
        _ bytes: RawSpan, at place: Int, _ order: ByteOrder
    ) -> PacketBatch.Place? {
        let left = bytes.byteCount &- place &- Self.recordHeaderBytes
        guard left >= 0 else { return nil }
        // The header is within bounds: two loads read all of it.
        var time = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
        var lengths = bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: place &+ 8, as: UInt64.self)
        if order == .big {
            time = time.bigEndian.rotated
            lengths = lengths.bigEndian.rotated
        } else {
            time = UInt64(littleEndian: time)
            lengths = UInt64(littleEndian: lengths)
        }
        let captured = Int(truncatingIfNeeded: lengths & 0xFFFF_FFFF)
        guard captured <= min(left, CaptureFile.packetBytesMax) else { return nil }
        let seconds = Int64(truncatingIfNeeded: time & 0xFFFF_FFFF)
        let fraction = Int64(truncatingIfNeeded: time >> 32)
        // These are 32-bit numbers and positions in a buffer, so nothing here overflows.
        return PacketBatch.Place(
            timestamp: seconds &* 1_000_000_000 &+ fraction &* variant.nanosecondsPerUnit,
            start: place &+ Self.recordHeaderBytes, count: captured,
            originalLength: Int(truncatingIfNeeded: lengths >> 32))
    }

    func next(
        from input: inout InputFile, packetIndex: Int, metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord? {
        let fault = RecordFault(
            path: input.path, offset: input.position, packetIndex: packetIndex)
        guard try input.fill(Self.recordHeaderBytes) else {
            guard input.available > 0 else { return nil }
            throw fault(
                .truncated,
                "a packet header has \(Self.recordHeaderBytes) bytes, \(input.available) are left")
        }
        let seconds = Int64(input.bytes.number(UInt32.self, at: 0, variant.order))
        let fraction = Int64(input.bytes.number(UInt32.self, at: 4, variant.order))
        let captured = Int(input.bytes.number(UInt32.self, at: 8, variant.order))
        let original = Int(input.bytes.number(UInt32.self, at: 12, variant.order))
        let place = try input.record(
            headerBytes: Self.recordHeaderBytes, packetBytes: captured, fault)
        return PacketRecord(
            place: place,
            timestamp: seconds * 1_000_000_000 + fraction * variant.nanosecondsPerUnit,
            linkType: linkType, originalLength: original, interface: 0)
    }
}

extension UInt64 {
    /// This number with its halves swapped.
    fileprivate var rotated: UInt64 { self >> 32 | self << 32 }
}
