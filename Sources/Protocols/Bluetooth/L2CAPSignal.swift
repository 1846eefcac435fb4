/// A command of L2CAP's signalling channel (Core 5.4 Vol 3 Part A 4).
public struct L2CAPSignal: Sendable, Hashable {
    /// The signalling channel of links over BR/EDR.
    public static let channelID: UInt16 = 1
    /// The service of RFCOMM.
    public static let rfcomm: UInt16 = 3
    /// The first channel id that is handed out.
    static let firstDynamic: UInt16 = 0x0040

    /// What it says.
    public enum Content: Sendable, Hashable {
        case commandReject(reason: UInt16)
        /// Asks for a channel of a service (`psm`); the sender's end is `source`.
        case connectionRequest(psm: UInt16, source: UInt16)
        /// The answer; 0 is good, 1 is pending.
        case connectionResponse(destination: UInt16, source: UInt16, result: UInt16)
        case configurationRequest(destination: UInt16)
        case configurationResponse(source: UInt16, result: UInt16)
        case disconnectionRequest(destination: UInt16, source: UInt16)
        case disconnectionResponse(destination: UInt16, source: UInt16)
        case echoRequest
        case echoResponse
        case informationRequest(type: UInt16)
        case informationResponse(type: UInt16, result: UInt16)
        /// A command that is not known.
        case other(code: UInt8)
    }

    /// The number by which an answer finds its request.
    public var identifier: UInt8
    /// What it says.
    public var content: Content

    /// Makes a command.
    public init(_ content: Content, identifier: UInt8) {
        self.identifier = identifier
        self.content = content
    }

    /// Reads a command.
    ///
    /// - Throws: `.truncated`.
    public init(parsing reader: inout ByteReader) throws(DecodeError) {
        let code = try reader.uint8("cmd_code")
        identifier = try reader.uint8("cmd_ident")
        let length = Int(try reader.littleEndian16("cmd_length"))
        var body = ByteReader(try reader.span(length, "cmd_data"), unit: "btl2cap.cmd")
        switch code {
        case 0x01: content = .commandReject(reason: try body.littleEndian16())
        case 0x02:
            let psm = try body.littleEndian16("psm")
            content = .connectionRequest(psm: psm, source: try body.littleEndian16("scid"))
        case 0x03:
            let destination = try body.littleEndian16("dcid")
            let source = try body.littleEndian16("scid")
            content = .connectionResponse(
                destination: destination, source: source,
                result: try body.littleEndian16("result"))
        case 0x04:
            content = .configurationRequest(destination: try body.littleEndian16("dcid"))
        case 0x05:
            let source = try body.littleEndian16("scid")
            try body.skip(2, "flags")
            content = .configurationResponse(
                source: source, result: try body.littleEndian16("result"))
        case 0x06:
            let destination = try body.littleEndian16("dcid")
            content = .disconnectionRequest(
                destination: destination, source: try body.littleEndian16("scid"))
        case 0x07:
            let destination = try body.littleEndian16("dcid")
            content = .disconnectionResponse(
                destination: destination, source: try body.littleEndian16("scid"))
        case 0x08: content = .echoRequest
        case 0x09: content = .echoResponse
        case 0x0A: content = .informationRequest(type: try body.littleEndian16("info_type"))
        case 0x0B:
            let type = try body.littleEndian16("info_type")
            content = .informationResponse(
                type: type, result: try body.littleEndian16("info_result"))
        default: content = .other(code: code)
        }
    }

    /// The command on the wire; of those with options, without any.
    public var bytes: [UInt8] {
        let (code, numbers) = parts
        var body: [UInt8] = []
        for number in numbers { body.append(littleEndian: number) }
        var bytes = [code, identifier]
        bytes.append(littleEndian: UInt16(body.count))
        return bytes + body
    }

    private var parts: (UInt8, [UInt16]) {
        switch content {
        case .commandReject(let reason): (0x01, [reason])
        case .connectionRequest(let psm, let source): (0x02, [psm, source])
        case .connectionResponse(let destination, let source, let result):
            (0x03, [destination, source, result, 0])
        case .configurationRequest(let destination): (0x04, [destination, 0])
        case .configurationResponse(let source, let result): (0x05, [source, 0, result])
        case .disconnectionRequest(let destination, let source): (0x06, [destination, source])
        case .disconnectionResponse(let destination, let source): (0x07, [destination, source])
        case .echoRequest: (0x08, [])
        case .echoResponse: (0x09, [])
        case .informationRequest(let type): (0x0A, [type])
        case .informationResponse(let type, let result): (0x0B, [type, result])
        case .other(let code): (code, [])
        }
    }

    /// A unit of a channel, for one or more data packets (Core 5.4 Vol 3 Part A 3.1).
    public static func unit(channel: UInt16, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt16(clamping: payload.count))
        bytes.append(littleEndian: channel)
        return bytes + payload
    }
}

