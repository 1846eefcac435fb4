import Glibc

/// A file that is read once from front to back, through a buffer that grows to what is asked for.
///
/// It reads in blocks instead of mapping: a pipe can be read as well, and a file that shrinks
/// while it is read is a truncated one, not a bus error.
struct InputFile: ~Copyable {
    let path: String
    private let descriptor: Int32
    private var storage: [UInt8]
    private var start = 0
    private var end = 0
    /// Offset in the file of the first byte that has not been consumed.
    private(set) var position = 0

    /// Measured as fast as mapping; larger blocks gain nothing.
    private static let blockBytes = 256 << 10

    init(path: String) throws(CaptureError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path, errno: errno) }
        self.path = path
        self.descriptor = descriptor
        storage = [UInt8](repeating: 0, count: Self.blockBytes)
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes can be looked at without reading on.
    var available: Int { end - start }

    /// The bytes that can be looked at, from the first that has not been consumed.
    var bytes: RawSpan {
        @_lifetime(borrow self)
        get { storage.span.bytes.extracting(start..<end) }
    }

    /// Lends bytes that have been consumed since the last `fill`, by their place in the buffer.
    @_lifetime(borrow self)
    func consumed(_ place: Range<Int>) -> RawSpan {
        storage.span.bytes.extracting(place)
    }

    /// Reads on until `count` bytes can be looked at; `false` if the file ends before.
    mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
        guard available < count else { return true }
        if start > 0 { moveToFront(of: storage.count) }
        while available < count {
            // Grown only as bytes come: a length in the file is not to be trusted.
            if end == storage.count { moveToFront(of: 2 * storage.count) }
            let received = try readOnce()
            if received == 0 { return false }
            end += received
        }
        return true
    }

    /// Consumes bytes that can be looked at and returns their place in the buffer.
    @discardableResult
    mutating func consume(_ count: Int) -> Range<Int> {
        precondition(count >= 0 && count <= available)
        let place = start..<(start + count)
        start += count
        position += count
        return place
    }

    /// Consumes `count` bytes without keeping them; `false` if the file ends before.
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

    /// Moves what has not been consumed to the front of a buffer of that size.
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

    /// Reads once into the free part of the buffer; 0 at the end of the file.
    private mutating func readOnce() throws(CaptureError) -> Int {
        while true {
            let (from, file) = (end, descriptor)
            let count = storage.withUnsafeMutableBytes { buffer in
                read(file, buffer.baseAddress.map { $0 + from }, buffer.count - from)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system("read", path, errno: errno) }
        }
    }
}

/// The order in which a file stores the bytes of its numbers.
enum ByteOrder {
    case big
    case little
}

extension RawSpan {
    /// The number at an offset that has been checked to lie within.
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
