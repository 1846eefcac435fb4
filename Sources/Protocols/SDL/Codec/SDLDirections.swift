import Wire

extension SDL {
    /// Decodes both directions of an SDL connection.
    ///
    /// The directions are independent, except for how large frames may be. The type is a
    /// specialised `IndependentDirections`, which looks up the type of its decoder at every call.
    /// The two decoders are in an array, because a value of at most three words is stored inline in
    /// an existential, and not in a box whose uniqueness must be checked. The decoders are
    /// discarded while their state fits into the remaining words.
    struct Directions: ConnectionDecoder {
        /// The decoders of both sides; empty while both are resting.
        private var decoders = [StreamDecoder(), StreamDecoder()]
        private var rests: InlineArray<2, StreamDecoder.Rest> = [.unbegun, .unbegun]

        @inline(__always)
        private func place(of side: ConnectionSide) -> Int { side == .first ? 0 : 1 }

        /// Recreates the decoders if both are resting.
        @inline(__always)
        private mutating func wake() {
            if decoders.isEmpty { decoders = [StreamDecoder(rests[0]), StreamDecoder(rests[1])] }
        }

        mutating func releaseState() {
            guard !decoders.isEmpty, let first = decoders[0].rest, let second = decoders[1].rest
            else { return }
            rests = [first, second]
            decoders = []
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            wake()
            decoders[place(of: side)].consume(bytes, at: offset, into: &messages)
            forwardLimit(from: side)
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage], asking screening: inout Screening
        ) {
            wake()
            decoders[place(of: side)].consume(
                bytes, at: offset, into: &messages, asking: &screening)
            forwardLimit(from: side)
            if isBoundedBy(side) { screening.agreement = nil }
        }

        /// Passes the limits announced by the sender of this direction on to the other direction.
        @inline(__always)
        private mutating func forwardLimit(from side: ConnectionSide) {
            let own = place(of: side)
            if decoders[own].assembly.announced.isEmpty { return }
            for limit in decoders[own].assembly.announced {
                decoders[1 - own].assembly.record(limit)
            }
            decoders[own].assembly.announced = []
        }

        /// Returns whether a side accepts only smaller frames than the version allows.
        ///
        /// Its next StartServiceACK may lift that, which only the decoder records.
        @inline(__always)
        private func isBoundedBy(_ side: ConnectionSide) -> Bool {
            decoders[1 - place(of: side)].assembly.isBounded
        }

        mutating func agreement(of side: ConnectionSide) -> HeaderContext? {
            if decoders.isEmpty { return rests[place(of: side)].agreement }
            return isBoundedBy(side) ? nil : decoders[place(of: side)].agreement
        }

        mutating func resume(
            _ course: inout HeaderReaderState, at offset: UInt64, from side: ConnectionSide
        ) {
            if decoders.isEmpty, let rest = StreamDecoder.Rest(course, at: offset) {
                rests[place(of: side)] = rest
                return
            }
            wake()
            decoders[place(of: side)].resume(&course, at: offset)
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            wake()
            decoders[place(of: side)].gap(upTo: offset, into: &messages)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            // A resting decoder has nothing unfinished.
            guard end != .cut, !decoders.isEmpty else { return }
            if end == .abandoned {
                decoders[place(of: side)].abandon(into: &messages)
            } else {
                decoders[place(of: side)].finish(into: &messages)
            }
        }

        mutating func restart(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
            wake()
            decoders[place(of: side)].finish(into: &messages)
        }

        func hasSkipped(of side: ConnectionSide) -> Bool {
            !decoders.isEmpty && decoders[place(of: side)].hasSkipped
        }

        mutating func reportSkipped(
            of side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            if !decoders.isEmpty { decoders[place(of: side)].reportSkipped(into: &messages) }
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            decoders.isEmpty
                ? rests[place(of: side)].offset ?? 0
                : decoders[place(of: side)].oldestPendingOffset
        }
    }
}

extension SDL.StreamDecoder {
    /// The state of a decoder with nothing unfinished, in one word, from which it can be recreated.
    struct Rest: Sendable, BitwiseCopyable {
        /// The offset, and the agreement in the bits above it.
        private let word: UInt64

        private static let offsetBits: UInt64 = 48
        private static let offsetMask: UInt64 = 1 << offsetBits - 1

        /// The state of a decoder that has been given nothing.
        static let unbegun = Rest(word: offsetMask)

        private init(word: UInt64) { self.word = word }

        /// Creates the state from a position; `nil` if the offset is too large for a word.
        init?(at offset: UInt64?, _ agreement: HeaderContext) {
            guard (offset ?? 0) < Self.offsetMask else { return nil }
            self.init(word: UInt64(agreement) << Self.offsetBits | (offset ?? Self.offsetMask))
        }

        /// Creates the state of a stream that was read by headers; `nil` if it is within a frame.
        init?(_ course: HeaderReaderState, at offset: UInt64) {
            guard course.passing == 0, course.gathered.isEmpty else { return nil }
            self.init(at: offset, course.agreement)
        }

        /// The offset of the next byte; `nil` before the first one.
        var offset: UInt64? {
            word & Self.offsetMask == Self.offsetMask ? nil : word & Self.offsetMask
        }

        /// The context that is agreed for the stream.
        var agreement: HeaderContext { HeaderContext(word >> Self.offsetBits) }
    }

    /// The whole state, if it fits.
    ///
    /// It is `nil` while a frame or a message is unfinished, or if there is more state than
    /// `FrameHeaderReader` uses.
    var rest: Rest? {
        guard let agreement, assembly.knowsNoMore else { return nil }
        return Rest(at: start, agreement)
    }

    /// Recreates the decoder from its resting state.
    init(_ rest: Rest) {
        self.init()
        start = rest.offset
        assembly.record(rest.agreement)
    }
}
