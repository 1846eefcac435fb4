import Wire

/// The times at which the bytes of a message were captured.
public struct Arrival: Sendable, Hashable {
    /// The time at which the first byte was captured.
    public var first: Timestamp
    /// The time at which the last byte was captured.
    public var last: Timestamp
    /// The longest time between two consecutive segments of the message.
    public var pause: Duration

    /// Creates the arrival of bytes that arrived at once.
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

/// A message in the trace: its content, time of completion, sender, receiver and frames.
public struct TraceMessage: Sendable {
    /// Its number in the trace, counted from 1.
    public var number: Int
    /// The time at which its last byte was captured.
    public var time: Timestamp
    /// The frames that carried it, ascending, numbered from 1 as in Wireshark.
    ///
    /// It is empty for an event that was not on the wire.
    public var frames: [Int]
    /// The flow that it belongs to; `nil` for an event that was not on the wire.
    ///
    /// Flows are counted from 0 in order of appearance (Wireshark's `tcp.stream`), those of UDP
    /// from `FlowNumber.firstOfUDP` on.
    public var flow: Int?
    /// The sender; `nil` for an event that was not on the wire.
    public var source: Endpoint?
    /// The receiver; `nil` for an event that was not on the wire.
    public var destination: Endpoint?
    /// The range of its bytes in its stream, counted from 0.
    ///
    /// It is `nil` for an event, and for what happened to the connection itself.
    public var streamRange: Range<UInt64>?
    /// The times at which its bytes arrived; `nil` if they are not known.
    ///
    /// They may be earlier than the time at which the message was recognised.
    public var arrival: Arrival?
    /// The decoded message.
    public var content: any DissectedMessage

    /// Creates a message.
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
