import HTTP
import Wire

extension WebSocket {
    /// Unpacks the messages of one side of a connection, one after the other (RFC 7692 7.2.2).
    ///
    /// It is a value: what later messages may refer back to is kept as bytes, and zlib lives only
    /// while a message is unpacked.
    struct MessageUnpacker: Sendable {
        /// A message without its packing.
        struct Unpacked: Sendable, Hashable {
            var payload: [UInt8]
            /// Whether it ends with a final block without the empty one that has to follow it.
            var endsInFinalBlock = false
        }

        /// What a sender leaves out at the end of each message (RFC 7692 7.2.1).
        static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

        private let side: PerMessageDeflate.Side
        /// The last bytes of the messages so far.
        private var window: [UInt8] = []
        /// Why a message could not be unpacked, on which the later ones depend.
        private var lost: DecodeError?
        /// What the messages may grow to.
        private var allowance = InflationAllowance()

        init(_ side: PerMessageDeflate.Side) {
            self.side = side
        }

        /// Unpacks the payload of the next message, all of its fragments together.
        ///
        /// - Throws: `.badValue` for what is no DEFLATE or refers back beyond the window,
        ///   `.truncated` if it ends within a block, `.limit` if it unpacks to more than
        ///   `Limits.unpacked` bytes or than is left of the allowance.
        mutating func unpack(_ packed: [UInt8]) throws(DecodeError) -> Unpacked {
            if let lost {
                throw Self.failure(
                    lost.code == .limit ? .limit : .badValue,
                    "a message before it, to which it refers, was not unpacked")
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

        /// What a block behind `output` may refer back to.
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

/// Inflates raw DEFLATE (RFC 1951) through zlib.
private struct RawInflater {
    /// Where it has come to when all of the input is used up, or a final block has ended.
    enum End {
        case block
        case finalBlock
        case withinBlock
    }

    private let inflater: Inflater
    /// How much is inflated at a time.
    ///
    /// zlib finds out that a reference goes beyond the window only where it leaves what one call
    /// has inflated, so that small windows are given small calls.
    private let chunk: Int

    init(windowBits: Int, dictionary: [UInt8]) throws(DecodeError) {
        chunk = windowBits < 15 ? 256 : 16_384
        // A negative number asks for DEFLATE without a header.
        guard let inflater = Inflater(windowBits: Int32(-windowBits), dictionary: dictionary) else {
            throw WebSocket.MessageUnpacker.failure(.badValue, "zlib cannot be started")
        }
        self.inflater = inflater
    }

    /// Inflates what it can of `input` from a place on, which goes on to where it has come.
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
            case .goesOn, .stuck:
                // Looked at before another call, which would begin with the next block.
                if place == input.count, inflater.isBetweenBlocks { return .block }
                let hasMore = produced == buffer.count || (place < input.count && place > start)
                guard hasMore else { return .withinBlock }
            case .failed(let reason):
                throw WebSocket.MessageUnpacker.failure(.badValue, reason)
            }
        }
    }
}
