import Glibc
import System

/// A capture, read packet by packet in bounded memory.
///
/// The format is pcap, pcapng, btsnoop or PacketLogger, either plain or compressed with gzip or
/// Zstandard.
///
///     var file = try CaptureFile(path: "trace.pcapng")
///     while let packet = try file.next() { ... }
///
/// A file that ends early or is damaged delivers every packet before the fault, then throws.
public struct CaptureFile: ~Copyable {
    private var input: InputFile
    private var format: any RecordReader
    /// The reader of the most frequent format, with a static type so that its packets cost little.
    private let pcap: PcapReader?
    /// The metadata in the file so far; complete after the last packet.
    public private(set) var metadata: CaptureMetadata
    /// The number of packets that have been delivered.
    public private(set) var packetCount = 0
    /// The frame number of the last packet; other records of a file may have numbers too.
    private(set) var frameNumber = 0
    private var failure: CaptureError?
    /// Takes the key logs of the file, each before the packets that follow it.
    private let keyLogs: KeyLogs?
    private var keyLogCount = 0
    /// A packet that has been read ahead to determine its time.
    private var pending: PacketRecord?

    /// A closure that takes a key log, as text.
    public typealias KeyLogs = @Sendable ([UInt8]) -> Void

    /// The maximum number of bytes of one packet.
    ///
    /// It is far above what any capturing program keeps (256 KiB), so that a length beyond it means
    /// damage.
    public static let packetBytesMax = 16 << 20

    /// Opens a capture and reads its first header.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - following: How to wait for more at the end of a file that is still being written; `nil`
    ///     stops there.
    ///   - keyLogs: Takes the key logs of the file, each before the packets that follow it.
    /// - Throws: `.noFile`, `.noAccess` or `.io` if it cannot be opened, `.notACapture`, `.unsupported` for
    ///   a known format that is not read, `.truncated` or `.damaged` if the header itself is.
    public init(
        path: String, following: Following? = nil, keyLogs: KeyLogs? = nil
    ) throws(CaptureError) {
        try self.init(InputFile(path: path, following: following), keyLogs)
    }

    /// Returns whether a capture can be read only once: `-`, or a pipe.
    public static func isStream(_ path: String) -> Bool {
        path == FileSource.standardInput || NamedInput.isStream(path)
    }

    /// Opens a capture that is a regular file, and not a link.
    ///
    /// - Throws: What `init(path:following:)` throws.
    init(_ place: HeldFile) throws(CaptureError) {
        guard let input = place.input else { throw .system("open", place.path, errno: ELOOP) }
        try self.init(InputFile(FileSource(input)))
    }

    /// Opens a capture from an input that is already open.
    init(_ input: NamedInput) throws(CaptureError) {
        try self.init(InputFile(FileSource(input)))
    }

    private init(_ file: consuming InputFile, _ keyLogs: KeyLogs? = nil) throws(CaptureError) {
        self.keyLogs = keyLogs
        var input = file
        let opened = try Self.open(&input)
        self.input = input
        format = opened.reader
        pcap = opened.reader as? PcapReader
        metadata = opened.metadata
    }

    /// Returns the next packet; `nil` at the end of the file.
    ///
    /// The packet borrows from the file until the next call. After an error each further call
    /// throws the same.
    ///
    /// - Throws: `.truncated`, `.damaged`, `.unsupported` or `.io`, with offset and packet index.
    @_lifetime(&self)
    public mutating func next() throws(CaptureError) -> Packet? {
        if pending == nil {
            if let pcap, let (record, place) = pcap.next(in: &input) {
                packetCount += 1
                frameNumber += 1
                return Packet(
                    input.consumed(place), timestamp: record.timestamp,
                    index: frameNumber, linkType: pcap.linkType,
                    originalLength: record.originalLength)
            }
            pending = try read()
        }
        return takePending()
    }

    /// Returns the packet that has been read ahead; `nil` if there is none.
    @_lifetime(&self)
    private mutating func takePending() -> Packet? {
        guard let record = pending else { return nil }
        pending = nil
        packetCount += 1
        frameNumber += 1 + record.skippedFrames
        return Packet(
            input.consumed(record.place), timestamp: record.timestamp, index: frameNumber,
            linkType: record.linkType, originalLength: record.originalLength,
            interface: record.interface, comments: record.comments, direction: record.direction,
            isTimed: record.isTimed)
    }

    /// Calls `body` with the packet whose time was queried.
    mutating func takePending(_ body: (borrowing Packet) -> Void) {
        if let packet = takePending() { body(packet) }
    }

    /// Returns when the next packet was captured; `nil` at the end of the file.
    mutating func nextTimestamp() throws(CaptureError) -> Int64? {
        if pending == nil { pending = try read() }
        return pending?.timestamp
    }

