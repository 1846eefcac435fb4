extension WebSocket {
    /// Both directions of a connection; the server's answer tells both how messages are packed.
    struct Directions: ConnectionDecoder {
        private var first: StreamDecoder
        private var second: StreamDecoder

        /// Makes decoders; `application` makes what turns their content into other messages.
        init(_ application: () -> (any Application)?) {
            first = StreamDecoder(application: application())
            second = StreamDecoder(application: application())
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            switch side {
            case .first:
                first.consume(bytes, at: offset, into: &messages)
                if let agreement = first.agreementOfServer { second.heed(agreement) }
            case .second:
                second.consume(bytes, at: offset, into: &messages)
                if let agreement = second.agreementOfServer { first.heed(agreement) }
            }
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            switch side {
            case .first: first.gap(upTo: offset, into: &messages)
            case .second: second.gap(upTo: offset, into: &messages)
            }
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            guard end != .cut else { return }
            switch side {
            case .first: first.finish(into: &messages)
            case .second: second.finish(into: &messages)
            }
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            side == .first ? first.oldestPendingOffset : second.oldestPendingOffset
        }
    }
}
