import Wire

/// A command of an L2CAP signalling channel (Core 5.4 Vol 3 Part A 4).
public struct L2CAPSignal: Sendable, Hashable {
    /// An option of a configuration (5).
    public enum Option: Sendable, Hashable {
        /// The largest length of a unit in bytes (5.1).
        case mtu(UInt16)
        /// How long the transmission of a unit is attempted, in milliseconds (5.2).
        case flushTimeout(UInt16)
        /// The operation of a channel, beginning with its mode (5.4).
        case retransmission([UInt8])
        /// Another option, by its type including the bit that makes it a mere hint.
        case other(type: UInt8, [UInt8])
    }

    /// The parameters of a credit-based channel (4.22, 4.25).
    public struct Credits: Sendable, Hashable {
        /// The largest length of a unit in bytes.
        public var mtu: UInt16
        /// The largest length of a segment in bytes.
        public var mps: UInt16
        /// The number of segments that may be sent initially.
        public var initial: UInt16
    }

    /// The kind and parameters of a command.
    public enum Content: Sendable, Hashable {
        case commandReject(reason: UInt16, data: [UInt8] = [])
        /// Asks for a channel of a service (`psm`); the sender's end is `source`.
        case connectionRequest(psm: UInt16, source: UInt16)
        /// The answer; 0 is success, 1 is pending.
        case connectionResponse(
            destination: UInt16, source: UInt16, result: UInt16, status: UInt16 = 0)
        case configurationRequest(
            destination: UInt16, flags: UInt16 = 0, options: [Option] = [])
        case configurationResponse(
            source: UInt16, result: UInt16, flags: UInt16 = 0, options: [Option] = [])
        case disconnectionRequest(destination: UInt16, source: UInt16)
        case disconnectionResponse(destination: UInt16, source: UInt16)
        case echoRequest([UInt8] = [])
        case echoResponse([UInt8] = [])
        case informationRequest(type: UInt16)
        case informationResponse(type: UInt16, result: UInt16, data: [UInt8] = [])
        /// A peripheral asks for other parameters of its link (4.20).
        case parameterUpdateRequest(
            minimum: UInt16, maximum: UInt16, latency: UInt16, timeout: UInt16)
        case parameterUpdateResponse(result: UInt16)
        /// Asks for a credit-based channel of an LE link (4.22).
        case lowEnergyConnectionRequest(psm: UInt16, source: UInt16, Credits)
        case lowEnergyConnectionResponse(destination: UInt16, Credits, result: UInt16)
        /// Gives credits (4.24).
        case creditIndication(channel: UInt16, credits: UInt16)
        /// Asks for up to five credit-based channels (4.25).
        case creditConnectionRequest(psm: UInt16, Credits, sources: [UInt16])
        case creditConnectionResponse(Credits, result: UInt16, destinations: [UInt16])
        case creditReconfigureRequest(mtu: UInt16, mps: UInt16, destinations: [UInt16])
        case creditReconfigureResponse(result: UInt16)
        /// An unknown command.
        case other(code: UInt8, [UInt8] = [])
    }

    /// The number that matches an answer with its request.
    public var identifier: UInt8
    /// The kind and parameters of the command.
    public var content: Content

    /// Creates a command.
    public init(_ content: Content, identifier: UInt8) {
        self.identifier = identifier
        self.content = content
    }

    /// Reads a command; over BR/EDR a unit may hold several.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after the parameters.
    public init(parsing reader: inout ByteReader) throws(DecodeError) {
        let code = try reader.uint8("cmd_code")
        identifier = try reader.uint8("cmd_ident")
        let length = Int(try reader.littleEndian16("cmd_length"))
        var body = ByteReader(try reader.span(length, "cmd_data"), unit: "btl2cap.cmd")
        if let known = try Self.classic(code, &body) {
            content = known
        } else if let known = try Self.lowEnergy(code, &body) {
            content = known
        } else {
            content = .other(code: code, try body.tail())
        }
        guard body.remaining == 0 else {
            throw DecodeError(
                .badLength, in: "btl2cap.cmd_length", at: body.offset,
                "\(body.remaining) byte(s) after the parameters")
        }
    }
}

// MARK: - Reading

