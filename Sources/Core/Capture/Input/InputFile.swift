import Glibc

/// A file that is read once from front to back, through a buffer that grows as needed.
///
/// It reads in blocks instead of mapping. So a pipe can be read as well, and a file that shrinks
/// while it is read is a truncated one, not a bus error. Mapping would gain nothing. After the copy
/// the bytes are in the processor's cache when they are parsed. Mapping needs fresh page tables and
/// touching all lines in advance, which costs as much as the copy (measured with windows of 2 MiB).
/// Without touching, iterating over the packets waits for memory and takes three times as long.
struct InputFile: ~Copyable {
    let path: String
    private let source: any ByteSource
    /// The compressed file, if it is one, and the limit of its expansion.
    private let compressed: CompressedInput?
    private let expansionLimit = CaptureLimit.expansion.value
    private var storage: [UInt8]
    private var start = 0
    private var end = 0
    /// The offset of the first byte that has not been consumed.
    ///
    /// In a compressed file it is an offset in the content.
    private(set) var position = 0

    /// The block size.
    ///
    /// Larger blocks evict the state of connections from the processor's cache, smaller ones gain
    /// nothing.
    private static let blockBytes = 64 << 10

    /// Opens a file; a file compressed with gzip or Zstandard is read as its content.
    init(path: String, following: Following? = nil) throws(CaptureError) {
        try self.init(FileSource(path: path, following: following))
    }

    /// Creates a buffer that reads a source from its beginning.
    init(_ file: FileSource) throws(CaptureError) {
        var beginning = [UInt8](repeating: 0, count: Self.blockBytes)
        var count = 0
        // These bytes are enough to recognise a compressed file; a pipe may deliver them one by
        // one.
        while count < 4 {
            let received = try file.read(into: &beginning, from: count)
            if received == 0 { break }
            count += received
        }
        let decompressed = try Self.decompression(of: beginning[..<count], then: file)
        path = file.path
        source = decompressed?.source ?? file
        compressed = decompressed?.input
        storage = beginning
        end = decompressed == nil ? count : 0
    }

    /// Returns the decompression for a file with this beginning; `nil` if it is not compressed.
    private static func decompression(
        of beginning: ArraySlice<UInt8>, then file: FileSource
    ) throws(CaptureError) -> (input: CompressedInput, source: any ByteSource)? {
        let isGzip = beginning.starts(with: [0x1F, 0x8B])
        guard isGzip || isZstd(beginning) else { return nil }
        let input = CompressedInput(path: file.path, beginning: Array(beginning), then: file)
        return (input, isGzip ? try GzipSource(input) : try ZstdSource(input))
    }

    /// Returns whether a Zstandard frame or a skippable one begins here (RFC 8878 3.1).
    private static func isZstd(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
        return bytes[0] & 0xF0 == 0x50 && bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// The number of bytes that are available without reading more.
    var available: Int { end - start }

    /// The bytes that are available, from the first one that has not been consumed.
    var bytes: RawSpan {
        @_lifetime(borrow self)
        get { storage.span.bytes.extracting(start..<end) }
    }

    /// Returns bytes that have been consumed since the last `fill`, by their range in the buffer.
    @_lifetime(borrow self)
    func consumed(_ place: Range<Int>) -> RawSpan {
        storage.span.bytes.extracting(place)
    }

    /// Reads more until `count` bytes are available; returns `false` if the file ends before.
    mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
        guard available < count else { return true }
        if start > 0 { moveToFront(of: storage.count) }
        while available < count {
            // The buffer grows only as bytes arrive, because a length in the file is untrusted.
            if end == storage.count { moveToFront(of: 2 * storage.count) }
            let received = try readOnce()
            if received == 0 { return false }
            end += received
        }
        return true
    }

    /// Consumes available bytes and returns their range in the buffer.
    @discardableResult
    mutating func consume(_ count: Int) -> Range<Int> {
        precondition(count >= 0 && count <= available)
        let place = start..<(start + count)
        start += count
        position += count
        return place
    }

    /// Consumes a packet record, whose header must be available; returns the packet's range.
    mutating func record(
        headerBytes: Int, packetBytes: Int, _ fault: RecordFault
    ) throws(CaptureError) -> Range<Int> {
        guard packetBytes <= CaptureFile.packetBytesMax else {
            throw fault(
                .damaged, "a packet of \(packetBytes) bytes, limit \(CaptureFile.packetBytesMax)")
        }
        guard try fill(headerBytes + packetBytes) else {
            throw fault(
                .truncated,
                "a packet of \(packetBytes) bytes, \(max(0, available - headerBytes)) are left")
        }
        consume(headerBytes)
        return consume(packetBytes)
    }

    /// Consumes `count` bytes without keeping them; returns `false` if the file ends before.
    mutating func skip(_ count: Int) throws(CaptureError) -> Bool {
        var left = count
        while left > 0 {
            guard try fill(1) else { return false }
            let step = min(left, available)
            consume(step)
            left -= step
        }
        return true
    }

    /// Moves the bytes that have not been consumed to the front of a buffer of the given size.
    private mutating func moveToFront(of size: Int) {
        let count = available
        var fresh = size > storage.count ? [UInt8](repeating: 0, count: size) : []
        let from = start
        storage.withUnsafeMutableBytes { old in
            let kept = UnsafeRawBufferPointer(rebasing: old[from..<(from + count)])
            if fresh.isEmpty {
                old.copyMemory(from: kept)
            } else {
                fresh.withUnsafeMutableBytes { $0.copyMemory(from: kept) }
            }
        }
        if !fresh.isEmpty { storage = fresh }
        start = 0
        end = count
    }

    /// Reads once into the free part of the buffer; returns 0 at the end of the file.
    private mutating func readOnce() throws(CaptureError) -> Int {
        try ReadingTime.check(path)
        let count = try source.read(into: &storage, from: end)
        let content = position + available + count
        if let compressed, content > CaptureLimit.expansionFree,
            content / expansionLimit > compressed.position
        {
            throw CaptureError(.limit, path, CaptureLimit.expansion.excess(expansionLimit))
        }
        return count
    }
}

/// The byte order of the numbers in a file.
enum ByteOrder {
    case big
    case little
}

extension RawSpan {
    /// Returns the number at an offset that has been checked to be within bounds.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, at offset: Int, _ order: ByteOrder
    ) -> Number {
        let stored = unsafeLoadUnaligned(fromByteOffset: offset, as: type)
        return switch order {
        case .big: Number(bigEndian: stored)
        case .little: Number(littleEndian: stored)
        }
    }
}
