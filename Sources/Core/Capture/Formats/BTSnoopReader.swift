/// Reads btsnoop, the format of Android's HCI snoop log and of `btmon -w`.
///
/// It is the snoop format (RFC 1761) with Bluetooth's data links and times in microseconds. The
/// layout and the data links are those of Android's `snoop_logger` and of BlueZ's `btsnoop`.
struct BTSnoopReader: RecordReader {
    /// The first half of `"btsnoop\0"`, read most significant byte first.
    static let magic: UInt32 = 0x6274_736E
    private static let secondHalf: UInt32 = 0x6F6F_7000

    private static let fileHeaderBytes = 16
    private static let recordHeaderBytes = 24
    /// The size of the flags and what follows them, within the record header.
    private static let flagsBytes = 16
    private static let version: UInt32 = 1
    /// The number of microseconds from the first day of the year 0 to 1970.
    private static let epochMicroseconds: Int64 = 0x00DC_DDB3_0F2F_8000

    private let linkType: LinkType

    /// Reads the file header: identification, version, data link.
    init(header input: inout InputFile) throws(CaptureError) {
        guard try input.fill(Self.fileHeaderBytes) else {
            throw CaptureError(
                .truncated, input.path,
                "the file header has \(Self.fileHeaderBytes) bytes, the file \(input.available)",
                offset: 0)
        }
        guard input.bytes.number(UInt32.self, at: 4, .big) == Self.secondHalf else {
            throw CaptureError(
                .notACapture, input.path, "it begins with \"btsn\", but not with \"btsnoop\"",
                offset: 0)
        }
        let version = input.bytes.number(UInt32.self, at: 8, .big)
        guard version == Self.version else {
            throw CaptureError(
                .unsupported, input.path, "btsnoop version \(version), expected \(Self.version)",
                offset: 8)
        }
        let dataLink = input.bytes.number(UInt32.self, at: 12, .big)
        switch dataLink {
        case 1001: linkType = .btsnoopHCI
        case 1002: linkType = .bluetoothH4
        case 2001: linkType = .btsnoopMonitor
        default:
            throw CaptureError(
                .unsupported, input.path,
                "btsnoop data link \(dataLink), expected 1001 (HCI), 1002 (H4) or 2001 (monitor)",
                offset: 12)
        }
        input.consume(Self.fileHeaderBytes)
    }

    /// The metadata in the file header.
    var metadata: CaptureMetadata {
        CaptureMetadata(
            format: .btsnoop, section: CaptureSection(),
            interfaces: [CaptureInterface(linkType: linkType)])
    }

    mutating func next(
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
        let original = Int(input.bytes.number(UInt32.self, at: 0, .big))
        let flags = input.bytes.number(UInt32.self, at: 8, .big)
        let drops = UInt64(input.bytes.number(UInt32.self, at: 12, .big))
        let microseconds = input.bytes.number(Int64.self, at: 16, .big)
        let captured = Int(input.bytes.number(UInt32.self, at: 4, .big))
        // Where only the flags show the kind of a packet, its bytes begin with them.
        let kept = linkType == .bluetoothH4 ? 0 : Self.flagsBytes
        let place = try input.record(
            headerBytes: Self.recordHeaderBytes - kept, packetBytes: captured + kept, fault)
        // The drops are counted from the start of the file; 0 means unknown.
        if drops > 0 { metadata.interfaces[0].dropped = drops }
        let sinceEpoch = microseconds.subtractingReportingOverflow(Self.epochMicroseconds)
        let stamp = sinceEpoch.partialValue.multipliedReportingOverflow(by: 1_000)
        guard !sinceEpoch.overflow, !stamp.overflow else {
            throw fault(.damaged, "a time of \(microseconds) us, which is not a valid date")
        }
        return PacketRecord(
            place: place, timestamp: stamp.partialValue, linkType: linkType,
            originalLength: original + kept, interface: 0,
            direction: linkType == .btsnoopMonitor
                ? nil : flags & 1 == 0 ? .sent : .received)
    }
}
