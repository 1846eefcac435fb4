/// A parameter of an HCI command or event, as data: its name, and its form on the wire.
public struct HCIParameter: Sendable {
    /// How a parameter is written; numbers have their least significant byte first (Core 5.4
    /// Vol 4 Part E 5.2).
    public indirect enum Form: Sendable {
        case uint8
        /// With a sign, as signal strengths.
        case int8
        case uint16
        case uint24
        case uint32
        case uint64
        /// A connection handle: 12 bits in two bytes.
        case handle
        /// A device address of six bytes.
        case address
        /// So many bytes.
        case bytes(Int)
        /// A byte of length, and so many bytes.
        case counted
        /// All bytes that are left.
        case rest
        /// A byte of count, and so many records.
        case records([HCIParameter])
        /// One record for each bit that is set in a parameter before it.
        case recordPerBit(of: HCIField, [HCIParameter])
    }

    /// Its name.
    public let field: HCIField
    /// How it is written.
    public let form: Form

    /// Makes a parameter.
    public init(_ field: HCIField, _ form: Form) {
        self.field = field
        self.form = form
    }
}

/// The layout of an HCI command and of what Command Complete returns for it.
public struct HCICommandLayout: Sendable {
    /// The operation code.
    public let opcode: HCIOpcode
    /// Its name in a trace, such as `LESetScanEnable`.
    public let name: String
    /// Its section in Core 5.4 Vol 4 Part E.
    public let section: String
    /// What it carries.
    public let parameters: [HCIParameter]
    /// What its Command Complete carries after the status; `nil` if Command Status answers it.
    public let returns: [HCIParameter]?
}

/// The layout of an HCI event, or of an LE meta event.
public struct HCIEventLayout: Sendable {
    /// Which event it is.
    public let kind: HCIEventKind
    /// Its name in a trace, such as `DisconnectionComplete`.
    public let name: String
    /// Its section in Core 5.4 Vol 4 Part E.
    public let section: String
    /// What it carries.
    public let parameters: [HCIParameter]
}

/// The operation code of an HCI command: 6 bits of group, 10 bits of command.
public struct HCIOpcode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public var rawValue: UInt16

    /// Takes a number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The group (OGF).
    public var group: UInt16 { rawValue >> 10 }
    /// The command in its group (OCF).
    public var command: UInt16 { rawValue & 0x03FF }

    /// Its layout; `nil` for a command that is not known.
    public var layout: HCICommandLayout? { HCILayouts.commandsByOpcode[rawValue] }
}

/// The code of an HCI event; of LE meta events the subevent, too.
public struct HCIEventKind: Sendable, Hashable {
    /// The event code.
    public var code: UInt8
    /// The subevent code of an LE meta event.
    public var subevent: UInt8?

    /// Takes an event code.
    public init(_ code: UInt8, subevent: UInt8? = nil) {
        self.code = code
        self.subevent = subevent
    }

    /// The code of LE meta events.
    public static let leMetaCode: UInt8 = 0x3E

    /// Its layout; `nil` for an event that is not known.
    public var layout: HCIEventLayout? { HCILayouts.eventsByKind[self] }
}

/// The commands and events that are known.
public enum HCILayouts {
    /// The commands, by group and command.
    public static let commands: [HCICommandLayout] =
        linkCommands + basebandCommands + informationCommands + leCommands + leExtendedCommands

    /// By operation code.
    static let commandsByOpcode: [UInt16: HCICommandLayout] = Dictionary(
        uniqueKeysWithValues: commands.map { ($0.opcode.rawValue, $0) })

    /// By code and subevent.
    static let eventsByKind: [HCIEventKind: HCIEventLayout] = Dictionary(
        uniqueKeysWithValues: events.map { ($0.kind, $0) })

    static func command(
        _ opcode: HCIOpcode, _ name: String, _ section: String,
        _ parameters: [HCIParameter] = [], returns: [HCIParameter]? = []
    ) -> HCICommandLayout {
        HCICommandLayout(
            opcode: opcode, name: name, section: section, parameters: parameters,
            returns: returns)
    }

    static func event(
        _ kind: HCIEventKind, _ name: String, _ section: String, _ parameters: [HCIParameter]
    ) -> HCIEventLayout {
        HCIEventLayout(kind: kind, name: name, section: section, parameters: parameters)
    }
}

/// Short forms for the tables.
extension HCIParameter {
    static func u8(_ field: HCIField) -> HCIParameter { HCIParameter(field, .uint8) }
    static func i8(_ field: HCIField) -> HCIParameter { HCIParameter(field, .int8) }
    static func u16(_ field: HCIField) -> HCIParameter { HCIParameter(field, .uint16) }
    static func u24(_ field: HCIField) -> HCIParameter { HCIParameter(field, .uint24) }
    static func u32(_ field: HCIField) -> HCIParameter { HCIParameter(field, .uint32) }
    static func u64(_ field: HCIField) -> HCIParameter { HCIParameter(field, .uint64) }
    static func bytes(_ count: Int, _ field: HCIField) -> HCIParameter {
        HCIParameter(field, .bytes(count))
    }
    static func counted(_ field: HCIField) -> HCIParameter { HCIParameter(field, .counted) }
    static func records(_ field: HCIField, _ parts: [HCIParameter]) -> HCIParameter {
        HCIParameter(field, .records(parts))
    }
    static func perBit(
        of mask: HCIField, _ field: HCIField, _ parts: [HCIParameter]
    ) -> HCIParameter {
        HCIParameter(field, .recordPerBit(of: mask, parts))
    }
    static let status = u8(.status)
    static let handle = HCIParameter(.connectionHandle, .handle)
    static let address = HCIParameter(.bdAddr, .address)
}
