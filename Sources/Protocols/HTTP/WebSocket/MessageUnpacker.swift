import Wire

extension WebSocket {
    /// The decompressor for the messages of one side of a connection, in their order (RFC 7692
    /// 7.2.2).
    ///
    /// It is a value: what later messages may refer back to is kept as bytes, and zlib is used only
    /// while a message is unpacked.
    struct MessageUnpacker: Sendable {
        /// A decompressed message.
        struct Unpacked: Sendable, Hashable {
            var payload: [UInt8]
            /// Whether it ends with a final block that is not followed by the required empty block.
            var endsInFinalBlock = false
        }

        /// The bytes that a sender omits at the end of each message (RFC 7692 7.2.1).
        static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

        private let side: PerMessageDeflate.Side
        /// The last bytes of the messages so far.
        private var window: [UInt8] = []
        /// The failure to unpack an earlier message on which the later ones depend.
        private var lost: DecodeError?
        /// The allowance for the decompressed messages.
        private var allowance = InflationAllowance()

        init(_ side: PerMessageDeflate.Side) {
            self.side = side
        }

        /// Unpacks the payload of the next message, which consists of all its fragments.
        ///
        /// - Throws: `.badValue` for bytes that are not DEFLATE or that refer back beyond the
        ///   window, `.truncated` if they end within a block, `.limit` if they unpack to more than
        ///   `Limits.unpacked` bytes or exceed the rest of the allowance.
        mutating func unpack(_ packed: [UInt8]) throws(DecodeError) -> Unpacked {
            if let lost {
                throw Self.failure(
                    lost.code == .limit ? .limit : .badValue,
                    "an earlier message, to which it refers, was not unpacked")
            }
            let limit = allowance.limit(for: packed.count, atMost: Limits.unpacked)
            do throws(DecodeError) {
                let message = try inflated(packed, atMost: limit)
                allowance.use(message.payload.count, for: packed.count)
                if side.keepsContext { window = lastBytes(of: message.payload) }
                return message
            } catch {
                allowance.use(limit, for: packed.count)
                lost = side.keepsContext ? error : nil
                throw error
            }
        }

        private func inflated(
            _ packed: [UInt8], atMost limit: Int
        ) throws(DecodeError) -> Unpacked {
            let input = packed + Self.tail
            var used = 0
            var message = Unpacked(payload: [])
            while true {
                let inflater = try RawInflater(
                    windowBits: side.windowBits, dictionary: lastBytes(of: message.payload))
                let end = try inflater.inflate(
                    input, from: &used, into: &message.payload, limit: limit)
                switch end {
                case .finalBlock where used == packed.count:
                    message.endsInFinalBlock = true
                    return message
                case .finalBlock where used < input.count: continue
                case .finalBlock, .block: return message
                case .withinBlock: throw Self.failure(.truncated, "it ends within a block")
                }
            }
        }

        /// Returns the bytes that a block after `output` may refer back to.
        private func lastBytes(of output: [UInt8]) -> [UInt8] {
            let size = 1 << side.windowBits
            guard output.count < size else { return Array(output.suffix(size)) }
            return Array(window.suffix(size - output.count)) + output
        }

        fileprivate static func failure(_ code: DecodeError.Code, _ what: String) -> DecodeError {
            DecodeError(code, in: PerMessageDeflate.name, at: 0, what)
        }
    }
}

/// A decompressor of raw DEFLATE (RFC 1951) that uses zlib.
private struct RawInflater {
    /// The position reached when the input is used up, or a final block has ended.
    enum End {
        case block
        case finalBlock
        case withinBlock
    }

    private let inflater: Inflater
    /// The number of bytes that are inflated in one call.
    ///
    /// zlib detects a reference beyond the window only if it leaves the output of one call.
    /// Therefore small windows use small calls.
    private let chunk: Int

    init(windowBits: Int, dictionary: [UInt8]) throws(DecodeError) {
        chunk = windowBits < 15 ? 256 : 16_384
        // A negative number selects DEFLATE without a header.
        guard let inflater = Inflater(windowBits: Int32(-windowBits), dictionary: dictionary) else {
            throw WebSocket.MessageUnpacker.failure(.badValue, "zlib cannot be started")
        }
        self.inflater = inflater
    }

    /// Inflates as much of `input` as possible, and advances `place`.
    func inflate(
        _ input: [UInt8], from place: inout Int, into output: inout [UInt8], limit: Int
    ) throws(DecodeError) -> End {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let start = place
            let (status, produced) = inflater.step(input, from: &place, into: &buffer)
            output += buffer[..<produced]
            guard output.count <= limit else {
                throw WebSocket.MessageUnpacker.failure(
                    .limit, "it unpacks to more than \(limit) bytes")
            }
            switch status {
            case .ended: return .finalBlock
            case .continues, .stuck:
                // Checked before another call, which would begin with the next block.
                if place == input.count, inflater.isBetweenBlocks { return .block }
                let hasMore = produced == buffer.count || (place < input.count && place > start)
                guard hasMore else { return .withinBlock }
            case .failed(let reason):
                throw WebSocket.MessageUnpacker.failure(.badValue, reason)
            }
        }
    }
}
