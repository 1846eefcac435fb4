import TCPIP
import Trace

/// A synthetic TCP connection that numbers the bytes of both sides and acknowledges them.
public struct Conversation {
    /// The two ends of a connection.
    public enum Side: Sendable, Hashable {
        /// The side that opens the connection.
        case caller
        /// The side that accepts the connection.
        case callee

        /// The side at the other end.
        public var other: Side { self == .caller ? .callee : .caller }
    }

    private let caller: Endpoint
    private let callee: Endpoint
    private var next: [Side: UInt32]
    private var latest: [Side: Segment] = [:]

    /// Creates a connection on which nothing has been sent.
    public init(caller: Endpoint, callee: Endpoint) {
        self.caller = caller
        self.callee = callee
        next = [.caller: 1000 &+ UInt32(caller.port), .callee: 5000 &+ UInt32(caller.port)]
    }

    /// Returns the three segments that open the connection.
    public mutating func handshake() -> [Segment] {
        [
            segment(from: .caller, flags: [.syn]), segment(from: .callee, flags: [.syn, .ack]),
            segment(from: .caller),
        ]
    }

    /// Returns the next segment of one side; SYN and FIN count as a byte.
    public mutating func segment(
        from side: Side, flags: TCPFlags = [.ack], payload: [UInt8] = []
    ) -> Segment {
        let isFirst = flags.contains(.syn) && !flags.contains(.ack)
        let segment = Segment(
            from: side == .caller ? caller : callee, to: side == .caller ? callee : caller,
            sequence: next[side] ?? 0, acknowledgement: isFirst ? 0 : next[side.other] ?? 0,
            flags: payload.isEmpty ? flags : flags.union(.psh), payload: payload)
        let extra: UInt32 = flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1
        next[side] = segment.sequence &+ UInt32(payload.count) &+ extra
        latest[side] = segment
        return segment
    }

    /// Returns the latest segment of one side again; `nil` if there is none.
    public func retransmission(from side: Side) -> Segment? { latest[side] }
}
