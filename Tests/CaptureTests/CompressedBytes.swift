import CZlib
import CZstd

/// A gzip member made by zlib.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var source = bytes
    var target = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    return source.withUnsafeMutableBufferPointer { source in
        target.withUnsafeMutableBufferPointer { target in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(target.count)
            deflate(&stream, Z_FINISH)
            return Array(target.prefix(Int(stream.total_out)))
        }
    }
}

/// A Zstandard frame made by libzstd.
func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = ZSTD_compress(&target, target.count, bytes, bytes.count, 3)
    return Array(target.prefix(count))
}
