import CZlib

/// The content of a gzip file of any number of members (RFC 1952), through zlib.
final class GzipSource: ByteSource {
    private let input: CompressedInput
    /// The state of zlib, which keeps its address, so that it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var block: [UInt8] = []
    private var used = 0
    private var memberCount = 0
    private var isWithinMember = true
    private var hasEnded = false
    /// The error that the next read throws, after the bytes that precede the damage.
    private var failure: CaptureError?

    /// The greatest window, plus 16 for a gzip header (zlib.h, inflateInit2).
    private static let windowBits: Int32 = 15 + 16

    init(_ input: CompressedInput) throws(CaptureError) {
        self.input = input
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw input.fault(.io, "zlib cannot be started")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        if let failure { throw failure }
        var written = 0
        while written == 0, !hasEnded {
            if used == block.count {
                block = try input.nextBlock()
                used = 0
                if block.isEmpty {
                    hasEnded = true
                    guard isWithinMember else { break }
                    throw input.fault(
                        .truncated, "the gzip data ends early, at byte \(input.position)")
                }
            }
            let (status, consumed, produced) = inflate(into: buffer)
            used += consumed
            written = produced
            do throws(CaptureError) {
                try handle(status, consumed: consumed)
            } catch {
                failure = error
                if written == 0 { throw error }
            }
        }
        return written
    }

    private func inflate(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (status: Int32, consumed: Int, produced: Int) {
        let from = used
        return block.withUnsafeMutableBytes { bytes in
            let available = bytes.count - from
            stream.pointee.next_in = bytes.baseAddress?.advanced(by: from)
                .assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(available)
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            let status = CZlib.inflate(stream, Z_NO_FLUSH)
            return (
                status, available - Int(stream.pointee.avail_in),
                buffer.count - Int(stream.pointee.avail_out)
            )
        }
    }

    private func handle(_ status: Int32, consumed: Int) throws(CaptureError) {
        switch status {
        case Z_OK, Z_BUF_ERROR:
            isWithinMember = isWithinMember || consumed > 0
        case Z_STREAM_END:
            memberCount += 1
            isWithinMember = false
            inflateReset(stream)
        case _ where memberCount > 0 && stream.pointee.total_out == 0:
            // What follows the last member is not gzip, but padding, as for gzip(1).
            hasEnded = true
        default:
            let place = input.position - block.count + used
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib \(status)"
            hasEnded = true
            throw input.fault(.damaged, "the gzip data is damaged near byte \(place): \(reason)")
        }
    }
}