    private mutating func read() throws(CaptureError) -> PacketRecord? {
        if let failure { throw failure }
        do {
            let record = try format.next(
                from: &input, packetIndex: packetCount + 1, metadata: &metadata)
            if metadata.keyLogs.count > keyLogCount {
                metadata.keyLogs[keyLogCount...].forEach { keyLogs?($0) }
                keyLogCount = metadata.keyLogs.count
            }
            return record
        } catch {
            let located = error.located(offset: input.position, packetIndex: packetCount + 1)
            failure = located
            throw located
        }
    }

    /// Calls `body` with each packet up to the end of the file.
    ///
    /// - Throws: What `next()` throws, or what `body` throws.
    public mutating func forEach(_ body: (borrowing Packet) throws -> Void) throws {
        while let packet = try next() {
            try body(packet)
        }
    }

    /// Calls one of two closures with each packet up to the end of the file.
    ///
    /// Packets of the most frequent format come in batches.
    mutating func drain(
        while continues: () -> Bool, batches: (borrowing PacketBatch) -> Void,
        packets: (borrowing Packet) -> Void
    ) throws(CaptureError) {
        var places = [PacketBatch.Place](repeating: .none, count: PacketBatch.countMax)
        while continues() {
            while let pcap, pending == nil, continues() {
                var free = places.mutableSpan
                let found = pcap.locate(input.bytes, into: &free)
                if found.count == 0 { break }
                batches(
                    PacketBatch(
                        input.bytes, places.span.extracting(first: found.count),
                        linkType: pcap.linkType, firstIndex: frameNumber + 1))
                packetCount += found.count
                frameNumber += found.count
                input.consume(found.bytes)
            }
            guard continues(), let packet = try next() else { return }
            packets(packet)
        }
    }

    private typealias Opened = (reader: any RecordReader, metadata: CaptureMetadata)

    /// Determines the format by the file's first bytes and reads the file header.
    private static func open(_ input: inout InputFile) throws(CaptureError) -> Opened {
        guard try input.fill(4) else {
            throw CaptureError(
                .notACapture, input.path,
                input.available == 0
                    ? "the file is empty"
                    : "the file has \(input.available) byte(s), too few for a capture")
        }
        let magic = input.bytes.number(UInt32.self, at: 0, .big)
        if let variant = PcapReader.Variant(magic: magic) {
            let reader = try PcapReader(header: &input, variant: variant)
            return (reader, reader.metadata)
        }
        if magic == PcapngReader.sectionHeaderType {
            var metadata = CaptureMetadata(
                format: .pcapng, section: CaptureSection(), interfaces: [])
            let reader = try PcapngReader(header: &input, metadata: &metadata)
            return (reader, metadata)
        }
        if magic == BTSnoopReader.magic {
            let reader = try BTSnoopReader(header: &input)
            return (reader, reader.metadata)
        }
        if let reader = try PacketLoggerReader(recognising: &input) {
            return (reader, reader.metadata)
        }
        throw unreadable(magic, input.path)
    }

    /// Returns the error for a file whose format is not supported.
    private static func unreadable(_ magic: UInt32, _ path: String) -> CaptureError {
        if let name = otherFormat(magic) {
            return CaptureError(.unsupported, path, "\(name) is not read", offset: 0)
        }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: magic >> (24 - 8 * $0)) }
        if bytes.allSatisfy({ (0x20...0x7e).contains($0) }) {
            let text = String(decoding: bytes, as: UTF8.self)
            return CaptureError(
                .notACapture, path,
                "it begins with the text \"\(text)\", unlike any packet capture", offset: 0)
        }
        let digits = String(magic, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return CaptureError(
            .notACapture, path, "it begins with 0x\(padded), unlike any packet capture", offset: 0)
    }

    private static func otherFormat(_ magic: UInt32) -> String? {
        switch magic {
        case 0x0422_4D18: "an LZ4-compressed file"
        case 0x736E_6F6F: "Solaris snoop"
        case 0xA1B2_CD34, 0x34CD_B2A1: "the modified pcap of old Linux patches"
        default: nil
        }
    }
}

/// A packet's position in the input buffer, and what the file says about it.
struct PacketRecord {
    var place: Range<Int>
    var timestamp: Int64
    var linkType: LinkType
    var originalLength: Int
    var interface: Int
    var comments: [String] = []
    var direction: Packet.Direction?
    /// Whether the file has a time of the packet.
    var isTimed = true
    /// The number of other records before it that have a frame number.
    var skippedFrames = 0
}

/// A reader of one capture format, starting after its file header.
protocol RecordReader {
    /// Returns the next packet; `nil` at the end of the file.
    mutating func next(
        from input: inout InputFile, packetIndex: Int, metadata: inout CaptureMetadata
    ) throws(CaptureError) -> PacketRecord?
}
