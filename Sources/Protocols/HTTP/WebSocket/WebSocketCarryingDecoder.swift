import Wire

extension WebSocket {
    /// A decoder of both directions of a connection whose binary messages may carry another
    /// protocol.
    ///
    /// They may be the pieces of a stream, for example of SDL. Once that protocol is recognised,
    /// its messages replace the binary ones.
    struct CarryingDecoder: ConnectionDecoder {
        private var frames = Directions { nil }
        private var inner: NestedConnection
        /// The binary messages that are held back until it is known whether they carry another
        /// protocol.
        private var held: [ConnectionSide: [Message]] = [:]

        init(of stack: DissectionStack) {
            inner = NestedConnection(in: .webSocket, of: stack)
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            var units: [StreamMessage] = []
            frames.consume(bytes, from: side, at: offset, into: &units)
            consume(units, from: side, into: &messages)
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide,
            into messages: inout [StreamMessage]
        ) {
            var units: [StreamMessage] = []
            frames.gap(upTo: offset, from: side, into: &units)
            consume(units, from: side, into: &messages)
            var waiting = held.removeValue(forKey: side) ?? []
            inner.lose(side, opaque: { Self.next(&waiting, $0) }, into: &messages)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            var units: [StreamMessage] = []
            frames.finish(side, end, into: &units)
            consume(units, from: side, into: &messages)
            var waiting = held.removeValue(forKey: side) ?? []
            inner.finish(side, end, opaque: { Self.next(&waiting, $0) }, into: &messages)
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            let oldest = frames.oldestPendingOffset(of: side)
            return inner.oldestPendingOffset(of: side).map { min(oldest, $0) } ?? oldest
        }

        private mutating func consume(
            _ units: [StreamMessage], from side: ConnectionSide,
            into messages: inout [StreamMessage]
        ) {
            for unit in units {
                guard let message = unit.content as? Message,
                    case .frames(let frame, _) = message.content, frame.opcode == .binary,
                    !frame.payload.isEmpty
                else {
                    messages.append(unit)
                    continue
                }
                var waiting = (held.removeValue(forKey: side) ?? []) + [message]
                inner.consume(
                    frame.payload.span.bytes, from: side, at: unit.ranges,
                    opaque: { Self.next(&waiting, $0) }, into: &messages)
                if inner.streamProtocol == nil { held[side] = waiting }
            }
        }

        /// The message whose payload is handed back: each comes back once, in order.
        private static func next(_ waiting: inout [Message], _ payload: [UInt8]) -> Message {
            waiting.isEmpty
                ? Message(.frames(Frame(.binary, payload), count: 1), bytes: payload)
                : waiting.removeFirst()
        }
    }
}
