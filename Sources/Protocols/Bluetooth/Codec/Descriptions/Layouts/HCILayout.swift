/// A parameter of an HCI command or event: its name, and its form on the wire.
public struct HCIParameter: Sendable {
    /// The form of a parameter; numbers have their least significant byte first (Core 5.4 Vol 4
    /// Part E 5.2).
    public indirect enum Form: Sendable {
        case uint8
        /// A signed number, such as a signal strength.
        case int8
        case uint16
        case uint24
        case uint32
        case uint64
        /// A connection handle: 12 bits in two bytes.
        case handle
        /// A device address of six bytes.
        case address
        /// The given number of bytes.
        case bytes(Int)
        /// A length byte, and that many bytes.
        case counted
        /// All remaining bytes.
        case rest
        /// A count byte, and that many records.
        case records([HCIParameter])
        /// One record for each bit that is set in an earlier parameter.
        case recordPerBit(of: HCIField, [HCIParameter])
    }

    /// Its name.
    public let field: HCIField
    /// Its form on the wire.
    public let form: Form

    /// Creates a parameter.
    public init(_ field: HCIField, _ form: Form) {
        self.field = field
        self.form = form
    }
}

/// The layout of an HCI command and of the values that Command Complete returns for it.
public struct HCICommandLayout: Sendable {
    /// The operation code.
    public let opcode: HCIOpcode
    /// Its name in a trace, such as `LESetScanEnable`.
    public let name: String
    /// Its section in Core 5.4 Vol 4 Part E.
    public let section: String
    /// Its parameters.
    public let parameters: [HCIParameter]
    /// The parameters of its Command Complete after the status; `nil` if Command Status answers it.
    public let returns: [HCIParameter]?
}

/// The layout of an HCI event, or of an LE meta event.
public struct HCIEventLayout: Sendable {
    /// The kind of event.
    public let kind: HCIEventKind
    /// Its name in a trace, such as `DisconnectionComplete`.
    public let name: String
    /// Its section in Core 5.4 Vol 4 Part E.
    public let section: String
    /// Its parameters.
    public let parameters: [HCIParameter]
}

/// The operation code of an HCI command: 6 bits of group and 10 bits of command.
public struct HCIOpcode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public var rawValue: UInt16

    /// Creates an operation code from its number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The group (OGF).
    package var group: UInt16 { rawValue >> 10 }
    /// The command in its group (OCF).
    package var command: UInt16 { rawValue & 0x03FF }

    /// Its layout; `nil` for an unknown command.
    public var layout: HCICommandLayout? { HCILayouts.commandsByOpcode[rawValue] }
}

/// The code of an HCI event, and the subevent of an LE meta event.
public struct HCIEventKind: Sendable, Hashable {
    /// The event code.
    public var code: UInt8
    /// The subevent code of an LE meta event.
    public var subevent: UInt8?

    /// Creates a kind from its event code.
    public init(_ code: UInt8, subevent: UInt8? = nil) {
        self.code = code
        self.subevent = subevent
    }

    /// The code of LE meta events.
    public static let leMetaCode: UInt8 = 0x3E

    /// Its layout; `nil` for an unknown event.
    public var layout: HCIEventLayout? { HCILayouts.eventsByKind[self] }
}

/// The known commands and events.
public enum HCILayouts {
    /// The commands, by group and command.
    public static let commands =
        (HCITableLine.lines(of: commandTable) + HCITableLine.lines(of: lowEnergyCommandTable)).map {
            HCICommandLayout(
                opcode: HCIOpcode(rawValue: UInt16(clamping: $0.codes[0])), name: $0.name,
                section: $0.section, parameters: $0.parameters, returns: $0.returns)
        }

    /// The events (Core 5.4 Vol 4 Part E 7.7).
    public static let events = HCITableLine.lines(of: eventTable).map {
        HCIEventLayout(
            kind: HCIEventKind(
                UInt8(clamping: $0.codes[0]), subevent: $0.codes.dropFirst().first.map(UInt8.init)),
            name: $0.name, section: $0.section, parameters: $0.parameters)
    }

    /// The commands by operation code.
    static let commandsByOpcode: [UInt16: HCICommandLayout] = Dictionary(
        uniqueKeysWithValues: commands.map { ($0.opcode.rawValue, $0) })

    /// The events by code and subevent.
    static let eventsByKind: [HCIEventKind: HCIEventLayout] = Dictionary(
        uniqueKeysWithValues: events.map { ($0.kind, $0) })
}

extension HCIParameter {
    static let status = HCIParameter(.status, .uint8)
}