/// A unit of L2CAP in a trace: a command, or bytes that are none.
public struct L2CAPMessage: DissectedMessage, Hashable {
    /// What it is.
    public enum Content: Sendable, Hashable {
        case signal(L2CAPSignal)
        case malformed(String)
    }

    /// What it is.
    public let content: Content
    /// The command on the wire.
    public let bytes: [UInt8]
    /// What is wrong with it.
    public let anomalies: [Anomaly]

    /// Makes a message.
    public init(_ content: Content, bytes: [UInt8], anomalies: [Anomaly] = []) {
        self.content = content
        self.bytes = bytes
        self.anomalies = anomalies
    }

    /// `btl2cap.` and what it is.
    public var name: String {
        guard case .signal(let signal) = content else { return "btl2cap.malformed" }
        return "btl2cap.\(signal.messageName)"
    }

    /// Its parameters.
    public var fields: Value {
        switch content {
        case .malformed(let what): return ["error": .string(what)]
        case .signal(let signal):
            var members = [Value.Member("cmd_ident", .integer(Int64(signal.identifier)))]
            members += signal.members.map { Value.Member($0, .integer(Int64($1))) }
            return ["btl2cap": .object(members)]
        }
    }

    /// The messages that suites may name.
    public static let description = ProtocolDescription(
        name: "btl2cap", title: "Bluetooth L2CAP",
        messages: [
            message("CommandReject", "A command was not understood.", "4.1", ["rej_reason"]),
            message("ConnectionRequest", "Asks for a channel.", "4.2", ["psm", "scid"]),
            message(
                "ConnectionResponse", "The answer to that.", "4.3", ["dcid", "scid", "result"]),
            message("ConfigurationRequest", "Says how a channel shall be.", "4.4", ["dcid"]),
            message(
                "ConfigurationResponse", "The answer to that.", "4.5", ["scid", "result"]),
            message("DisconnectionRequest", "Ends a channel.", "4.6", ["dcid", "scid"]),
            message("DisconnectionResponse", "The answer to that.", "4.7", ["dcid", "scid"]),
            message("EchoRequest", "Asks for an answer.", "4.8", []),
            message("EchoResponse", "The answer to that.", "4.9", []),
            message("InformationRequest", "Asks for a capability.", "4.10", ["info_type"]),
            message(
                "InformationResponse", "The answer to that.", "4.11",
                ["info_type", "info_result"]),
            message("Command", "A command that is not known.", "4", ["cmd_code"]),
            MessageDescription(
                name: "btl2cap.malformed", summary: "Bytes that are no unit of L2CAP.",
                specification: "Core 5.4 Vol 3 Part A 3.1",
                fields: [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    private static func message(
        _ name: String, _ summary: String, _ section: String, _ fields: [String]
    ) -> MessageDescription {
        MessageDescription(
            name: "btl2cap.\(name)", summary: summary,
            specification: "Core 5.4 Vol 3 Part A \(section)",
            fields: (["cmd_ident"] + fields).map {
                FieldDescription("btl2cap.\($0)", .integer(0...0xFFFF), isMandatory: true)
            })
    }
}

extension L2CAPSignal {
    fileprivate var messageName: String {
        switch content {
        case .commandReject: "CommandReject"
        case .connectionRequest: "ConnectionRequest"
        case .connectionResponse: "ConnectionResponse"
        case .configurationRequest: "ConfigurationRequest"
        case .configurationResponse: "ConfigurationResponse"
        case .disconnectionRequest: "DisconnectionRequest"
        case .disconnectionResponse: "DisconnectionResponse"
        case .echoRequest: "EchoRequest"
        case .echoResponse: "EchoResponse"
        case .informationRequest: "InformationRequest"
        case .informationResponse: "InformationResponse"
        case .other: "Command"
        }
    }

    fileprivate var members: [(String, UInt16)] {
        switch content {
        case .commandReject(let reason): [("rej_reason", reason)]
        case .connectionRequest(let psm, let source): [("psm", psm), ("scid", source)]
        case .connectionResponse(let destination, let source, let result):
            [("dcid", destination), ("scid", source), ("result", result)]
        case .configurationRequest(let destination): [("dcid", destination)]
        case .configurationResponse(let source, let result): [("scid", source), ("result", result)]
        case .disconnectionRequest(let destination, let source),
            .disconnectionResponse(let destination, let source):
            [("dcid", destination), ("scid", source)]
        case .echoRequest, .echoResponse: []
        case .informationRequest(let type): [("info_type", type)]
        case .informationResponse(let type, let result):
            [("info_type", type), ("info_result", result)]
        case .other(let code): [("cmd_code", UInt16(code))]
        }
    }
}