extension L2CAPSignal {
    private static func classic(
        _ code: UInt8, _ body: inout ByteReader
    ) throws(DecodeError) -> Content? {
        switch code {
        case 0x01:
            return .commandReject(
                reason: try body.littleEndian16("rej_reason"), data: try body.tail())
        case 0x02:
            return .connectionRequest(
                psm: try body.littleEndian16("psm"), source: try body.littleEndian16("scid"))
        case 0x03:
            return .connectionResponse(
                destination: try body.littleEndian16("dcid"),
                source: try body.littleEndian16("scid"),
                result: try body.littleEndian16("result"),
                status: try body.littleEndian16("status"))
        case 0x04:
            return .configurationRequest(
                destination: try body.littleEndian16("dcid"),
                flags: try body.littleEndian16("flags"), options: try options(&body))
        case 0x05:
            let source = try body.littleEndian16("scid")
            let flags = try body.littleEndian16("flags")
            let result = try body.littleEndian16("conf_result")
            return .configurationResponse(
                source: source, result: result, flags: flags, options: try options(&body))
        case 0x06:
            return .disconnectionRequest(
                destination: try body.littleEndian16("dcid"),
                source: try body.littleEndian16("scid"))
        case 0x07:
            return .disconnectionResponse(
                destination: try body.littleEndian16("dcid"),
                source: try body.littleEndian16("scid"))
        case 0x08: return .echoRequest(try body.tail())
        case 0x09: return .echoResponse(try body.tail())
        case 0x0A: return .informationRequest(type: try body.littleEndian16("info_type"))
        case 0x0B:
            return .informationResponse(
                type: try body.littleEndian16("info_type"),
                result: try body.littleEndian16("info_result"), data: try body.tail())
        default: return nil
        }
    }

    private static func lowEnergy(
        _ code: UInt8, _ body: inout ByteReader
    ) throws(DecodeError) -> Content? {
        switch code {
        case 0x12:
            return .parameterUpdateRequest(
                minimum: try body.littleEndian16("min_interval"),
                maximum: try body.littleEndian16("max_interval"),
                latency: try body.littleEndian16("slave_latency"),
                timeout: try body.littleEndian16("timeout_multiplier"))
        case 0x13: return .parameterUpdateResponse(result: try body.littleEndian16("le_result"))
        case 0x14:
            return .lowEnergyConnectionRequest(
                psm: try body.littleEndian16("le_psm"),
                source: try body.littleEndian16("scid"), try Credits(parsing: &body))
        case 0x15:
            return .lowEnergyConnectionResponse(
                destination: try body.littleEndian16("dcid"), try Credits(parsing: &body),
                result: try body.littleEndian16("le_result"))
        case 0x16:
            return .creditIndication(
                channel: try body.littleEndian16("cid"),
                credits: try body.littleEndian16("credits"))
        case 0x17:
            return .creditConnectionRequest(
                psm: try body.littleEndian16("le_psm"), try Credits(parsing: &body),
                sources: try channels(&body))
        case 0x18:
            return .creditConnectionResponse(
                try Credits(parsing: &body), result: try body.littleEndian16("le_result"),
                destinations: try channels(&body))
        case 0x19:
            return .creditReconfigureRequest(
                mtu: try body.littleEndian16("mtu"), mps: try body.littleEndian16("mps"),
                destinations: try channels(&body))
        case 0x1A:
            return .creditReconfigureResponse(result: try body.littleEndian16("le_result"))
        default: return nil
        }
    }

    private static func channels(_ body: inout ByteReader) throws(DecodeError) -> [UInt16] {
        var channels: [UInt16] = []
        while body.remaining > 0 { channels.append(try body.littleEndian16("cid")) }
        return channels
    }

    private static func options(_ body: inout ByteReader) throws(DecodeError) -> [Option] {
        var options: [Option] = []
        while body.remaining > 0 {
            let type = try body.uint8("option_type")
            let data = try body.array(Int(try body.uint8("option_length")), "option")
            options.append(Option(type, data))
        }
        return options
    }
}

extension L2CAPSignal.Option {
    init(_ type: UInt8, _ data: [UInt8]) {
        let number = data.reversed().reduce(0) { $0 << 8 | UInt16($1) }
        switch (type, data.count) {
        case (0x01, 2): self = .mtu(number)
        case (0x02, 2): self = .flushTimeout(number)
        case (0x04, 9): self = .retransmission(data)
        default: self = .other(type: type, data)
        }
    }

