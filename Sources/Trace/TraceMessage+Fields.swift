import Protocols

extension TraceMessage {
    /// Fields that every message has by its place in the trace, beside those of its protocol:
    /// Wireshark's names.
    public static let placeFields = [
        "message.name", "message.number", "frame.number", "frame.time_epoch", "ip.src", "ip.dst",
        "ip.addr", "tcp.srcport", "tcp.dstport", "tcp.port", "tcp.stream", "bluetooth.src",
        "bluetooth.dst", "bluetooth.addr",
    ]

    /// All values of a field, of the message's place or of its content; none if it has no such
    /// field.
    ///
    /// `frame.number` has one value for each frame, `ip.addr` and `tcp.port` one for each end.
    public func values(at path: FieldPath) -> [Value] {
        switch path.description {
        case "message.name": [.string(name)]
        case "message.number": [.integer(Int64(number))]
        case "frame.number": frames.map { .integer(Int64($0)) }
        case "frame.time_epoch": [.double(Double(time.nanoseconds) / 1e9)]
        case "ip.src": [source].addresses
        case "ip.dst": [destination].addresses
        case "ip.addr": [source, destination].addresses
        case "tcp.srcport": [source].ports
        case "tcp.dstport": [destination].ports
        case "tcp.port": [source, destination].ports
        case "tcp.stream": flow.map { [.integer(Int64($0))] } ?? []
        case "bluetooth.src": [source].nodes
        case "bluetooth.dst": [destination].nodes
        case "bluetooth.addr": [source, destination].nodes
        default: content.field(path).map { [$0] } ?? []
        }
    }
}

extension [Endpoint?] {
    fileprivate var addresses: [Value] {
        compactMap { end in
            guard case .ip(let address, _)? = end else { return nil }
            return .string(address.description)
        }
    }

    fileprivate var ports: [Value] {
        compactMap { end in
            guard case .ip(_, let port)? = end else { return nil }
            return .integer(Int64(port))
        }
    }

    fileprivate var nodes: [Value] {
        compactMap { end in
            guard case .bluetooth(let node, _)? = end else { return nil }
            return .string(node.description)
        }
    }
}
