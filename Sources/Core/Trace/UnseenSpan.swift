import Wire

/// A part of the traffic that a capture does not show, as far as the capture itself reveals it.
///
/// A decision from an absence, from an order or from bytes that do not decode is valid only outside
/// such a part, because a message may have been sent in it.
public struct UnseenSpan: Sendable, Hashable {
    /// Why the traffic was not seen.
    public enum Cause: Sendable, Hashable {
        /// This number of bytes of the stream is missing.
        ///
        /// Later bytes, an acknowledgement or the end of the stream show that they were sent.
        case missingBytes(Int)
        /// The capture begins in the middle of the connection.
        case midStream
        /// A packet was captured only in part; this number of bytes of its payload is missing.
        case cutPacket(Int)
        /// No packet of this direction was captured, although the other side acknowledges some.
        case missingDirection
        /// A segment was captured after one that acknowledges it.
        ///
        /// So the order of packets is not the order in which they were sent.
        case misordered
        /// A packet's time is before the time of the packet that precedes it in the capture.
        case clock
        /// Bytes were captured with two different contents.
        ///
        /// Nothing shows which of them the receiver accepted.
        case conflictingBytes
        /// An urgent byte was captured out of order, so that its place in the stream is not known.
        case urgentByte
        /// Bytes were captured after the end of their connection.
        case afterEnd
        /// The same datagram was captured twice; it may have been sent once or twice.
        case repeatedDatagram
        /// The checksums of a sender are right, except in this datagram.
        case wrongChecksum
        /// The capture has no time of a packet.
        case untimed
        /// Bytes of a connection could not be decrypted, for this reason; they may be any messages
        /// that the connection carries.
        case concealed(String)
        /// A packet could not be dissected, for this reason; it may have carried anything.
        case undissected(String)
    }

    /// Why the traffic was not seen.
    public var cause: Cause
    /// The time until which everything was seen.
    ///
    /// It is the smallest time if nothing is known of what was before.
    public var since: Timestamp
    /// The time at which the capture reveals it.
    public var until: Timestamp
    /// The packet that reveals it; `nil` if the end of the capture does.
    public var frame: Int?
    /// The connection; `nil` if any may be affected.
    public var flow: Int?
    /// The sender of what was not seen.
    public var source: Endpoint?
    /// The receiver of what was not seen.
    public var destination: Endpoint?

    /// The number that stands for the connection of a missing time, which concerns all of them.
    public static let timeKey = -1
    /// The number that stands for the connection of a step of the clock, which concerns all of them.
    public static let clockKey = -2

    /// Creates a span.
    public init(
        cause: Cause, since: Timestamp, until: Timestamp, frame: Int? = nil, flow: Int? = nil,
        source: Endpoint? = nil, destination: Endpoint? = nil
    ) {
        self.cause = cause
        self.since = since
        self.until = until
        self.frame = frame
        self.flow = flow
        self.source = source
        self.destination = destination
    }

    /// Whether the traffic was seen, but not what the receiver made of it.
    public var isDoubtful: Bool {
        switch cause {
        case .conflictingBytes, .urgentByte, .afterEnd, .wrongChecksum, .repeatedDatagram: true
        case .missingBytes, .midStream, .cutPacket, .missingDirection, .misordered, .clock,
            .untimed, .concealed, .undissected:
            false
        }
    }

    /// What is missing, as the beginning of a sentence.
    public var text: String {
        switch cause {
        case .missingBytes(let count): "the capture lacks \(count) byte(s) of a stream"
        case .midStream: "the capture begins in the middle of a connection"
        case .cutPacket(let count): "the capture holds a packet without its last \(count) byte(s)"
        case .missingDirection: "the capture lacks one direction of a connection"
        case .misordered: "the capture holds a segment after one that acknowledges it"
        case .conflictingBytes: "the capture holds the same bytes twice, with different contents"
        case .urgentByte: "the capture holds an urgent byte out of order"
        case .afterEnd: "the capture holds bytes of a connection after its end"
        case .wrongChecksum: "the capture holds a datagram with a wrong checksum"
        case .repeatedDatagram:
            "the capture holds the same datagram twice, sent twice or captured twice"
        case .untimed: "the capture has a packet without a time"
        case .concealed(let why): "the capture holds bytes that are not decrypted (\(why))"
        case .clock: "the times of the capture run backwards"
        case .undissected(let what): "the capture holds a packet that is not dissected (\(what))"
        }
    }
}

extension Timestamp {
    /// A time before every packet.
    public static let distantPast = Timestamp(nanoseconds: .min)

    /// The last point in time before this one.
    var oneTickEarlier: Timestamp {
        Timestamp(nanoseconds: nanoseconds.subtractingReportingOverflow(1).partialValue)
    }
}
