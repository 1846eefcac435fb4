import CZlib

extension KaitaiReading {
    /// Returns the bytes that `process` produces.
    mutating func apply(
        _ process: Process, to bytes: [UInt8], _ frame: Frame
    ) throws(KaitaiError) -> [UInt8] {
        switch process {
        case .zlib:
            let result = try Processing.inflate(bytes, limit: producedLeft)
            try produce(result.count)
            return result
        case .xor(let id): return Processing.xor(bytes, with: try key(id, frame))
        case .rotate(let id, let isLeft):
            let count = Int(truncatingIfNeeded: try integer(id, frame) & 7)
            return Processing.rotate(bytes, left: isLeft ? count : (8 - count) & 7)
        case .custom(let name, _):
            throw KaitaiError(code: .unsupported, what: "the process \(name) is not known")
        }
    }

    private mutating func key(_ id: ExpressionID, _ frame: Frame) throws(KaitaiError) -> [UInt8] {
        switch try evaluate(id, frame) {
        case .bytes(let bytes): return bytes
        case .integer(let number):
            if let byte = UInt8(exactly: number) { return [byte] }
            throw KaitaiError(code: .overflow, what: "the key \(number) is not a byte")
        default: throw KaitaiError(code: .type, what: "the key is neither a byte nor bytes")
        }
    }
}

/// The operations of `process`.
enum Processing {
    static func xor(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8] {
        guard !key.isEmpty else { return bytes }
        var result = bytes
        for index in result.indices { result[index] ^= key[index % key.count] }
        return result
    }

    static func rotate(_ bytes: [UInt8], left count: Int) -> [UInt8] {
        bytes.map { byte in
            let wide = UInt16(byte) << UInt16(count)
            return UInt8(truncatingIfNeeded: wide | wide >> 8)
        }
    }

    /// Decompresses a zlib stream (RFC 1950); the output is limited to `limit` bytes.
    static func inflate(_ bytes: [UInt8], limit: Int) throws(KaitaiError) -> [UInt8] {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw KaitaiError(code: .compression, what: "zlib does not start") }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        var status = Z_OK
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            repeat {
                let made = chunk.withUnsafeMutableBufferPointer { chunk -> Int in
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(clamping: chunk.count)
                    status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return chunk.count - Int(stream.avail_out)
                }
                output += chunk.prefix(made)
                if made == 0, status == Z_OK { status = Z_BUF_ERROR }
            } while status == Z_OK && output.count <= limit
        }
        guard output.count <= limit else {
            throw KaitaiError(code: .limit, what: "decompression produces more than \(limit) bytes")
        }
        guard status == Z_STREAM_END else {
            throw KaitaiError(code: .compression, what: "this is not a whole zlib stream")
        }
        return output
    }

    /// Compresses to a zlib stream.
    static func deflate(_ bytes: [UInt8]) throws(KaitaiError) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(count))
        guard compress(&output, &count, bytes, UInt(bytes.count)) == Z_OK else {
            throw KaitaiError(code: .compression, what: "zlib does not compress this")
        }
        return Array(output.prefix(Int(count)))
    }
}
