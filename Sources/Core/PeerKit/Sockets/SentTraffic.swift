import TCPIP
import Wire

/// What the sockets of a peer have sent, to be compared with what a capture shows.
public struct SentTraffic {
    /// A connection of the peer.
    public struct Stream: Sendable, Hashable {
        /// The peer's end.
        public let own: PeerConnection
        /// The other end.
        public let other: PeerConnection
        /// Digests of the bytes that the peer wrote; empty if it wrote none.
        public let marks: [StreamDigest.Mark]
    }

    /// The two ends of datagrams.
    public struct Ends: Sendable, Hashable {
        /// The peer's end.
        public let own: PeerConnection
        /// The destination.
        public let other: PeerConnection
    }

    /// The connections, in the order in which they were opened.
    public var streams: [Stream] = []
    /// The datagrams, in the order in which they were sent.
    public var datagrams: [Ends: [Datagram]] = [:]

    /// A datagram that was sent.
    public struct Datagram: Sendable, Hashable {
        /// The digest of its payload.
        public let digest: UInt64
        /// When it was about to be sent, in nanoseconds since 1970.
        public let time: Int64
    }

    /// Creates a record of a peer that has sent nothing.
    public init() {}
}