    /// The option on the wire.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .mtu(let number):
            bytes = [0x01, 2]
            bytes.append(littleEndian: number)
        case .flushTimeout(let number):
            bytes = [0x02, 2]
            bytes.append(littleEndian: number)
        case .retransmission(let data): bytes = [0x04, UInt8(clamping: data.count)] + data
        case .other(let type, let data): bytes = [type, UInt8(clamping: data.count)] + data
        }
        return bytes
    }
}

extension L2CAPSignal.Credits {
    init(parsing reader: inout ByteReader) throws(DecodeError) {
        mtu = try reader.littleEndian16("mtu")
        mps = try reader.littleEndian16("mps")
        initial = try reader.littleEndian16("initial_credits")
    }

    fileprivate var numbers: [UInt16] { [mtu, mps, initial] }
}

extension ByteReader {
    /// Consumes all remaining bytes.
    @_lifetime(self: copy self)
    mutating func tail() throws(DecodeError) -> [UInt8] { try array(remaining) }
}

// MARK: - Writing

extension L2CAPSignal {
    /// The command on the wire.
    public var bytes: [UInt8] {
        let (numbers, tail) = parts
        var body: [UInt8] = []
        for number in numbers { body.append(littleEndian: number) }
        body += tail
        var bytes = [code, identifier]
        bytes.append(littleEndian: UInt16(clamping: body.count))
        return bytes + body
    }

    /// The command code.
    public var code: UInt8 {
        switch content {
        case .commandReject: 0x01
        case .connectionRequest: 0x02
        case .connectionResponse: 0x03
        case .configurationRequest: 0x04
        case .configurationResponse: 0x05
        case .disconnectionRequest: 0x06
        case .disconnectionResponse: 0x07
        case .echoRequest: 0x08
        case .echoResponse: 0x09
        case .informationRequest: 0x0A
        case .informationResponse: 0x0B
        case .parameterUpdateRequest: 0x12
        case .parameterUpdateResponse: 0x13
        case .lowEnergyConnectionRequest: 0x14
        case .lowEnergyConnectionResponse: 0x15
        case .creditIndication: 0x16
        case .creditConnectionRequest: 0x17
        case .creditConnectionResponse: 0x18
        case .creditReconfigureRequest: 0x19
        case .creditReconfigureResponse: 0x1A
        case .other(let code, _): code
        }
    }

    private var parts: ([UInt16], [UInt8]) {
        switch content {
        case .commandReject(let reason, let data): ([reason], data)
        case .connectionRequest(let psm, let source): ([psm, source], [])
        case .connectionResponse(let destination, let source, let result, let status):
            ([destination, source, result, status], [])
        case .configurationRequest(let destination, let flags, let options):
            ([destination, flags], options.flatMap(\.bytes))
        case .configurationResponse(let source, let result, let flags, let options):
            ([source, flags, result], options.flatMap(\.bytes))
        case .disconnectionRequest(let destination, let source),
            .disconnectionResponse(let destination, let source):
            ([destination, source], [])
        case .echoRequest(let data), .echoResponse(let data), .other(_, let data): ([], data)
        case .informationRequest(let type): ([type], [])
        case .informationResponse(let type, let result, let data): ([type, result], data)
        case .parameterUpdateRequest(let minimum, let maximum, let latency, let timeout):
            ([minimum, maximum, latency, timeout], [])
        case .parameterUpdateResponse(let result), .creditReconfigureResponse(let result):
            ([result], [])
        case .lowEnergyConnectionRequest(let psm, let source, let credits):
            ([psm, source] + credits.numbers, [])
        case .lowEnergyConnectionResponse(let destination, let credits, let result):
            ([destination] + credits.numbers + [result], [])
        case .creditIndication(let channel, let credits): ([channel, credits], [])
        case .creditConnectionRequest(let psm, let credits, let sources):
            ([psm] + credits.numbers + sources, [])
        case .creditConnectionResponse(let credits, let result, let destinations):
            (credits.numbers + [result] + destinations, [])
        case .creditReconfigureRequest(let mtu, let mps, let destinations):
            ([mtu, mps] + destinations, [])
        }
    }
}
