extension SDL {
    /// Decodes both directions of an SDL connection, which know nothing of each other.
    ///
    /// It is what `IndependentDirections` is to any protocol, spelt out: that one looks up the type
    /// of its decoder at every call. The two decoders stand in an array because what is no larger
    /// than a few words lies in an existential itself, and not in a box that must be found unique.
    struct Directions: ConnectionDecoder {
        private var decoders = [StreamDecoder(), StreamDecoder()]

        @inline(__always)
        private func place(of side: ConnectionSide) -> Int { side == .first ? 0 : 1 }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            decoders[place(of: side)].consume(bytes, at: offset, into: &messages)
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage], asking screening: inout Screening
        ) {
            decoders[place(of: side)].consume(
                bytes, at: offset, into: &messages, asking: &screening)
        }

        mutating func agreement(of side: ConnectionSide) -> HeadAgreement? {
            decoders[place(of: side)].agreement
        }

        mutating func resume(
            _ course: inout HeadCourse, at offset: UInt64, from side: ConnectionSide
        ) {
            decoders[place(of: side)].resume(&course, at: offset)
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            decoders[place(of: side)].gap(upTo: offset, into: &messages)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            guard end != .cut else { return }
            decoders[place(of: side)].finish(into: &messages)
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            decoders[place(of: side)].oldestPendingOffset
        }
    }
}
