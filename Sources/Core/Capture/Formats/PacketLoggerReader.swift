/// Reads the format of Apple's PacketLogger (`.pklg`).
///
/// It has no file header. Each record contains length, seconds, microseconds, type and data; the
/// length counts what follows it. Older files have the numbers in little-endian order. The layout
/// and the types are those that Wireshark's `packetlogger.c` documents.
struct PacketLoggerReader: RecordReader {
    private static let lengthBytes = 4
    /// The size of the times and the type, which are part of the length.
    private static let headerBytes = 9
    /// The maximum length of a record: that of an HCI packet, with room for log texts.
    private static let lengthMax = 65_536 + headerBytes
    /// HCI commands and events, ACL, SCO, LMP and ISO packets each way, then log texts and notes.
    private static let types: Set<UInt8> = [
        0x00, 0x01, 0x02, 0x03, 0x08, 0x09, 0x0A, 0x0B, 0x12, 0x13, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB,
        0xFC, 0xFD,
        0xFE,
    ]

    private let order: ByteOrder

    /// Recognises such a file by its first record; `nil` if it is not one.
    init?(recognising input: inout InputFile) throws(CaptureError) {
        guard try input.fill(Self.lengthBytes + Self.headerBytes) else { return nil }
        func isPlausible(_ order: ByteOrder) -> Bool {
            let length = Int(input.bytes.number(UInt32.self, at: 0, order))
            let microseconds = input.bytes.number(UInt32.self, at: 8, order)
            let type = input.bytes.number(UInt8.self, at: 12, order)
            return (Self.headerBytes...Self.lengthMax).contains(length)
                && microseconds < 1_000_000 && Self.types.contains(type)
        }
        if isPlausible(.big) {
            order = .big
        } else if isPlausible(.little) {
            order = .little
        } else {
            return nil
        }
    }

    /// The metadata of such a file.
    var metadata: CaptureMetadata {
        CaptureMetadata(
            format: .packetLogger, section: CaptureSection(),
            interfaces: [CaptureInterface(linkType: .packetLogger)])
    }

    mutating func next(
        from input: inout InputFile, packetIndex: Int, metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord? {
        let fault = RecordFault(
            path: input.path, offset: input.position, packetIndex: packetIndex)
        let header = Self.lengthBytes + Self.headerBytes
        guard try input.fill(header) else {
            guard input.available > 0 else { return nil }
            throw fault(
                .truncated, "a packet header has \(header) bytes, \(input.available) are left")
        }
        let length = Int(input.bytes.number(UInt32.self, at: 0, order))
        let seconds = Int64(input.bytes.number(UInt32.self, at: 4, order))
        let microseconds = Int64(input.bytes.number(UInt32.self, at: 8, order))
        let type = input.bytes.number(UInt8.self, at: 12, order)
        guard length >= Self.headerBytes else {
            throw fault(
                .damaged, "a record of \(length) bytes, at least \(Self.headerBytes) needed")
        }
        // The type is kept as the packet's first byte, because it determines the kind of packet.
        let place = try input.record(
            headerBytes: header - 1, packetBytes: length - Self.headerBytes + 1, fault)
        return PacketRecord(
            place: place, timestamp: seconds * 1_000_000_000 + microseconds * 1_000,
            linkType: .packetLogger, originalLength: place.count, interface: 0,
            direction: Self.direction(of: type))
    }

    /// Returns the direction of a packet of that type; `nil` if the type is not a packet.
    private static func direction(of type: UInt8) -> Packet.Direction? {
        switch type {
        case 0x00, 0x02, 0x08, 0x0A, 0x12: .sent
        case 0x01, 0x03, 0x09, 0x0B, 0x13: .received
        default: nil
        }
    }
}
