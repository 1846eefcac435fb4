import Wire

/// The framing of HCI packets in a capture.
public enum HCIFraming: Sendable, Hashable {
    /// A byte gives the kind: UART transport, H4 (LINKTYPE_BLUETOOTH_HCI_H4).
    case h4
    /// The same after four bytes of direction (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR).
    case h4Directed
    /// Controller and opcode of two bytes each (LINKTYPE_BLUETOOTH_LINUX_MONITOR).
    case linuxMonitor
    /// The record type of Apple's PacketLogger, as Wireshark's packetlogger.c documents it.
    case packetLogger
    /// The last four fields of a btsnoop record of data link 1001.
    ///
    /// Bit 1 of the flags distinguishes commands and events from data.
    case btsnoopHCI
    /// The same fields of data link 2001: the flags are controller and opcode.
    case btsnoopMonitor

    /// Whether it contains the number of the controller.
    public var hasAdapter: Bool { self == .linuxMonitor || self == .btsnoopMonitor }

    /// Creates the framing of a LINKTYPE number.
    public init?(linkType: UInt16) {
        switch linkType {
        case 187: self = .h4
        case 201: self = .h4Directed
        case 254: self = .linuxMonitor
        case 0xFF01: self = .btsnoopHCI
        case 0xFF02: self = .packetLogger
        case 0xFF03: self = .btsnoopMonitor
        default: return nil
        }
    }
}

/// The header before an HCI packet, with the packet's kind (Core 5.4 Vol 4 Part A 2).
public struct HCIHeader: Sendable, Hashable {
    /// A kind of packet.
    public enum Kind: Sendable, Hashable {
        case command
        case acl
        case synchronous
        case event
        case isochronous
        /// A controller appears; its address follows.
        case newController
        /// A note from the capturing program.
        case note
    }

    /// The kind of packet that follows.
    public var kind: Kind
    /// Whether the host received it; `nil` if unknown.
    public var isReceived: Bool?
    /// The controller.
    public var adapter: UInt16 = 0
    /// The number of bytes before the packet itself.
    public var length: Int
}

extension HCIHeader {
    /// Reads the header before a packet.
    ///
    /// - Parameters:
    ///   - bytes: The captured bytes.
    ///   - framing: Their framing.
    ///   - isReceived: The direction, if the file records it.
    /// - Throws: `.truncated`, or `.badValue` for a kind that does not exist.
    public init(
        parsing bytes: RawSpan, framing: HCIFraming, isReceived: Bool? = nil
    ) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "hci")
        switch framing {
        case .h4:
            self.init(kind: try Self.h4(reader.uint8("type")), isReceived: isReceived, length: 1)
        case .h4Directed:
            let direction = try reader.uint32("direction")
            self.init(
                kind: try Self.h4(reader.uint8("type")), isReceived: direction & 1 == 1,
                length: 5)
        case .linuxMonitor:
            let adapter = try reader.uint16("adapter_id")
            let (kind, isReceived) = Self.monitor(try reader.uint16("opcode"))
            self.init(kind: kind, isReceived: isReceived, adapter: adapter, length: 4)
        case .btsnoopMonitor:
            let adapter = try reader.uint16("adapter_id")
            let (kind, isReceived) = Self.monitor(try reader.uint16("opcode"))
            try reader.skip(12, "time")
            self.init(kind: kind, isReceived: isReceived, adapter: adapter, length: 16)
        case .btsnoopHCI:
            let flags = try reader.uint32("flags")
            try reader.skip(12, "time")
            let isReceived = flags & 1 == 1
            self.init(
                kind: flags & 2 == 0 ? .acl : isReceived ? .event : .command,
                isReceived: isReceived, length: 16)
        case .packetLogger:
            let (kind, isReceived) = Self.packetLogger(try reader.uint8("type"))
            self.init(kind: kind, isReceived: isReceived, length: 1)
        }
        // The kind shows the direction if the file does not.
        if self.isReceived == nil, kind == .event { self.isReceived = true }
        if self.isReceived == nil, kind == .command { self.isReceived = false }
    }

    private static func h4(_ type: UInt8) throws(DecodeError) -> Kind {
        guard let known = H4Type(rawValue: type) else { throw H4Type.unknown(type) }
        return Kind(known)
    }

    private static func monitor(_ opcode: UInt16) -> (Kind, Bool?) {
        switch opcode {
        case 0: (.newController, nil)
        case 2: (.command, false)
        case 3: (.event, true)
        case 4: (.acl, false)
        case 5: (.acl, true)
        case 6: (.synchronous, false)
        case 7: (.synchronous, true)
        case 18: (.isochronous, false)
        case 19: (.isochronous, true)
        default: (.note, nil)
        }
    }

    private static func packetLogger(_ type: UInt8) -> (Kind, Bool?) {
        switch type {
        case 0: (.command, false)
        case 1: (.event, true)
        case 2: (.acl, false)
        case 3: (.acl, true)
        case 8: (.synchronous, false)
        case 9: (.synchronous, true)
        case 0x12: (.isochronous, false)
        case 0x13: (.isochronous, true)
        default: (.note, nil)
        }
    }
}
