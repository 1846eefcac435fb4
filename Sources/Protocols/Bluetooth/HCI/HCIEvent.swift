import Wire

/// An HCI event: what a controller says to its host (Core 5.4 Vol 4 Part E 5.4.4).
public struct HCIEvent: Sendable, Hashable {
    /// Which event it is.
    public var kind: HCIEventKind
    /// What it carries.
    public var parameters: HCIParameters
    /// Bytes behind what its layout has; all of an event that is not known.
    public var rest: [UInt8]

    /// Makes an event.
    public init(_ kind: HCIEventKind, _ parameters: HCIParameters = [:], rest: [UInt8] = []) {
        self.kind = kind
        self.parameters = parameters
        self.rest = rest
    }

    /// Reads an event without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes behind it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_evt")
        kind = HCIEventKind(try reader.uint8("code"))
        var body = try reader.body("bthci_evt")
        if kind.code == HCIEventKind.leMetaCode {
            kind.subevent = try body.uint8("le_meta_subevent")
        }
        parameters = try HCIParameters(parsing: &body, kind.layout?.parameters ?? [])
        rest = try body.array(body.remaining)
    }

    /// The event on the wire, without the packet type.
    public var bytes: [UInt8] {
        var bytes = [kind.code]
        let subevent = kind.subevent.map { [$0] } ?? []
        bytes.append(
            body: subevent + parameters.bytes(kind.layout?.parameters ?? []) + rest)
        return bytes
    }
}

extension HCIEvent {
    /// Command Complete: a status, and what the command returns behind it (7.7.14).
    ///
    /// - Parameters:
    ///   - opcode: The command that is answered.
    ///   - returned: The status and what the command's layout returns; missing values are zero. A
    ///     status other than 0 stands alone.
    ///   - packets: How many commands the host may send.
    public static func complete(
        _ opcode: HCIOpcode, _ returned: HCIParameters = [:], packets: UInt8 = 1
    ) -> HCIEvent {
        let status = returned.uint8(.status) ?? 0
        var bytes = [status]
        if status == 0 { bytes += returned.bytes(opcode.layout?.returns ?? []) }
        return HCIEvent(
            .commandComplete,
            [
                .numCommandPackets: .number(packets), .opcode: .number(opcode.rawValue),
                .retParams: .bytes(bytes),
            ])
    }

    /// Command Status (7.7.15).
    public static func status(
        _ opcode: HCIOpcode, _ status: UInt8 = 0, packets: UInt8 = 1
    ) -> HCIEvent {
        HCIEvent(
            .commandStatus,
            [
                .status: .number(status), .numCommandPackets: .number(packets),
                .opcode: .number(opcode.rawValue),
            ])
    }

    /// The command that a Command Complete or Command Status answers; 0 is none.
    public var answered: HCIOpcode? {
        guard kind == .commandComplete || kind == .commandStatus else { return nil }
        return parameters.uint16(.opcode).map(HCIOpcode.init(rawValue:))
    }

    /// What a command returned in its Command Complete: the status, and, of a command that is known
    /// and succeeded, its parameters.
    public var returned: HCIParameters? {
        guard kind == .commandComplete, let bytes = parameters.bytes(.retParams),
            let status = bytes.first
        else { return nil }
        var reader = ByteReader(bytes.span.bytes, unit: "bthci_evt")
        let layout = status == 0 ? answered?.layout?.returns ?? [] : []
        return try? HCIParameters(parsing: &reader, [HCIParameter(.status, .uint8)] + layout)
    }

    /// The status of an event that has one, of a Command Complete that of the command.
    public var status: UInt8? { parameters.uint8(.status) ?? returned?.uint8(.status) }
}

extension HCIEvent {
    /// What a connection's completion says of it.
    public struct Connection: Sendable, Hashable {
        /// 0 if the link stands.
        public var status: UInt8
        /// The link.
        public var handle: UInt16
        /// The device at the other end.
        public var address: UInt64
        /// Whether the link is one of LE.
        public var isLowEnergy: Bool
    }

    /// The completion of a connection, in whichever of its forms: of BR/EDR, of LE, enhanced.
    public var connection: Connection? {
        switch kind {
        case .connectionComplete, .leConnectionComplete, .leEnhancedConnectionComplete,
            .leEnhancedConnectionCompleteV2:
            guard let status = parameters.uint8(.status),
                let handle = parameters.uint16(.connectionHandle),
                let address = parameters.address()
            else { return nil }
            return Connection(
                status: status, handle: handle, address: address,
                isLowEnergy: kind != .connectionComplete)
        default: return nil
        }
    }
}
