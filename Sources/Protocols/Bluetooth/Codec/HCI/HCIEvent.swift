import Wire

/// An HCI event: a report of a controller to its host (Core 5.4 Vol 4 Part E 5.4.4).
public struct HCIEvent: Sendable, Hashable {
    /// The kind of event.
    public var kind: HCIEventKind
    /// The parameters.
    public var parameters: HCIParameters
    /// The bytes after the parameters of its layout; all bytes of an unknown event.
    public var rest: [UInt8]

    /// Creates an event.
    public init(_ kind: HCIEventKind, _ parameters: HCIParameters = [:], rest: [UInt8] = []) {
        self.kind = kind
        self.parameters = parameters
        self.rest = rest
    }

    /// Reads an event without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
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
    /// Returns a Command Complete with a status and the return parameters after it (7.7.14).
    ///
    /// - Parameters:
    ///   - opcode: The command that is answered.
    ///   - returned: The status and the return parameters of the command's layout; missing values
    ///     are zero. A status other than 0 is sent without parameters.
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

    /// Returns a Command Status (7.7.15).
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

    /// The command that a Command Complete or Command Status answers; 0 for none.
    public var answered: HCIOpcode? {
        guard kind == .commandComplete || kind == .commandStatus else { return nil }
        return parameters.uint16(.opcode).map(HCIOpcode.init(rawValue:))
    }

    /// The values in a Command Complete: the status and, for a known command that succeeded, its
    /// return parameters.
    public var returned: HCIParameters? {
        guard kind == .commandComplete, let bytes = parameters.bytes(.retParams),
            let status = bytes.first
        else { return nil }
        var reader = ByteReader(bytes.span.bytes, unit: "bthci_evt")
        let layout = status == 0 ? answered?.layout?.returns ?? [] : []
        return try? HCIParameters(parsing: &reader, [.status] + layout)
    }

    /// The status of an event that has one; the command's status for a Command Complete.
    public var status: UInt8? { parameters.uint8(.status) ?? returned?.uint8(.status) }
}

extension HCIEvent {
    /// The result of setting up a connection.
    public struct Connection: Sendable, Hashable {
        /// The status; 0 if the link is established.
        public var status: UInt8
        /// The connection handle.
        public var handle: UInt16
        /// The device at the other end.
        public var address: UInt64
        /// Whether it is an LE link.
        public var isLowEnergy: Bool
    }

    /// The result of setting up a connection, in any of its forms: BR/EDR, LE, enhanced.
    public var connection: Connection? {
        switch kind {
        case .connectionComplete where !isForData && status == 0: return nil
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

    /// Whether an event about a link of BR/EDR is about one for data, and not for voice.
    var isForData: Bool { parameters.uint8(.linkType) == 1 }

    /// The handle of a link for voice or of an isochronous stream that is established (7.7.3,
    /// 7.7.35, 7.7.65.25).
    var streamHandle: UInt16? {
        switch kind {
        case .connectionComplete where !isForData && status == 0:
            return parameters.uint16(.connectionHandle)
        case HCIEventKind(0x2C), HCIEventKind(HCIEventKind.leMetaCode, subevent: 0x19):
            guard rest.count >= 3, rest[0] == 0 else { return nil }
            return (UInt16(rest[1]) | UInt16(rest[2]) << 8) & 0x0FFF
        default: return nil
        }
    }
}
