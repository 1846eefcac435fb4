/// Reads pcapng (draft-ietf-opsawg-pcapng): any number of sections, of either byte order.
///
/// A Simple Packet Block has no timestamp; its packet gets the timestamp of the packet before it, or
/// of the first packet that has one.
struct PcapngReader: RecordReader {
    /// The same in both byte orders.
    static let sectionHeaderType: UInt32 = 0x0A0D_0D0A

    private enum BlockType: UInt32 {
        case interface = 1
        case oldPacket = 2
        case simplePacket = 3
        case statistics = 5
        case enhancedPacket = 6
        case secrets = 0xA
        case sectionHeader = 0x0A0D_0D0A
    }

    /// The types of blocks that are no packets, but have a frame number in Wireshark (since 3.6).
    ///
    /// They are systemd journal entries, custom blocks, and the events of Sysdig.
    private static let numberedTypes: Set<UInt32> = [
        0x9, 0xBAD, 0x4000_0BAD, 0x204, 0x208, 0x216, 0x221, 0x222,
    ]

    /// The number of dropped packets before an obsolete packet if it is not known (appendix A).
    private static let unknownDrops: UInt16 = 0xFFFF
    /// The size of type and total length before the body, and of the total length after it.
    private static let blockOverhead = 12
    /// The maximum size of a block, with room for the comments on a packet of the greatest length.
    private static let blockBytesMax = CaptureFile.packetBytesMax + (1 << 20)
    /// The type of a block of decryption secrets.
    static let secretsType = BlockType.secrets.rawValue
    /// The type of secrets that are a key log of TLS.
    static let keyLogType: UInt32 = 0x544C_534B
    private static let byteOrderMagic: UInt32 = 0x1A2B_3C4D

    private var order = ByteOrder.little
    /// The clocks of all interfaces, parallel to the metadata's interfaces.
    private var clocks: [PcapngClock] = []
    /// The index of the current section's first interface.
    private var firstInterface = 0
    /// The time of the last packet that has one; `nil` before the first.
    private var lastTimestamp: Int64?
    /// The number of blocks since the last packet that have a frame number.
    private var numberedCount = 0
    private let limits = (
        interfaces: CaptureLimit.interfaces.value, metadata: CaptureLimit.metadata.value
    )
    /// The number of bytes of names and comments in the metadata.
    private var metadataBytes = 0

    /// Reads the first section header.
    init(
        header input: inout InputFile, metadata: inout CaptureMetadata
    ) throws(CaptureError) {
        _ = try block(from: &input, packetIndex: nil, metadata: &metadata)
    }

