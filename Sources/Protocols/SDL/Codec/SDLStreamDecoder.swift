import Wire

extension SDL {
    /// Decodes one direction of an SDL connection.
    ///
    /// Frames of several messages may be interleaved; messages are distinguished by session,
    /// service and message id. After bytes that cannot be a frame the decoder reports the first of
    /// them at once, looks for the next plausible header and reports the bytes that it skipped.
    public struct StreamDecoder: Wire.StreamDecoder {
        /// The state that determines how the next byte is processed.
        ///
        /// Rare states are stored indirectly, so that the decoder is small: with many connections,
        /// fetching it dominates the time.
        enum Mode {
            /// A frame starts here.
            case synchronised
            /// The decoder looks for a frame.
            indirect case searching(SkippedBytes)
            /// The decoder skips the captured rest of a frame that is partly lost.
            indirect case discarding(LostFrame)
            /// The decoder passes over the rest of a frame that is not needed.
            ///
            /// Its bytes are not kept.
            indirect case passing(PassingFrame)
        }

        /// The offset of the first pending byte, or of the next expected byte.
        ///
        /// It is `nil` before the first one.
        var start: UInt64?
        /// The bytes that are too few for the next step.
        var pending: [UInt8] = []
        var mode = Mode.synchronised
        var assembly: MessageAssembly
        /// The number of attempts to find frames: it shows the cost of getting them in pieces.
        var scanCount = 0

        /// Creates a decoder that expects a frame at the first byte.
        public init() {
            self.init(MessageAssembly())
        }

        /// Creates a decoder with a given assembly, which may have other limits.
        init(_ assembly: MessageAssembly) {
            self.assembly = assembly
        }

        var position: UInt64 { start ?? 0 }

        /// The context for `FrameHeaderReader`; `nil` while a frame or a message is unfinished.
        var agreement: HeaderContext? {
            guard pending.isEmpty, !assembly.hasPartials, case .synchronised = mode else {
                return nil
            }
            return assembly.agreement
        }

        /// Continues at the position that `FrameHeaderReader` has reached.
        mutating func resume(_ course: inout HeaderReaderState, at offset: UInt64) {
            pending = []
            swap(&pending, &course.gathered)
            start = offset - UInt64(pending.count)
            assembly.record(course.agreement)
            mode =
                course.passing > 0 && pending.isEmpty
                ? .passing(PassingFrame(course, at: offset)) : .synchronised
        }

        /// Decodes the next bytes; see `Wire.StreamDecoder`.
        public mutating func consume(
            _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
        ) {
            var screening = Screening()
            consume(bytes, at: offset, into: &messages, asking: &screening)
        }

        /// Decodes the next bytes; see `Wire.StreamDecoder`.
        public mutating func consume(
            _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage],
            asking screening: inout Screening
        ) {
            if start == nil { start = offset }
            if offset > position, offset > position + UInt64(pending.count) {
                gap(upTo: offset, into: &messages)
            }
            // What the header reader has gathered is complete, or must be processed here.
            if screening.isAsked || bytes.byteCount == 0, !pending.isEmpty {
                decodeGathered(into: &messages, asking: &screening)
            }
            // If the bytes start at the current position, no bytes before them are waiting.
            let from =
                offset > position ? complete(bytes, into: &messages, asking: &screening) : 0
            if from < bytes.byteCount {
                let rest = bytes.extracting(droppingFirst: from)
                let used = decode(rest, into: &messages, asking: &screening)
                if used < rest.byteCount {
                    keep(rest.extracting(droppingFirst: used))
                }
            }
            screening.oldestPendingOffset = oldestPendingOffset
            screening.agreement = agreement
        }

        /// Decodes a frame that `FrameHeaderReader` has gathered; an incomplete one is kept.
        private mutating func decodeGathered(
            into messages: inout [StreamMessage], asking screening: inout Screening
        ) {
            var frame: [UInt8] = []
            swap(&frame, &pending)
            let used = decode(frame.span.bytes, into: &messages, asking: &screening)
            if used < frame.count { pending = Array(frame[used...]) }
        }

