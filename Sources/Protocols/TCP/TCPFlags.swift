/// The control bits of a TCP header (RFC 9293 3.1).
public struct TCPFlags: OptionSet, Sendable, Hashable {
    /// The low eight bits, as on the wire.
    public let rawValue: UInt8

    /// Takes the bits as they stand on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No more data from the sender.
    public static let fin = TCPFlags(rawValue: 0x01)
    /// Synchronise sequence numbers.
    public static let syn = TCPFlags(rawValue: 0x02)
    /// Reset the connection.
    public static let rst = TCPFlags(rawValue: 0x04)
    /// Push.
    public static let psh = TCPFlags(rawValue: 0x08)
    /// The acknowledgement number is valid.
    public static let ack = TCPFlags(rawValue: 0x10)
    /// The urgent pointer is valid.
    public static let urg = TCPFlags(rawValue: 0x20)
    /// Congestion echo (RFC 3168).
    public static let ece = TCPFlags(rawValue: 0x40)
    /// Congestion window reduced (RFC 3168).
    public static let cwr = TCPFlags(rawValue: 0x80)
}
