import Wire

extension SDL {
    /// Decodes both directions of an SDL connection, which know of each other only how large frames may
    /// be.
    ///
    /// It is what `IndependentDirections` is to any protocol, spelt out: that one looks up the type
    /// of its decoder at every call. The two decoders stand in an array because what is no larger
    /// than three words lies in an existential itself, and not in a box that must be found unique;
    /// and they are not kept where what they know fits into the words that are left.
    struct Directions: ConnectionDecoder {
        /// Those of both sides; none while both rest.
        private var decoders = [StreamDecoder(), StreamDecoder()]
        private var rests: InlineArray<2, StreamDecoder.Rest> = [.unbegun, .unbegun]

        @inline(__always)
        private func place(of side: ConnectionSide) -> Int { side == .first ? 0 : 1 }

        /// Makes the decoders again if both rest.
        @inline(__always)
        private mutating func wake() {
            if decoders.isEmpty { decoders = [StreamDecoder(rests[0]), StreamDecoder(rests[1])] }
        }

        mutating func rest() {
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
            tellLimit(from: side)
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage], asking screening: inout Screening
        ) {
            wake()
            decoders[place(of: side)].consume(
                bytes, at: offset, into: &messages, asking: &screening)
            tellLimit(from: side)
            if isBoundedBy(side) { screening.agreement = nil }
        }

        /// Tells the other direction what the sender of this one takes.
        @inline(__always)
        private mutating func tellLimit(from side: ConnectionSide) {
            let own = place(of: side)
            if decoders[own].assembly.announced.isEmpty { return }
            for limit in decoders[own].assembly.announced { decoders[1 - own].assembly.note(limit) }
            decoders[own].assembly.announced = []
        }

        /// Whether a side takes smaller frames than the version allows: its next StartServiceACK may
        /// lift that, which only the decoder notes.
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
            // Who rests has nothing unfinished.
            guard end != .cut, !decoders.isEmpty else { return }
            decoders[place(of: side)].finish(into: &messages)
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
    /// What is left of a decoder where nothing is unfinished, in a word: enough to make it again.
    struct Rest: Sendable, BitwiseCopyable {
        /// The offset, and above it the agreement.
        private let word: UInt64

        private static let offsetBits: UInt64 = 48
        private static let offsetMask: UInt64 = 1 << offsetBits - 1

        /// Of a decoder that has been given nothing.
        static let unbegun = Rest(word: offsetMask)

        private init(word: UInt64) { self.word = word }

        /// Takes where a decoder stands; `nil` if it is too far away for a word.
        init?(at offset: UInt64?, _ agreement: HeaderContext) {
            guard (offset ?? 0) < Self.offsetMask else { return nil }
            self.init(word: UInt64(agreement) << Self.offsetBits | (offset ?? Self.offsetMask))
        }

        /// Takes where a stream that was read by heads has come to; `nil` if it is within a frame.
        init?(_ course: HeaderReaderState, at offset: UInt64) {
            guard course.passing == 0, course.gathered.isEmpty else { return nil }
            self.init(at: offset, course.agreement)
        }

        /// Offset of the next byte; `nil` before the first.
        var offset: UInt64? {
            word & Self.offsetMask == Self.offsetMask ? nil : word & Self.offsetMask
        }

        /// What is agreed with the stream.
        var agreement: HeaderContext { HeaderContext(word >> Self.offsetBits) }
    }

    /// All that is known, if it fits; `nil` while a frame or a message is unfinished, or where there
    /// is more to know than what `FrameHeaderReader` goes by.
    var rest: Rest? {
        guard let agreement, assembly.knowsNoMore else { return nil }
        return Rest(at: start, agreement)
    }

    /// Makes the decoder again that has come to rest.
    init(_ rest: Rest) {
        self.init()
        start = rest.offset
        assembly.note(rest.agreement)
    }
}
