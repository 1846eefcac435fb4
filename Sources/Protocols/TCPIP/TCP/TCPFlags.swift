/// The control bits of a TCP header (RFC 9293 3.1).
public struct TCPFlags: OptionSet, Sendable, Hashable {
    /// The low eight bits, as on the wire.
    public let rawValue: UInt8

    /// Creates flags from the bits on the wire.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No more data from the sender.
    @inlinable public static var fin: TCPFlags { TCPFlags(rawValue: 0x01) }
    /// Synchronise sequence numbers.
    @inlinable public static var syn: TCPFlags { TCPFlags(rawValue: 0x02) }
    /// Reset the connection.
    @inlinable public static var rst: TCPFlags { TCPFlags(rawValue: 0x04) }
    /// Push.
    @inlinable public static var psh: TCPFlags { TCPFlags(rawValue: 0x08) }
    /// The acknowledgement number is valid.
    @inlinable public static var ack: TCPFlags { TCPFlags(rawValue: 0x10) }
    /// The urgent pointer is valid.
    @inlinable public static var urg: TCPFlags { TCPFlags(rawValue: 0x20) }
    /// Congestion echo (RFC 3168).
    @inlinable public static var ece: TCPFlags { TCPFlags(rawValue: 0x40) }
    /// Congestion window reduced (RFC 3168).
    @inlinable public static var cwr: TCPFlags { TCPFlags(rawValue: 0x80) }
}
