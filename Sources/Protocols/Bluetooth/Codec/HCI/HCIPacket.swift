import Wire

/// A packet between a host and its controller, as in UART transport (H4).
///
/// A type byte precedes it (Core 5.4 Vol 4 Part A 2).
public enum HCIPacket: Sendable, Hashable {
    case command(HCICommand)
    case acl(ACLPacket)
    case synchronous(SCOPacket)
    case event(HCIEvent)
    case isochronous(ISOPacket)

    /// Reads a complete packet with its type.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it, `.badValue` for a type that does
    ///   not exist.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "hci_h4")
        let type = try reader.uint8("type")
        let body = reader.rest
        switch H4Type(rawValue: type) {
        case .command: self = .command(try HCICommand(parsing: body))
        case .acl: self = .acl(try ACLPacket(parsing: body))
        case .synchronous: self = .synchronous(try SCOPacket(parsing: body))
        case .event: self = .event(try HCIEvent(parsing: body))
        case .isochronous: self = .isochronous(try ISOPacket(parsing: body))
        case nil: throw H4Type.unknown(type)
        }
    }

    /// The packet on the wire, with its type.
    public var bytes: [UInt8] {
        switch self {
        case .command(let packet): [H4Type.command.rawValue] + packet.bytes
        case .acl(let packet): [H4Type.acl.rawValue] + packet.bytes
        case .synchronous(let packet): [H4Type.synchronous.rawValue] + packet.bytes
        case .event(let packet): [H4Type.event.rawValue] + packet.bytes
        case .isochronous(let packet): [H4Type.isochronous.rawValue] + packet.bytes
        }
    }
}

/// The packet types of UART transport (Core 5.4 Vol 4 Part A 2).
public enum H4Type: UInt8, Sendable, Hashable, CaseIterable {
    case command = 1
    case acl = 2
    case synchronous = 3
    case event = 4
    case isochronous = 5

    /// The length of the packet's header after the type, in bytes.
    var headerSize: Int {
        switch self {
        case .command, .synchronous: 3
        case .acl, .isochronous: 4
        case .event: 2
        }
    }

    /// Returns how many bytes follow a header.
    func bodySize(_ header: some RandomAccessCollection<UInt8>) -> Int {
        let numbers = header.suffix(2).map { Int($0) }
        guard numbers.count == 2 else { return 0 }
        switch self {
        case .command, .synchronous, .event: return numbers[1]
        case .acl: return numbers[0] | numbers[1] << 8
        case .isochronous: return (numbers[0] | numbers[1] << 8) & 0x3FFF
        }
    }

    static func unknown(_ type: UInt8) -> DecodeError {
        DecodeError(.badValue, in: "hci_h4.type", at: 0, "type \(type), expected 1 to 5")
    }
}

/// A reader that finds the packets of UART transport in a stream of bytes.
///
/// After a wrong length the next packet cannot be found, because the stream has no marks.
public struct H4Reader: Sendable {
    private var pending: [UInt8] = []
    /// The error in the stream, after which no packet is found.
    public private(set) var fault: DecodeError?

    /// Creates a reader at the start of a stream.
    public init() {}

    /// Creates a reader at a later position of a stream, from which no packet can be found.
    init(isLost: Bool) {
        guard isLost else { return }
        fault = DecodeError(.truncated, in: "hci_h4", at: 0, "the beginning is missing")
    }

    /// The number of bytes of an incomplete packet.
    public var pendingCount: Int { pending.count }

    /// Takes the next bytes and returns the packets that they complete, each with its type.
    public mutating func consume(_ bytes: RawSpan) -> [[UInt8]] {
        guard fault == nil else { return [] }
        bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
        var packets: [[UInt8]] = []
        var start = 0
        while start < pending.count {
            guard let type = H4Type(rawValue: pending[start]) else {
                fault = H4Type.unknown(pending[start])
                break
            }
            let body = start + 1 + type.headerSize
            guard body <= pending.count else { break }
            let end = body + type.bodySize(pending[(start + 1)..<body])
            guard end <= pending.count else { break }
            packets.append(Array(pending[start..<end]))
            start = end
        }
        if start > 0 { pending.removeFirst(start) }
        return packets
    }
}
