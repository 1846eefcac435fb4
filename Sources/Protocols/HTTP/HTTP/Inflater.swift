import CZlib

/// A zlib stream that decompresses bytes piece by piece.
package final class Inflater {
    /// The result of a step.
    package enum Status: Sendable, Hashable {
        /// More can be done.
        case continues
        /// The compressed bytes have ended.
        case ended
        /// No progress is possible without more bytes, or without room.
        case stuck
        /// The bytes are invalid, with the message of zlib.
        case failed(String)
    }

    /// The state of zlib, which keeps its address, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The bit of `data_type` by which zlib reports that it is between two blocks (zlib.h).
    private static let betweenBlocks: Int32 = 128

    /// Creates a stream; `nil` if zlib cannot be started, or rejects the dictionary.
    ///
    /// - Parameters:
    ///   - windowBits: The window and the format, as `inflateInit2` of zlib.h numbers them.
    ///   - dictionary: The bytes that the input may refer back to.
    package init?(windowBits: Int32, dictionary: [UInt8] = []) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        var status = inflateInit2_(stream, windowBits, ZLIB_VERSION, size)
        if status == Z_OK, !dictionary.isEmpty {
            status = inflateSetDictionary(stream, dictionary, UInt32(dictionary.count))
        }
        guard status == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether the bytes so far end between two blocks.
    package var isBetweenBlocks: Bool { stream.pointee.data_type & Self.betweenBlocks != 0 }

    /// Starts another stream of the same format.
    package func reset() { inflateReset(stream) }

    /// Decompresses as much of `input` as possible, and advances `place`.
    ///
    /// - Returns: The status, and how many bytes are in `buffer`.
    package func step(
        _ input: [UInt8], from place: inout Int, into buffer: inout [UInt8]
    ) -> (status: Status, produced: Int) {
        let (given, room) = (input.count - place, buffer.count)
        let status = input.withUnsafeBufferPointer { source in
            buffer.withUnsafeMutableBufferPointer { target in
                // zlib declares its input as mutable and does not change it.
                stream.pointee.next_in = source.baseAddress.map {
                    UnsafeMutablePointer(mutating: $0 + place)
                }
                stream.pointee.avail_in = UInt32(given)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(room)
                return inflate(stream, Z_NO_FLUSH)
            }
        }
        place += given - Int(stream.pointee.avail_in)
        return (meaning(of: status), room - Int(stream.pointee.avail_out))
    }

    private func meaning(of status: Int32) -> Status {
        switch status {
        case Z_OK: .continues
        case Z_STREAM_END: .ended
        case Z_BUF_ERROR: .stuck
        default: .failed(stream.pointee.msg.map { String(cString: $0) } ?? "zlib \(status)")
        }
    }
}
