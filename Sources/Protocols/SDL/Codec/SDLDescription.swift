import Wire

extension SDL {
    /// The messages and fields that SDL offers to suites.
    ///
    /// These are every control frame, every RPC of the specification's tables, and the other
    /// payloads.
    public static let description = ProtocolDescription(
        name: "sdl", firstCode: 64, title: "SmartDeviceLink",
        messages: controlMessages + rpcMessages + otherMessages, fields: headerFields,
        correlation: ["sdl.service_type", "rpc.correlation_id"].compactMap { FieldPath($0) },
        frameFields: frameFields, session: FieldPath("sdl.session_id"), openFields: "params")

    /// The fields of a frame's header with separate bits.
    private static let frameFields = HeaderField.allCases.filter {
        $0.isNumber || $0 == .encrypted
    }.map { FrameField($0.path, $0.bits) }

    private static let word: ClosedRange<Int64> = 0...Int64(UInt32.max)

    private static let headerFields =
        HeaderField.allCases.map { field in
            FieldDescription(
                field.path, field.type,
                isMandatory: versions.allSatisfy { field.exists(inVersion: $0) })
        } + [
            FieldDescription("sdl.frames", .integer(word), isMandatory: true),
            FieldDescription("sdl.largest_frame", .integer(word), isMandatory: true),
            FieldDescription(
                "sdl.frame_sizes", .array(of: .integer(word), count: nil), isMandatory: true),
        ]

    private static let payloadFields: [FieldDescription] = [
        FieldDescription("payload.length", .integer(word), isMandatory: true),
        FieldDescription("payload.data", .bytes, isMandatory: true),
    ]

    // MARK: Control frames

    private static let controlMessages = ControlFrame.allCases.map { frame in
        MessageDescription(
            name: "sdl.\(frame.messageName)", summary: "The control frame \(frame.messageName).",
            specification: citation("3.1.2"),
            fields: frame.parameters.map {
                FieldDescription("params.\($0.name)", $0.kind.fieldType)
            } + (frame == .serviceDataACK ? [FieldDescription("params.data", .bytes)] : []),
            response: frame.answer.map { "sdl.\($0.messageName)" }, senders: senders(of: frame))
    }

    /// Returns the side that sends a control frame (protocol specification 3.1.2).
    ///
    /// The result is empty if either side may.
    private static func senders(of frame: ControlFrame) -> [String] {
        switch frame {
        case .startService, .registerSecondaryTransport: ["sdl.app"]
        case .startServiceACK, .startServiceNAK, .registerSecondaryTransportACK,
            .registerSecondaryTransportNAK, .transportEventUpdate:
            ["sdl.head-unit"]
        default: []
        }
    }

    // MARK: RPCs

    private static let rpcMessages: [MessageDescription] = {
        let functions = RPCFunctions.shared
        var messages: [MessageDescription] = []
        for key in functions.messages {
            guard let name = functions.names[key.functionID] else { continue }
            messages.append(rpcMessage(name, key.type, parameterFields(of: key, name)))
            if key.type == .response {
                messages.append(rpcMessage(name, .errorResponse, parameterFields(of: key, name)))
            }
        }
        return messages
            + RPCType.allCases.map {
                rpcMessage(RPC.unknownFunction, $0, [FieldDescription("params", .any)])
            }
    }()

    private static func rpcMessage(
        _ function: String, _ type: RPCType,
        _ parameters: @autoclosure @escaping @Sendable () -> [FieldDescription]
    ) -> MessageDescription {
        MessageDescription(
            name: type.messageName(of: function), summary: "The \(type.title) of \(function).",
            specification: "\(RPCSpecification.version) \(function)",
            fields: rpcFields(type) + parameters(),
            since: function == RPC.unknownFunction
                ? nil : RPCIntroductions.shared.versions[type.introduced(function)] ?? "1.0",
            response: type == .request ? RPCType.response.messageName(of: function) : nil,
            senders: senders(of: function, type))
    }

    private static func parameterFields(
        of key: RPCSpecification.MessageKey, _ function: String
    ) -> [FieldDescription] {
        let types = FieldTypes()
        return (RPCEntries.shared.parameters(of: key) ?? []).map {
            types.field("params.\($0.name)", $0, in: key.type.introduced(function))
        }
    }

    /// Functions that either side may call or use in notifications, because apps offer services
    /// too.
    private static let eitherWay: Set<String> = [
        "GetAppServiceData", "PerformAppServiceInteraction", "OnAppServiceData",
        "OnAppCapabilityUpdated", RPC.unknownFunction,
    ]

    /// Returns the side that sends an RPC: apps send requests, head units respond and notify.
    private static func senders(of function: String, _ type: RPCType) -> [String] {
        if eitherWay.contains(function) { return [] }
        return type == .request ? app : headUnit
    }

    private static let app = ["sdl.app"]
    private static let headUnit = ["sdl.head-unit"]

