/// Reads pcap, the format of `tcpdump -w` (draft-ietf-opsawg-pcap).
struct PcapReader: RecordReader {
    /// What the magic number tells.
    struct Variant {
        let order: ByteOrder
        /// Nanoseconds in one unit of the fraction of a second.
        let nanosecondsPerUnit: Int64

        /// The variant of a magic number, read most significant byte first; `nil` for no pcap.
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
        // The upper half of the field tells about frame check sequences, not about the link type.
        linkType = LinkType(
            rawValue: UInt16(
                truncatingIfNeeded: input.bytes.number(UInt32.self, at: 20, variant.order)))
        input.consume(Self.fileHeaderBytes)
    }

    /// What the file header says.
    var metadata: CaptureMetadata {
        CaptureMetadata(
            format: .pcap, section: CaptureSection(),
            interfaces: [CaptureInterface(linkType: linkType, snapshotLength: snapshotLength)])
    }

    /// A packet that the buffer holds all of, with nothing about it to complain of.
    struct QuickRecord {
        let place: Range<Int>
        let timestamp: Int64
        let originalLength: Int
    }

    /// Consumes the next packet if the buffer holds all of it; `nil` leaves it to
    /// `next(from:packetIndex:metadata:)`.
    func next(in input: inout InputFile) -> QuickRecord? {
        guard let record = quickRecord(input.bytes) else { return nil }
        let whole = input.consume(Self.recordHeaderBytes + record.place.count)
        return QuickRecord(
            place: whole.lowerBound + Self.recordHeaderBytes..<whole.upperBound,
            timestamp: record.timestamp, originalLength: record.originalLength)
    }

    /// Finds the packets of the next records that the bytes hold wholly, at most
    /// `PacketBatch.countMax`.
    ///
    /// - Parameters:
    ///   - bytes: What has been read and not consumed.
    ///   - places: Where they lie is added here.
    /// - Returns: How many bytes the records take.
    func locate(_ bytes: RawSpan, into places: inout [PacketBatch.Place]) -> Int {
        var used = 0
        while places.count < PacketBatch.countMax,
            let record = quickRecord(bytes.extracting(droppingFirst: used))
        {
            let start = used + Self.recordHeaderBytes
            places.append(
                PacketBatch.Place(
                    timestamp: record.timestamp, start: start, count: record.place.count,
                    originalLength: record.originalLength))
            used = start + record.place.count
        }
        return used
    }

    /// The record at the front of the bytes, if they hold all of it.
    @inline(__always)
    private func quickRecord(_ bytes: RawSpan) -> QuickRecord? {
        guard bytes.byteCount >= Self.recordHeaderBytes else { return nil }
        let captured = Int(bytes.number(UInt32.self, at: 8, variant.order))
        guard captured <= CaptureFile.packetBytesMax,
            bytes.byteCount - Self.recordHeaderBytes >= captured
        else { return nil }
        let seconds = Int64(bytes.number(UInt32.self, at: 0, variant.order))
        let fraction = Int64(bytes.number(UInt32.self, at: 4, variant.order))
        return QuickRecord(
            place: Self.recordHeaderBytes..<Self.recordHeaderBytes + captured,
            timestamp: seconds * 1_000_000_000 + fraction * variant.nanosecondsPerUnit,
            originalLength: Int(bytes.number(UInt32.self, at: 12, variant.order)))
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