    mutating func next(
        from input: inout InputFile, packetIndex: Int, metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord? {
        while try input.fill(1) {
            if var record = try block(
                from: &input, packetIndex: packetIndex, metadata: &metadata)
            {
                lastTimestamp = record.timestamp
                record.skippedFrames = numberedCount
                numberedCount = 0
                return record
            }
        }
        return nil
    }

    /// Reads one block; returns its packet, if it contains one.
    private mutating func block(
        from input: inout InputFile, packetIndex: Int?, metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord? {
        let fault = RecordFault(
            path: input.path, offset: input.position, packetIndex: packetIndex)
        let (type, length) = try blockHeader(&input, fault)
        guard let kind = BlockType(rawValue: type) else {
            try skip(length, &input, fault)
            if Self.numberedTypes.contains(type) { numberedCount += 1 }
            return nil
        }
        guard length <= Self.blockBytesMax else {
            throw fault(.damaged, "a block of \(length) bytes, limit \(Self.blockBytesMax)")
        }
        guard try input.fill(length) else {
            throw fault(.truncated, "a block of \(length) bytes, \(input.available) are left")
        }
        let trailer = Int(input.bytes.number(UInt32.self, at: length - 4, order))
        guard trailer == length else {
            throw fault(.damaged, "block length \(length) at the start and \(trailer) at the end")
        }
        if kind == .simplePacket, lastTimestamp == nil {
            lastTimestamp = firstTimestamp(in: input.bytes)
        }
        var record = try content(
            kind, PcapngBlock(input.bytes.extracting(first: length), order, fault), &metadata)
        let place = input.consume(length)
        if let inBlock = record?.place {
            let from = place.lowerBound + inBlock.lowerBound
            record?.place = from..<(from + inBlock.count)
        }
        return record
    }

    /// Processes a block's content.
    ///
    /// Returns its packet, positioned within the block, if it contains one.
    private mutating func content(
        _ kind: BlockType, _ block: borrowing PcapngBlock, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord? {
        switch kind {
        case .sectionHeader: try readSection(block, &metadata)
        case .interface: try readInterface(block, &metadata)
        case .statistics: try readStatistics(block, &metadata)
        case .secrets: try readSecrets(block, &metadata)
        case .enhancedPacket: return try packet(block, isOld: false, &metadata)
        case .oldPacket: return try packet(block, isOld: true, &metadata)
        case .simplePacket: return try simplePacket(block, metadata)
        }
        return nil
    }

    /// Returns the type and total length of the block at this position.
    ///
    /// A section header sets the byte order.
    private mutating func blockHeader(
        _ input: inout InputFile, _ fault: RecordFault
    ) throws(CaptureError) -> (type: UInt32, length: Int) {
        guard try input.fill(Self.blockOverhead) else {
            throw fault(
                .truncated,
                "a block has at least \(Self.blockOverhead) bytes, \(input.available) are left")
        }
        let bytes = input.bytes
        var type = bytes.number(UInt32.self, at: 0, order)
        if type == Self.sectionHeaderType {
            switch bytes.number(UInt32.self, at: 8, .big) {
            case Self.byteOrderMagic: order = .big
            case Self.byteOrderMagic.byteSwapped: order = .little
            case let magic:
                throw fault(.damaged, "byte-order magic 0x\(String(magic, radix: 16))")
            }
            type = Self.sectionHeaderType
        }
        let length = Int(bytes.number(UInt32.self, at: 4, order))
        guard length >= Self.blockOverhead, length.isMultiple(of: 4) else {
            throw fault(.damaged, "block length \(length)")
        }
        return (type, length)
    }

    /// Skips a block of an unknown type.
    private func skip(
        _ length: Int, _ input: inout InputFile, _ fault: RecordFault
    ) throws(CaptureError) {
        guard try input.skip(length - 4), try input.fill(4) else {
            throw fault(.truncated, "a block of \(length) bytes reaches beyond the end")
        }
        let trailer = Int(input.bytes.number(UInt32.self, at: 0, order))
        guard trailer == length else {
            throw fault(.damaged, "block length \(length) at the start and \(trailer) at the end")
        }
        input.consume(4)
    }
}

extension PcapngReader {
    /// Reads a section header: byte-order magic, version, section length, options (4.1).
    private mutating func readSection(
        _ block: borrowing PcapngBlock, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) {
        let major = try block.number(UInt16.self, at: 12)
        guard major == 1 else {
            throw block.fault(.unsupported, "pcapng version \(major), expected 1")
        }
        firstInterface = clocks.count
        var options = try block.options(from: 24)
        while let option = try block.next(&options) {
            switch option.code {
            case PcapngOptions.Code.comment:
                try keep(option.text, block)
                metadata.section.comments.append(option.text)
            case PcapngOptions.Code.sectionHardware:
                metadata.section.hardware = metadata.section.hardware ?? option.text
            case PcapngOptions.Code.sectionOS:
                metadata.section.operatingSystem = metadata.section.operatingSystem ?? option.text
            case PcapngOptions.Code.sectionApplication:
                metadata.section.application = metadata.section.application ?? option.text
            default:
                break
            }
        }
    }

    /// Reads an interface description: link type, snapshot length, options (4.2).
    private mutating func readInterface(
        _ block: borrowing PcapngBlock, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) {
        var interface = CaptureInterface(
            linkType: LinkType(dlt: Int32(try block.number(UInt16.self, at: 8))),
            snapshotLength: Int(try block.number(UInt32.self, at: 12)))
        var clock = PcapngClock()
        var options = try block.options(from: 16)
        while let option = try block.next(&options) {
            switch option.code {
            case PcapngOptions.Code.interfaceName:
                try keep(option.text, block)
                interface.name = option.text
            case PcapngOptions.Code.interfaceResolution:
                clock.resolution = option.number(UInt8.self) ?? clock.resolution
            case PcapngOptions.Code.interfaceOffset:
                clock.offsetSeconds = option.number(Int64.self) ?? 0
            default:
                break
            }
        }
        guard clocks.count < limits.interfaces else {
            throw block.fault(.limit, CaptureLimit.interfaces.excess(limits.interfaces))
        }
        clocks.append(clock)
        metadata.interfaces.append(interface)
    }

    /// Reads decryption secrets, if they are a key log of TLS: type, length, text (4.7).
    private mutating func readSecrets(
        _ block: borrowing PcapngBlock, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) {
        guard try block.number(UInt32.self, at: 8) == Self.keyLogType else { return }
        let place = try block.place(of: Int(try block.number(UInt32.self, at: 12)), at: 16)
        try keep(bytes: place.count, block)
        metadata.keyLogs.append(block.bytes(place))
    }

    /// Counts a text that is kept while the file is read.
    private mutating func keep(
        _ text: String, _ block: borrowing PcapngBlock
    ) throws(CaptureError) {
        try keep(bytes: text.utf8.count + MemoryLayout<String>.stride, block)
    }

    /// Counts bytes that are kept while the file is read.
    private mutating func keep(
        bytes count: Int, _ block: borrowing PcapngBlock
    ) throws(CaptureError) {
        metadataBytes += count
        guard metadataBytes <= limits.metadata else {
            throw block.fault(.limit, CaptureLimit.metadata.excess(limits.metadata))
        }
    }

    /// Reads interface statistics: interface, time, counters as options (4.6).
    private func readStatistics(
        _ block: borrowing PcapngBlock, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) {
        let index = try interface(Int(try block.number(UInt32.self, at: 8)), block)
        var dropped: UInt64?
        var options = try block.options(from: 20)
        while let option = try block.next(&options) {
            switch option.code {
            case PcapngOptions.Code.statisticsEnd:
                metadata.interfaces[index].end = option.ticks.map(clocks[index].nanoseconds)
            case PcapngOptions.Code.statisticsReceived:
                metadata.interfaces[index].received = option.number(UInt64.self)
            case PcapngOptions.Code.statisticsDropped,
                PcapngOptions.Code.statisticsDroppedBySystem:
                dropped = option.number(UInt64.self).map { saturatingSum($0, dropped ?? 0) }
            default:
                break
            }
        }
        metadata.interfaces[index].dropped = dropped ?? metadata.interfaces[index].dropped
    }

    /// Reads an enhanced packet (4.3), or the obsolete one with a 16-bit interface (appendix A).
    private func packet(
        _ block: borrowing PcapngBlock, isOld: Bool, _ metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord {
        let number =
            isOld
            ? Int(try block.number(UInt16.self, at: 8)) : Int(try block.number(UInt32.self, at: 8))
        let index = try interface(number, block)
        let ticks =
            UInt64(try block.number(UInt32.self, at: 12)) << 32
            | UInt64(try block.number(UInt32.self, at: 16))
        let captured = Int(try block.number(UInt32.self, at: 20))
        var record = PacketRecord(
            place: try block.place(of: captured, at: 28),
            timestamp: clocks[index].nanoseconds(ticks),
            linkType: metadata.interfaces[index].linkType,
            originalLength: Int(try block.number(UInt32.self, at: 24)), interface: index)
        func drop(_ count: UInt64) {
            let sum = metadata.interfaces[index].dropped ?? 0
            metadata.interfaces[index].dropped = saturatingSum(sum, count)
        }
        let oldDrops = isOld ? try block.number(UInt16.self, at: 10) : Self.unknownDrops
        if oldDrops != Self.unknownDrops { drop(UInt64(oldDrops)) }
        var options = try block.options(from: 28 + captured.padded)
        while let option = try block.next(&options) {
            switch option.code {
            case PcapngOptions.Code.comment:
                record.comments.append(option.text)
            case PcapngOptions.Code.packetFlags:
                record.direction = option.number(UInt32.self).flatMap(Self.direction(ofFlags:))
            case PcapngOptions.Code.packetDropCount:
                drop(option.number(UInt64.self) ?? 0)
            default:
                break
            }
        }
        return record
    }

    /// Returns the direction in the flags of a packet (epb_flags, 4.3); `nil` if it is not known.
    private static func direction(ofFlags flags: UInt32) -> Packet.Direction? {
        switch flags & 3 {
        case 1: .received
        case 2: .sent
        default: nil
        }
    }

    /// Reads a simple packet: only a length and the bytes, on the section's first interface (4.4).
    private func simplePacket(
        _ block: borrowing PcapngBlock, _ metadata: CaptureMetadata
    ) throws(CaptureError) -> PacketRecord {
        let index = try interface(0, block)
        let original = Int(try block.number(UInt32.self, at: 8))
        let limit = metadata.interfaces[index].snapshotLength
        let captured = min(original, limit == 0 ? original : limit)
        return PacketRecord(
            place: try block.place(of: captured, at: 12), timestamp: lastTimestamp ?? 0,
            linkType: metadata.interfaces[index].linkType, originalLength: original,
            interface: index, isTimed: false)
    }

    /// Returns the time of the first packet with one among the bytes that have been read ahead.
    private func firstTimestamp(in bytes: RawSpan) -> Int64? {
        var offset = 0
        while offset + 20 <= bytes.byteCount {
            let type = bytes.number(UInt32.self, at: offset, order)
            let length = Int(bytes.number(UInt32.self, at: offset + 4, order))
            guard length >= Self.blockOverhead, type != Self.sectionHeaderType else { return nil }
            if type == BlockType.enhancedPacket.rawValue {
                let index = firstInterface + Int(bytes.number(UInt32.self, at: offset + 8, order))
                guard clocks.indices.contains(index) else { return nil }
                return clocks[index].nanoseconds(
                    UInt64(bytes.number(UInt32.self, at: offset + 12, order)) << 32
                        | UInt64(bytes.number(UInt32.self, at: offset + 16, order)))
            }
            offset += length
        }
        return nil
    }

    /// Returns the global index of the current section's interface with a number.
    private func interface(
        _ number: Int, _ block: borrowing PcapngBlock
    ) throws(CaptureError) -> Int {
        guard number < clocks.count - firstInterface else {
            throw block.fault(
                .damaged, "interface \(number), \(clocks.count - firstInterface) described")
        }
        return firstInterface + number
    }
}
