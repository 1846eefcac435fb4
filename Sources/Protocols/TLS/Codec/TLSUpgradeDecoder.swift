import Wire

extension TLS {
    /// A decoder of a connection that begins without TLS and goes over to it (STARTTLS).
    ///
    /// TLS begins where a ClientHello stands in place of a message (RFC 3207 4); it carries
    /// what both sides send from then on.
    struct UpgradeDecoder: ConnectionDecoder {
        private var plain: any ConnectionDecoder
        private var protected: Decoder
        private var isProtected = false
        /// The bytes of a side that may be the beginning of a ClientHello, and their offset.
        private var held = BothSides { (bytes: [UInt8](), offset: UInt64(0)) }

        init(of stack: DissectionStack, carrying known: StreamProtocol) {
            plain = known.makeDecoder(stack)
            protected = Decoder(of: stack, carrying: known)
        }

        private var current: any ConnectionDecoder {
            get { isProtected ? protected : plain }
            set {
                if let decoder = newValue as? Decoder, isProtected {
                    protected = decoder
                } else {
                    plain = newValue
                }
            }
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            if isProtected {
                return protected.consume(bytes, from: side, at: offset, into: &messages)
            }
            if held[side].bytes.isEmpty {
                guard plain.oldestPendingOffset(of: side) >= offset,
                    TLS.recognises(bytes) != false
                else {
                    return plain.consume(bytes, from: side, at: offset, into: &messages)
                }
                held[side].offset = offset
            }
            bytes.withUnsafeBytes { held[side].bytes += $0 }
            let front = held[side].bytes
            guard let isHello = TLS.recognises(front.span.bytes) else { return }
            isProtected = isHello
            releaseHeld(side, into: &messages)
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            releaseHeld(side, into: &messages)
            current.gap(upTo: offset, from: side, into: &messages)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            releaseHeld(side, into: &messages)
            current.finish(side, end, into: &messages)
        }

        mutating func restart(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
            releaseHeld(side, into: &messages)
            current.restart(side, into: &messages)
        }

        mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage]) {
            releaseHeld(side, into: &messages)
            current.pause(of: side, into: &messages)
        }

        func begun(of side: ConnectionSide) -> StreamMessage? { current.begun(of: side) }

        func hasSkipped(of side: ConnectionSide) -> Bool { current.hasSkipped(of: side) }

        mutating func reportSkipped(
            of side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            current.reportSkipped(of: side, into: &messages)
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            held[side].bytes.isEmpty ? current.oldestPendingOffset(of: side) : held[side].offset
        }

        private mutating func releaseHeld(
            _ side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            let (bytes, offset) = held[side]
            guard !bytes.isEmpty else { return }
            held[side].bytes = []
            current.consume(bytes.span.bytes, from: side, at: offset, into: &messages)
        }
    }
}
