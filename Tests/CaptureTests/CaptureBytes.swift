import Capture
import Glibc
import TestSupport

/// A temporary file that is removed together with the value.
final class TemporaryFile {
    let path: String

    init(_ bytes: [UInt8] = []) throws {
        var template = Array("\(TemporaryFolder.ofRun)/capture-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { close(descriptor) }
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CaptureError(.io, path, "cannot be written")
        }
    }

    deinit {
        unlink(path)
    }

    /// A descriptor for writing, at the start of the emptied file.
    func openForWriting() -> Int32 { open(path, O_WRONLY | O_TRUNC) }

    var bytes: [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// The content of a packet, for comparison.
struct Record: Equatable {
    var bytes: [UInt8]
    var timestamp: Int64 = 1_700_000_000_123_456_789
    var originalLength: Int?
    var linkType = LinkType.ethernet
    var interface = 0
    var comments: [String] = []

    init(
        _ bytes: [UInt8], timestamp: Int64 = 1_700_000_000_123_456_789,
        originalLength: Int? = nil, linkType: LinkType = .ethernet, interface: Int = 0,
        comments: [String] = []
    ) {
        self.bytes = bytes
        self.timestamp = timestamp
        self.originalLength = originalLength ?? bytes.count
        self.linkType = linkType
        self.interface = interface
        self.comments = comments
    }

    init(_ packet: borrowing Packet) {
        self.init(
            packet.bytes.withUnsafeBytes { Array($0) }, timestamp: packet.timestamp,
            originalLength: packet.originalLength, linkType: packet.linkType,
            interface: packet.interface, comments: packet.comments)
    }
}

/// The result of a reader: the packets up to an error, and the error.
struct Reading {
    var records: [Record] = []
    var metadata: CaptureMetadata?
    var error: CaptureError?

    init(_ path: String) {
        do {
            var file = try CaptureFile(path: path)
            do {
                while let packet = try file.next() {
                    if packet.index != records.count + 1 {
                        error = CaptureError(.damaged, path, "index \(packet.index)")
                        return
                    }
                    records.append(Record(packet))
                }
            } catch {
                self.error = error
            }
            metadata = file.metadata
        } catch {
            self.error = error
        }
    }

    init(_ bytes: [UInt8]) throws {
        let file = try TemporaryFile(bytes)
        self.init(file.path)
    }
}

/// Numbers in a chosen byte order, for files made by hand.
struct ByteComposer {
    var isBigEndian = false
    var bytes: [UInt8] = []

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        let ordered = isBigEndian ? number.bigEndian : number.littleEndian
        withUnsafeBytes(of: ordered) { bytes += $0 }
    }
}

/// A pcap file made by hand.
func pcapFile(
    _ records: [Record], isBigEndian: Bool = false, isNanosecond: Bool = true,
    linkType: UInt32 = 1
) -> [UInt8] {
    var file = ByteComposer(isBigEndian: isBigEndian)
    file.add(isNanosecond ? UInt32(0xA1B2_3C4D) : 0xA1B2_C3D4)
    file.add(UInt16(2))
    file.add(UInt16(4))
    file.add(UInt64(0))
    file.add(UInt32(262_144))
    file.add(linkType)
    for record in records {
        file.add(UInt32(record.timestamp / 1_000_000_000))
        file.add(UInt32(record.timestamp % 1_000_000_000 / (isNanosecond ? 1 : 1_000)))
        file.add(UInt32(record.bytes.count))
        file.add(UInt32(record.originalLength ?? record.bytes.count))
        file.bytes += record.bytes
    }
    return file.bytes
}

/// Creates a pcapng block from its body.
func pcapngBlock(
    _ type: UInt32, isBigEndian: Bool = false, _ body: (inout ByteComposer) -> Void
) -> [UInt8] {
    var inner = ByteComposer(isBigEndian: isBigEndian)
    body(&inner)
    inner.bytes += Array(repeating: 0, count: (4 - inner.bytes.count % 4) % 4)
    var block = ByteComposer(isBigEndian: isBigEndian)
    block.add(type)
    block.add(UInt32(inner.bytes.count + 12))
    block.bytes += inner.bytes
    block.add(UInt32(inner.bytes.count + 12))
    return block.bytes
}

func sectionHeader(isBigEndian: Bool = false, comment: String? = nil) -> [UInt8] {
    pcapngBlock(0x0A0D_0D0A, isBigEndian: isBigEndian) { block in
        block.add(UInt32(0x1A2B_3C4D))
        block.add(UInt16(1))
        block.add(UInt16(0))
        block.add(UInt64.max)
        if let comment { addOption(&block, 1, Array(comment.utf8)) }
    }
}

func interfaceBlock(
    isBigEndian: Bool = false, linkType: UInt16 = 1, snapshotLength: UInt32 = 0,
    resolution: UInt8? = nil, offsetSeconds: Int64? = nil
) -> [UInt8] {
    pcapngBlock(1, isBigEndian: isBigEndian) { block in
        block.add(linkType)
        block.add(UInt16(0))
        block.add(snapshotLength)
        addOption(&block, 2, Array("if0".utf8))
        if let resolution { addOption(&block, 9, [resolution]) }
        if let offsetSeconds {
            var number = ByteComposer(isBigEndian: isBigEndian)
            number.add(offsetSeconds)
            addOption(&block, 14, number.bytes)
        }
        block.add(UInt32(0))
    }
}

func enhancedPacket(
    _ bytes: [UInt8], ticks: UInt64, isBigEndian: Bool = false, interface: UInt32 = 0,
    comments: [String] = [], dropped: UInt64? = nil, flags: UInt32? = nil
) -> [UInt8] {
    pcapngBlock(6, isBigEndian: isBigEndian) { block in
        block.add(interface)
        block.add(UInt32(ticks >> 32))
        block.add(UInt32(truncatingIfNeeded: ticks))
        block.add(UInt32(bytes.count))
        block.add(UInt32(bytes.count))
        block.bytes += bytes
        block.bytes += Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        for comment in comments { addOption(&block, 1, Array(comment.utf8)) }
        if let flags {
            var number = ByteComposer(isBigEndian: isBigEndian)
            number.add(flags)
            addOption(&block, 2, number.bytes)
        }
        if let dropped {
            var number = ByteComposer(isBigEndian: isBigEndian)
            number.add(dropped)
            addOption(&block, 4, number.bytes)
        }
    }
}

func addOption(_ block: inout ByteComposer, _ code: UInt16, _ value: [UInt8]) {
    block.add(code)
    block.add(UInt16(value.count))
    block.bytes += value
    block.bytes += Array(repeating: 0, count: (4 - value.count % 4) % 4)
}