        /// Completes a frame that began in earlier bytes; the rest is read in place.
        ///
        /// - Returns: The offset at which the rest begins.
        private mutating func complete(
            _ bytes: RawSpan, into messages: inout [StreamMessage],
            asking screening: inout Screening
        ) -> Int {
            var from = 0
            while !pending.isEmpty, from < bytes.byteCount {
                let missing = missingCount ?? .max
                let count = min(missing, bytes.byteCount - from)
                bytes.extracting(from..<from + count).withUnsafeBytes {
                    pending.append(contentsOf: $0)
                }
                from += count
                // What is certainly the front of a frame need not be decoded before it is complete.
                if missing < .max, missingCount != nil { continue }
                var buffer: [UInt8] = []
                swap(&buffer, &pending)
                let used = decode(buffer.span.bytes, into: &messages, asking: &screening)
                if used == buffer.count { continue }
                buffer.removeFirst(used)
                swap(&buffer, &pending)
            }
            return from
        }

        /// Keeps bytes that are too few, with room for the rest of a frame of usual size.
        private mutating func keep(_ bytes: RawSpan) {
            if bytes.byteCount >= Header.shortSize {
                let payload = UInt32(
                    bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self))
                pending.reserveCapacity(min(Header.longSize + Int(payload), Limits.gatheredRoom))
            }
            bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
        }

        /// The number of bytes that the pending ones lack to be a whole header or a whole frame.
        ///
        /// It is `nil` if they are not the front of a frame.
        private var missingCount: Int? {
            guard case .synchronised = mode else { return nil }
            let bytes = pending.span.bytes
            guard let headerSize = Header.size(firstByte: bytes.unsafeLoad(as: UInt8.self)) else {
                return nil
            }
            guard bytes.byteCount >= headerSize else { return headerSize - bytes.byteCount }
            let size = UInt32(
                bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let missing = headerSize + Int(size) - bytes.byteCount
            return size <= Limits.framePayload && missing > 0 ? missing : nil
        }

        /// Handles missing bytes; see `Wire.StreamDecoder`.
        ///
        /// If the header of the frame at the gap is known and the gap ends inside that frame, only
        /// this frame and its message are lost. Otherwise all unfinished messages are lost.
        public mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
            let end = position + UInt64(pending.count)
            guard offset > end else { return }
            let missing = offset - end
            let lost = lostFrame(endingAt: end, into: &messages)
            if var lost, offset <= lost.end {
                assembly.drop(messageOf: lost.header, missing: missing, into: &messages)
                lost.resume(at: offset)
                mode = .discarding(lost)
            } else {
                if let lost { report(lost, into: &messages) }
                assembly.dropAll(missing: missing, into: &messages)
                mode = .searching(SDL.SkippedBytes(start: offset, isLoss: true))
            }
            assembly.hasLoss = true
            pending = []
            start = offset
        }

        /// Handles the stream's end; see `Wire.StreamDecoder`.
        public mutating func finish(into messages: inout [StreamMessage]) {
            let end = position + UInt64(pending.count)
            switch mode {
            case .synchronised:
                if !pending.isEmpty {
                    report(
                        DecodeError(
                            .truncated, in: "sdl", at: pending.count,
                            "the stream ends within a frame"),
                        position..<end, sample: pending, section: "2.1", into: &messages)
                }
            case .passing(let frame):
                // Only the header is kept of a frame that is not needed.
                report(
                    DecodeError(
                        .truncated, in: "sdl", at: Int(end - frame.start),
                        "the stream ends within a frame"),
                    frame.start..<end, sample: frame.header.bytes, section: "2.1",
                    into: &messages)
            case .searching(var skipped):
                skipped.append(pending.span.bytes)
                report(skipped, upTo: end, into: &messages)
            case .discarding(var lost):
                lost.extend(to: end)
                report(lost, into: &messages)
            }
            assembly.dropUnfinished(into: &messages)
            mode = .synchronised
            pending = []
            start = end
        }

        /// Handles the end of a stream that nobody reads on; see `Wire.StreamDecoder`.
        public mutating func abandon(into messages: inout [StreamMessage]) {
            switch mode {
            case .synchronised, .passing: break
            case .searching, .discarding: finish(into: &messages)
            }
        }

        /// The start of the oldest unfinished message, frame or search.
        public var oldestPendingOffset: UInt64 {
            if case .synchronised = mode, !assembly.hasPartials { return position }
            var oldest = position
            switch mode {
            case .synchronised, .passing: break
            case .searching(let skipped): oldest = min(oldest, skipped.start)
            case .discarding(let lost): oldest = lost.ranges.first?.lowerBound ?? oldest
            }
            guard let unfinished = assembly.oldestOffset else { return oldest }
            return min(oldest, unfinished)
        }
    }
}
