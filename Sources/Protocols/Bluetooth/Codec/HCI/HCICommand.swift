import Wire

/// An HCI command: a request of a host to its controller (Core 5.4 Vol 4 Part E 5.4.1).
public struct HCICommand: Sendable, Hashable {
    /// The operation code.
    public var opcode: HCIOpcode
    /// The parameters.
    public var parameters: HCIParameters
    /// The bytes after the parameters of its layout; all bytes of an unknown command.
    public var rest: [UInt8]

    /// Creates a command.
    public init(_ opcode: HCIOpcode, _ parameters: HCIParameters = [:], rest: [UInt8] = []) {
        self.opcode = opcode
        self.parameters = parameters
        self.rest = rest
    }

    /// Reads a command without the packet type before it.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "bthci_cmd")
        opcode = HCIOpcode(rawValue: try reader.littleEndian16("opcode"))
        var body = try reader.body("bthci_cmd")
        parameters = try HCIParameters(parsing: &body, opcode.layout?.parameters ?? [])
        rest = try body.array(body.remaining)
    }

    /// Returns the operation code of a packet with its type, whatever follows the code; `nil` for
    /// a packet of another type.
    public static func opcode(of packet: [UInt8]) -> HCIOpcode? {
        guard packet.count > 2, packet[0] == H4Type.command.rawValue else { return nil }
        return HCIOpcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
    }

    /// The command on the wire, without the packet type.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: opcode.rawValue)
        bytes.append(body: parameters.bytes(opcode.layout?.parameters ?? []) + rest)
        return bytes
    }
}

extension ByteReader {
    /// Consumes a length byte and the parameters that it counts, and lends these.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    mutating func body(_ unit: String) throws(DecodeError) -> ByteReader {
        let length = Int(try uint8("param_length"))
        let body = try span(length, "parameters")
        try requireEnd(of: unit)
        return ByteReader(body, unit: unit)
    }

    /// Requires that nothing follows a packet.
    ///
    /// - Throws: `DecodeError` with code `badLength`.
    func requireEnd(of unit: String) throws(DecodeError) {
        guard remaining == 0 else {
            throw DecodeError(
                .badLength, in: unit, at: offset, "\(remaining) byte(s) after the packet")
        }
    }
}

extension [UInt8] {
    /// Appends a length byte and as many bytes of parameters as it can count.
    mutating func append(body: [UInt8]) {
        append(UInt8(clamping: body.count))
        self += body.prefix(0xFF)
    }
}
