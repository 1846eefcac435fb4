import Wire

extension WebSocket {
    /// Both directions of a connection; the server's response gives the compression for both.
    package struct Directions: ConnectionDecoder {
        private var directions: IndependentDirections<StreamDecoder>

        /// Creates the decoders; `application` creates the converter of their content.
        package init(_ application: () -> (any Application)?) {
            directions = IndependentDirections { StreamDecoder(application: application()) }
        }

        package mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            if directions.sides[side].awaitsHead {
                directions.sides[side].handle(directions.sides[side.other].request)
            }
            directions.consume(bytes, from: side, at: offset, into: &messages)
            if let agreement = directions.sides[side].agreementOfServer {
                directions.sides[side.other].handle(agreement)
            }
        }

        package mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            directions.gap(upTo: offset, from: side, into: &messages)
        }

        package mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            directions.finish(side, end, into: &messages)
        }

        package func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            directions.oldestPendingOffset(of: side)
        }
    }
}
