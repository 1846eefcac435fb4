import Wire

/// When the bytes of a message were captured.
public struct Arrival: Sendable, Hashable {
    /// When the first was captured.
    public var first: Timestamp
    /// When the last was captured.
    public var last: Timestamp
    /// The longest time between two neighbouring segments of them.
    public var pause: Duration

    /// Makes the arrival of bytes that came at once.
    public init(at time: Timestamp) {
        (first, last, pause) = (time, time, .zero)
    }

    /// Adds a segment.
    mutating func add(_ time: Timestamp) {
        pause = max(pause, time - last)
        first = min(first, time)
        last = max(last, time)
    }
}

/// A message in the trace: what was decoded, when it was complete, who sent it, and in which frames.
public struct TraceMessage: Sendable {
    /// Its place in the trace, counted from 1.
    public var number: Int
    /// When its last byte was captured.
    public var time: Timestamp
    /// The frames that carried it, ascending, numbered from 1 as Wireshark does; empty for an
    /// event that was not on the wire.
    public var frames: [Int]
    /// The flow it belongs to, counted from 0 in order of appearance (Wireshark's `tcp.stream`), those of
    /// UDP from `FlowNumber.firstOfUDP` on;
    /// `nil` for an event that was not on the wire.
    public var flow: Int?
    /// Who sent it; `nil` for an event that was not on the wire.
    public var source: Endpoint?
    /// Who received it; `nil` for an event that was not on the wire.
    public var destination: Endpoint?
    /// The stretch of its stream, counted from 0, from its first byte to behind its last; `nil` for
    /// an event, and for what happened to the connection itself.
    public var streamRange: Range<UInt64>?
    /// When its bytes came, which may be before it was found what they are; `nil` if nothing tells.
    public var arrival: Arrival?
    /// The decoded message.
    public var content: any DissectedMessage

    /// Makes a message.
    public init(
        number: Int, time: Timestamp, frames: [Int], flow: Int? = nil, source: Endpoint? = nil,
        destination: Endpoint? = nil, content: any DissectedMessage
    ) {
        self.number = number
        self.time = time
        self.frames = frames
        self.flow = flow
        self.source = source
        self.destination = destination
        self.content = content
    }

    /// The message's name.
    public var name: String { content.name }
}
