import Wire

extension SDL {
    /// An SDL message: a control frame, or the payload of one or several data frames.
    public struct Message: DissectedMessage {
        /// The decoded content of a message.
        public enum Content: Sendable {
            /// A control frame with its parameters.
            case control(ControlFrame, parameters: Value)
            /// An RPC, of service RPC or Bulk.
            case rpc(RPC)
            /// A query of the TLS handshake, of service Control.
            case securityQuery(SecurityQuery)
            /// Payload of service Audio or Video.
            case data(ServiceType, [UInt8])
            /// Encrypted payload, which is not decoded.
            case encrypted([UInt8])
            /// Bytes that are not SDL, and the reason.
            case malformed(DecodeError)
        }

        /// The header of the first frame; all zero if the bytes contain none.
        public let header: Header
        /// The number of frames, including the First frame; 0 without a header.
        public let frameCount: Int
        /// The decoded content.
        public let content: Content
        /// The full name, such as `sdl.Show.request`.
        public let name: String
        /// The payload, reassembled; for a message without a header the undecoded bytes.
        let payload: [UInt8]
        /// The sizes of the frames; `nil` for a single frame, whose header contains the size.
        var sizes: FrameSizes?
        /// The anomalies of the frames.
        private let frameAnomalies: [Anomaly]

        /// Creates a message from decoded parts.
        init(
            header: Header, frameCount: Int, payload: [UInt8], content: Content,
            anomalies: [Anomaly] = []
        ) {
            self.header = header
            self.frameCount = frameCount
            self.payload = payload
            self.content = content
            self.frameAnomalies = anomalies
            self.name = content.messageName
        }

        /// Whether the message has a header.
        var hasHeader: Bool { frameCount > 0 }

        /// The anomalies of the frames, the parameters and their values.
        public var anomalies: [Anomaly] {
            if case .rpc(let rpc) = content {
                return frameAnomalies
                    + rpc.anomalies(version: header.version, service: header.service)
            }
            return frameAnomalies
        }

        /// What a limit of the decoder kept from being read.
        public var unread: Unread? {
            guard case .malformed(let error) = content, error.isExcused else { return nil }
            return Unread(because: error.detail)
        }

        /// The first frame's header and the whole payload.
        ///
        /// For a single frame these are exactly the bytes on the wire. Of a malformed message at
        /// most `Limits.malformedSample` bytes of payload are kept.
        public var bytes: [UInt8] { hasHeader ? header.bytes + payload : payload }
    }
}

extension SDL.Message.Content {
    fileprivate var messageName: String {
        switch self {
        case .control(let frame, _): "sdl.\(frame.messageName)"
        case .rpc(let rpc): rpc.messageName
        case .securityQuery: "sdl.SecurityQuery"
        case .data(.audio, _): "sdl.AudioData"
        case .data(.video, _): "sdl.VideoData"
        case .data: "sdl.Data"
        case .encrypted: "sdl.EncryptedData"
        case .malformed: "sdl.malformed"
        }
    }
}

// MARK: - Fields

extension SDL.Message {
    /// All fields: `sdl`, then `rpc`, `params`, `bulk`, `security`, `payload`, `error` as present.
    public var fields: Value {
        .object(
            Self.sections.compactMap { name in
                section(name).map { Value.Member(name, $0) }
            })
    }

    /// Returns the value at one path.
    ///
    /// A field of a header is created alone; for other fields their section is created.
    public func field(_ path: FieldPath) -> Value? {
        guard case .name(let name)? = path.components.first else { return nil }
        if name == "params", path.components.count > 1, case .rpc(let rpc) = content {
            return rpc.parameter(at: path.components.dropFirst())
        }
        if path.components.count == 2, case .name(let member) = path.components[1] {
            if name == "sdl", hasHeader {
                if let field = SDL.HeaderField(rawValue: member) { return headerField(field) }
                if let field = SDL.FramesField(rawValue: member) { return framesField(field) }
            }
            if name == "rpc", case .rpc(let rpc) = content {
                return SDL.RPCField(rawValue: member)?.value(
                    in: head(of: rpc), functionName: rpc.functionName)
            }
        }
        if name == "sdl", hasHeader, path.components.count > 2,
            case .name(SDL.FramesField.frameSizes.rawValue) = path.components[1]
        {
            let inner = FieldPath(components: Array(path.components.dropFirst(2)))
            return framesField(.frameSizes)[inner]
        }
        guard let section = section(name) else { return nil }
        return section[FieldPath(components: Array(path.components.dropFirst()))]
    }

    private static let sections = [
        "sdl", "rpc", "params", "bulk", "security", "payload", "error", "error_code",
    ]

    private func section(_ name: String) -> Value? {
        switch (name, content) {
        case ("sdl", _): hasHeader ? headerFields : nil
        case ("rpc", .rpc(let rpc)): rpcFields(rpc)
        case ("params", .rpc(let rpc)): rpc.parameters
        case ("params", .control(_, let parameters)): parameters
        case ("params", .securityQuery(let query)): query.parameters
        case ("bulk", .rpc(let rpc)): rpc.bulkCount == 0 ? nil : Self.dataFields(rpc.bulk)
        case ("security", .securityQuery(let query)): securityFields(query)
        case ("payload", .securityQuery(let query)): Self.dataFields(query.data)
        case ("payload", .data(_, let data)): Self.dataFields(data)
        case ("payload", .encrypted(let data)): Self.dataFields(data)
        case ("payload", .malformed): Self.dataFields(payload)
        case ("error", .malformed(let error)): .string(error.description)
        case ("error_code", .malformed(let error)): .string(error.code.rawValue)
        default: nil
        }
    }

    private var headerFields: Value {
        var members = SDL.HeaderField.allCases.compactMap { field in
            headerField(field).map { Value.Member(field.rawValue, $0) }
        }
        members.append(.init("frames", framesField(.frames)))
        if frameCount > 1 { members.append(.init("largest_frame", framesField(.largestFrame))) }
        return .object(members)
    }

    private func headerField(_ field: SDL.HeaderField) -> Value? {
        field.value(in: header, isProtected: isProtected)
    }

    /// Whether the message is encrypted: a multi-frame message has the E bit in its consecutive
    /// frames.
    private var isProtected: Bool {
        if case .encrypted = content { true } else { header.isEncrypted }
    }

    private func rpcFields(_ rpc: SDL.RPC) -> Value {
        let head = head(of: rpc)
        return .object(
            SDL.RPCField.allCases.compactMap { field in
                field.value(in: head, functionName: rpc.functionName).map {
                    Value.Member(field.rawValue, $0)
                }
            })
    }

    private func head(of rpc: SDL.RPC) -> SDL.RPCHeader {
        SDL.RPCHeader(
            type: rpc.type, functionID: rpc.functionID,
            correlationID: header.version == 1 && !rpc.hasEnvelopeID ? nil : rpc.correlationID,
            jsonSize: jsonSize(of: rpc))
    }

    private func jsonSize(of rpc: SDL.RPC) -> Int {
        let header = header.version == 1 ? 0 : SDL.RPC.headerSize
        return max(0, payload.count - header - rpc.bulkCount)
    }

    private func securityFields(_ query: SDL.SecurityQuery) -> Value {
        [
            "type": .integer(Int64(query.type)), "id": .integer(Int64(query.id)),
            "sequence": .integer(Int64(query.sequence)),
        ]
    }

    private static func dataFields(_ data: [UInt8]) -> Value {
        ["length": .integer(Int64(data.count)), "data": .bytes(data)]
    }
}
