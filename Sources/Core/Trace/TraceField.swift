import Bluetooth
import Wire

/// A field of the messages of a trace: found by its path once, then read from each message.
public struct TraceField: Sendable {
    /// The fields of a message's place in the trace, in addition to the fields of its protocol.
    ///
    /// They have Wireshark's names.
    public enum Place: String, Sendable, CaseIterable {
        case name = "message.name"
        case number = "message.number"
        /// One value for each frame.
        case frame = "frame.number"
        case time = "frame.time_epoch"
        case source = "ip.src"
        case destination = "ip.dst"
        /// One value for each end.
        case address = "ip.addr"
        case sourcePort = "tcp.srcport"
        case destinationPort = "tcp.dstport"
        /// One value for each end.
        case port = "tcp.port"
        case stream = "tcp.stream"
        /// One value for each end of a datagram.
        case datagramPort = "udp.port"
        case bluetoothSource = "bluetooth.src"
        case bluetoothDestination = "bluetooth.dst"
        /// One value for each end.
        case bluetoothAddress = "bluetooth.addr"
    }

    private enum Kind: Sendable {
        case place(Place)
        case header
        case content
    }

    /// The path of the field.
    public let path: FieldPath
    private let kind: Kind
    /// The field as visible in headers, if it is.
    private let header: ScreenedField?
    private let protocols: ProtocolRegistry

    /// Finds a field of the messages of these protocols.
    public init(_ path: FieldPath, in protocols: ProtocolRegistry) {
        self.path = path
        self.protocols = protocols
        header = protocols.screenedField(path)
        kind =
            Place(rawValue: path.description).map { .place($0) }
            ?? (header == nil ? .content : .header)
    }

    /// Returns all values of the field, from the message's place or its content.
    ///
    /// The result is empty if the message has no such field.
    public func values(of message: TraceMessage) -> [Value] {
        guard case .place(let place) = kind else {
            return message.content.value(at: path).map { [$0] } ?? []
        }
        return switch place {
        case .name: [.string(message.name)]
        case .number: [.integer(Int64(message.number))]
        case .frame: message.frames.map { .integer(Int64($0)) }
        case .time: [Self.seconds(message.time.nanoseconds)]
        case .source: [message.source].addresses
        case .destination: [message.destination].addresses
        case .address: [message.source, message.destination].addresses
        case .sourcePort: message.isDatagram ? [] : [message.source].ports
        case .destinationPort: message.isDatagram ? [] : [message.destination].ports
        case .port: message.isDatagram ? [] : [message.source, message.destination].ports
        case .stream:
            message.isDatagram ? [] : message.flow.map { [.integer(Int64($0))] } ?? []
        case .datagramPort:
            message.isDatagram ? [message.source, message.destination].ports : []
        case .bluetoothSource: [message.source].nodes
        case .bluetoothDestination: [message.destination].nodes
        case .bluetoothAddress: [message.source, message.destination].nodes
        }
    }

    /// Whether it is the time of a message.
    public var isTime: Bool { if case .place(.time) = kind { true } else { false } }

    /// Whether it can be read from the headers of messages.
    public var isReadFromHeaders: Bool {
        switch kind {
        case .header, .place(.name), .place(.time), .place(.stream): true
        case .place, .content: false
        }
    }

    /// Returns what the header of a sound message shows of the field, given the message's place.
    public func value(
        of header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> ScreenedField.Finding {
        switch kind {
        case .header: self.header?.value(of: header, in: unit) ?? .undecided
        case .place(.name): .value(.string(protocols.name(of: header.code)))
        case .place(.time): .value(Self.seconds(place.nanoseconds))
        case .place(.stream): .value(.integer(Int64(place.flow)))
        case .place, .content: .undecided
        }
    }

    /// The same field, if it is visible in headers and its values are integers.
    public var number: ScreenedField.Number? { header?.number }

    private static func seconds(_ nanoseconds: Int64) -> Value {
        .double(Double(nanoseconds) / 1e9)
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