    private static func rpcFields(_ type: RPCType) -> [FieldDescription] {
        [
            FieldDescription("rpc.type", .integer(0...3), isMandatory: true),
            FieldDescription(
                "rpc.type_name",
                .enumeration(name: "RPCType", values: RPCType.allCases.map(\.name)),
                isMandatory: true),
            FieldDescription(
                "rpc.function_id", .integer(RPCField.functionID.bits.range), isMandatory: true),
            FieldDescription("rpc.function", .string(maxLength: nil), isMandatory: true),
            FieldDescription(
                "rpc.correlation_id", .integer(Int64(Int32.min)...Int64(Int32.max)),
                // In version 1 notifications need no correlation id.
                isMandatory: type != .notification),
            FieldDescription(
                "rpc.json_size", .integer(RPCField.jsonSize.bits.range), isMandatory: true),
            FieldDescription("bulk.length", .integer(word)),
            FieldDescription("bulk.data", .bytes),
        ]
    }

    // MARK: Other payloads

    private static let otherMessages: [MessageDescription] = [
        MessageDescription(
            name: "sdl.AudioData", summary: "Payload of the audio service.",
            specification: citation("5"), fields: payloadFields),
        MessageDescription(
            name: "sdl.VideoData", summary: "Payload of the video service.",
            specification: citation("5"), fields: payloadFields),
        MessageDescription(
            name: "sdl.EncryptedData", summary: "Encrypted payload of any service.",
            specification: citation("7"), fields: payloadFields),
        MessageDescription(
            name: "sdl.SecurityQuery", summary: "A step of the TLS handshake.",
            specification: citation("7.2"),
            fields: [
                FieldDescription("security.type", .integer(0...255), isMandatory: true),
                FieldDescription("security.id", .integer(word), isMandatory: true),
                FieldDescription("security.sequence", .integer(word), isMandatory: true),
                FieldDescription("params", .any),
            ] + payloadFields),
        MessageDescription(
            name: "sdl.malformed", summary: "Bytes that are not SDL.",
            specification: citation("2"),
            fields: [
                FieldDescription("error", .string(maxLength: nil), isMandatory: true),
                FieldDescription(
                    "error_code",
                    .enumeration(
                        name: "DecodeError",
                        values: [
                            "truncated", "badLength", "badValue", "badChecksum", "badText",
                            "limit",
                        ]), isMandatory: true),
            ] + payloadFields),
    ]
}

extension SDL.RPCType {
    /// The human-readable name.
    fileprivate var title: String {
        self == .errorResponse ? "erroneous response" : name
    }

    /// Returns an RPC's name in the table of introductions, where an erroneous response is a
    /// response.
    fileprivate func introduced(_ function: String) -> String {
        "\(function).\((self == .errorResponse ? .response : self).name)"
    }
}

extension SDL.ControlParameter.Kind {
    fileprivate var fieldType: FieldType {
        switch self {
        case .string: .string(maxLength: nil)
        case .int32: .integer(Int64(Int32.min)...Int64(Int32.max))
        case .int64: .integer(nil)
        case .strings: .array(of: .string(maxLength: nil), count: nil)
        case .int32s: .array(of: .integer(nil), count: nil)
        }
    }
}

/// Turns the specification's types into field types.
private struct FieldTypes {
    /// The enclosing structures; a recursive use of one becomes `any`.
    private var open: Set<String> = []

    /// Returns the field of a parameter at a path.
    ///
    /// - Parameter owner: The message or structure that contains it, as in the table of
    ///   introductions.
    func field(
        _ path: String, _ parameter: RPCSpecification.Parameter, in owner: String
    ) -> FieldDescription {
        FieldDescription(
            path, type(of: parameter), isMandatory: parameter.presence != .optional,
            since: RPCIntroductions.shared.versions["\(owner).\(parameter.name)"])
    }

    private func type(of parameter: RPCSpecification.Parameter) -> FieldType {
        let element = elementType(parameter.type)
        guard let count = parameter.count else { return element }
        let range = (count.minimum ?? 0)...(count.maximum ?? Int.max)
        let isBounded = count.minimum != nil || count.maximum != nil
        return .array(of: element, count: isBounded ? range : nil)
    }

    private func elementType(_ type: RPCSpecification.ParameterType) -> FieldType {
        switch type {
        case .boolean: return .boolean
        case .integer(let bounds):
            guard bounds.minimum != nil || bounds.maximum != nil else { return .integer(nil) }
            return .integer((bounds.minimum ?? .min)...(bounds.maximum ?? .max))
        case .float: return .number
        case .string(let bounds): return .string(maxLength: bounds.maximum)
        case .enumeration(let name):
            let words = RPCEntries.shared.words(ofEnumeration: name)
            return .enumeration(name: name, values: words ?? [])
        case .structure(let name): return structure(name)
        }
    }

    private func structure(_ name: String) -> FieldType {
        guard !open.contains(name), let members = RPCEntries.shared.members(ofStructure: name)
        else { return .any }
        var within = self
        within.open.insert(name)
        return .structure(
            name: name, fields: members.map { [within] in within.field($0.name, $0, in: name) })
    }
}
