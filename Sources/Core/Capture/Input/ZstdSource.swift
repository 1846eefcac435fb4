import CZstd

/// The content of a Zstandard file of any number of frames (RFC 8878), through libzstd.
final class ZstdSource: ByteSource {
    private let input: CompressedInput
    private let stream: OpaquePointer
    private var block: [UInt8] = []
    private var used = 0
    private var isWithinFrame = false
    /// Whether the decoder may hold back bytes that did not fit.
    private var mayHoldBytes = false

    init(_ input: CompressedInput) throws(CaptureError) {
        guard let stream = ZSTD_createDStream() else {
            throw input.fault(.io, "libzstd cannot be started")
        }
        self.input = input
        self.stream = stream
    }

    deinit {
        ZSTD_freeDStream(stream)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        while true {
            if used == block.count, !mayHoldBytes {
                block = try input.nextBlock()
                used = 0
                guard !block.isEmpty else {
                    guard isWithinFrame else { return 0 }
                    isWithinFrame = false
                    throw input.fault(
                        .truncated, "the zstd data ends early, at byte \(input.position)")
                }
            }
            let (status, consumed, produced) = decompress(into: buffer)
            used += consumed
            guard ZSTD_isError(status) == 0 else {
                let place = input.position - block.count + used
                throw input.fault(
                    .damaged,
                    "the zstd data is damaged near byte \(place): "
                        + String(cString: ZSTD_getErrorName(status)))
            }
            isWithinFrame = status != 0
            mayHoldBytes = produced == buffer.count
            if produced > 0 { return produced }
        }
    }

    private func decompress(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (status: Int, consumed: Int, produced: Int) {
        let from = used
        return block.withUnsafeBytes { bytes in
            var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: from)
            var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
            let status = ZSTD_decompressStream(stream, &target, &source)
            return (status, source.pos - from, target.pos)
        }
    }
}
