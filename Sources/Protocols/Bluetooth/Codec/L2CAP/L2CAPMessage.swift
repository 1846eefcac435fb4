import Wire

extension L2CAPSignal: PacketMessage.Packet {
    var messageName: String { "btl2cap.\(name)" }

    var fields: Value {
        let identifier = Value.Member("cmd_ident", .integer(Int64(identifier)))
        return ["btl2cap": .object([identifier] + members.map { Value.Member($0.0, $0.1) })]
    }
}

extension L2CAPSignal {
    fileprivate var name: String {
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
        case .parameterUpdateRequest: "ConnectionParameterUpdateRequest"
        case .parameterUpdateResponse: "ConnectionParameterUpdateResponse"
        case .lowEnergyConnectionRequest: "LECreditBasedConnectionRequest"
        case .lowEnergyConnectionResponse: "LECreditBasedConnectionResponse"
        case .creditIndication: "FlowControlCreditIndication"
        case .creditConnectionRequest: "CreditBasedConnectionRequest"
        case .creditConnectionResponse: "CreditBasedConnectionResponse"
        case .creditReconfigureRequest: "CreditBasedReconfigureRequest"
        case .creditReconfigureResponse: "CreditBasedReconfigureResponse"
        case .other: "Command"
        }
    }

    /// The parameters under Wireshark's names.
    fileprivate var members: [(String, Value)] {
        func numbers(_ parts: (String, UInt16)...) -> [(String, Value)] {
            parts.map { ($0.0, .integer(Int64($0.1))) }
        }
        switch content {
        case .commandReject(let reason, let data):
            return numbers(("rej_reason", reason)) + Self.data(data)
        case .connectionRequest(let psm, let source):
            return numbers(("psm", psm), ("scid", source))
        case .connectionResponse(let destination, let source, let result, let status):
            return numbers(
                ("dcid", destination), ("scid", source), ("result", result), ("status", status))
        case .configurationRequest(let destination, _, let options):
            return numbers(("dcid", destination)) + options.flatMap(\.members)
        case .configurationResponse(let source, let result, _, let options):
            return numbers(("scid", source), ("conf_result", result))
                + options.flatMap(\.members)
        case .disconnectionRequest(let destination, let source),
            .disconnectionResponse(let destination, let source):
            return numbers(("dcid", destination), ("scid", source))
        case .echoRequest(let data), .echoResponse(let data): return Self.data(data)
        case .informationRequest(let type): return numbers(("info_type", type))
        case .informationResponse(let type, let result, let data):
            return numbers(("info_type", type), ("info_result", result)) + Self.data(data)
        case .parameterUpdateRequest(let minimum, let maximum, let latency, let timeout):
            return numbers(
                ("min_interval", minimum), ("max_interval", maximum),
                ("slave_latency", latency), ("timeout_multiplier", timeout))
        case .parameterUpdateResponse(let result), .creditReconfigureResponse(let result):
            return numbers(("le_result", result))
        case .lowEnergyConnectionRequest(let psm, let source, let credits):
            return numbers(("le_psm", psm), ("scid", source)) + credits.members
        case .lowEnergyConnectionResponse(let destination, let credits, let result):
            return numbers(("dcid", destination)) + credits.members
                + numbers(("le_result", result))
        case .creditIndication(let channel, let credits):
            return numbers(("cid", channel), ("credits", credits))
        case .creditConnectionRequest(let psm, let credits, let sources):
            return numbers(("le_psm", psm)) + credits.members + Self.channels(sources)
        case .creditConnectionResponse(let credits, let result, let destinations):
            return credits.members + numbers(("le_result", result))
                + Self.channels(destinations)
        case .creditReconfigureRequest(let mtu, let mps, let destinations):
            return numbers(("option_mtu", mtu), ("mps", mps)) + Self.channels(destinations)
        case .other(let code, let data):
            return numbers(("cmd_code", UInt16(code))) + Self.data(data)
        }
    }

    private static func data(_ bytes: [UInt8]) -> [(String, Value)] {
        bytes.isEmpty ? [] : [("cmd_data", .bytes(bytes))]
    }

    private static func channels(_ ids: [UInt16]) -> [(String, Value)] {
        [("cids", .array(ids.map { .integer(Int64($0)) }))]
    }
}

extension L2CAPSignal.Credits {
    fileprivate var members: [(String, Value)] {
        [
            ("option_mtu", .integer(Int64(mtu))), ("mps", .integer(Int64(mps))),
            ("initial_credits", .integer(Int64(initial))),
        ]
    }
}

extension L2CAPSignal.Option {
    fileprivate var members: [(String, Value)] {
        switch self {
        case .mtu(let number): [("option_mtu", .integer(Int64(number)))]
        case .flushTimeout(let number): [("option_flushto", .integer(Int64(number)))]
        case .retransmission(let data):
            data.first.map { [("retransmissionmode", .integer(Int64($0)))] } ?? []
        case .other: []
        }
    }
}
