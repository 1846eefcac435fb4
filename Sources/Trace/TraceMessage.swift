import Protocols

/// One end of a flow.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The network address.
    public var address: IPAddress
    /// The TCP or UDP port.
    public var port: UInt16

    /// Makes an endpoint.
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Parses `127.0.0.1:12345` or `[::1]:12345`; `nil` for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]"
        if isBracketed { host = host.dropFirst().dropLast() }
        guard let address = IPAddress(String(host)), address.isIPv6 == isBracketed else {
            return nil
        }
        self.init(address: address, port: port)
    }

    /// `127.0.0.1:12345`, `[::1]:12345`.
    public var description: String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
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
    /// The flow it belongs to, counted from 0 in order of appearance (Wireshark's `tcp.stream`);
    /// `nil` for an event that was not on the wire.
    public var flow: Int?
    /// Who sent it; `nil` for an event that was not on the wire.
    public var source: Endpoint?
    /// Who received it; `nil` for an event that was not on the wire.
    public var destination: Endpoint?
    /// The stretch of its stream, counted from 0, from its first byte to behind its last; `nil` for
    /// an event, and for what happened to the connection itself.
    public var streamRange: Range<UInt64>?
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
