import Wire

extension TLS {
    /// One record of a stream (RFC 8446 5.1).
    struct Record {
        /// The five bytes of the header.
        let header: [UInt8]
        let payload: ArraySlice<UInt8>
        /// Its range in the stream of the carrier.
        let range: Range<UInt64>

        var type: UInt8 { header[0] }
    }

    /// One direction of a connection: its records, its keys, and its handshake messages.
    struct Side: Sendable {
        /// The keys by which records are protected.
        enum Epoch: Sendable, Hashable {
            case plain
            /// Early data of a resumed session.
            case early
            case handshake
            case application
            /// After a ChangeCipherSpec, up to TLS 1.2.
            case changed
        }

        /// What the bytes are.
        enum State: Sendable, Hashable {
            case records
            /// Bytes are missing: where records begin is not known any more.
            case lost
            /// They have turned out not to be records.
            case broken
        }

        var pending = PendingBytes()
        /// The offset of the first pending byte.
        var start: UInt64 = 0
        var state = State.records
        private(set) var epoch = Epoch.plain
        /// The keys of the epoch, once they are found.
        var protection: RecordProtection?
        /// Why records of the epoch cannot be decrypted.
        var darkness: String?
        /// The positions of handshake messages, which records fragment and join.
        var handshakes = NestedStream()
        var handshakeBytes = PendingBytes()
        /// Whether it has sent Finished.
        var isFinished = false

        /// Begins an epoch: the next encrypted record needs other keys.
        mutating func begin(_ epoch: Epoch) {
            self.epoch = epoch
            protection = nil
            darkness = nil
        }

        /// Takes the next complete record.
        ///
        /// - Returns: `nil` if it is not complete, or if the bytes are not a record.
        mutating func nextRecord() -> Record? {
            guard state == .records, let first = pending.slice.first else { return nil }
            let header = Array(pending.slice.prefix(5))
            guard ContentType.all.contains(first), header.count < 2 || header[1] == 3 else {
                state = .broken
                return nil
            }
            guard header.count == 5 else { return nil }
            let length = Int(header[3]) << 8 | Int(header[4])
            guard header[2] <= 4, length <= Limits.record else {
                state = .broken
                return nil
            }
            guard pending.count >= 5 + length else { return nil }
            let bytes = pending.consume(5 + length)
            let from = start
            start += UInt64(bytes.count)
            return Record(header: header, payload: bytes[5...], range: from..<start)
        }

        /// Takes all pending bytes; returns them with their range.
        mutating func takeRest() -> (bytes: [UInt8], range: Range<UInt64>) {
            let bytes = pending.consume(pending.count)
            defer { start += UInt64(bytes.count) }
            return (bytes, start..<start + UInt64(bytes.count))
        }

        /// The offset of the oldest byte that a later message may refer to.
        var oldest: UInt64 { min(start, handshakes.oldestOuter ?? start) }

        /// Drops the beginning of a message of the handshake, whose rest is not seen.
        mutating func forgetHandshake() {
            handshakes.forget(before: .max)
            handshakeBytes.removeAll()
        }
    }
}
