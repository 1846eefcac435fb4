extension SDL {
    /// What stands under `sdl` in a message's fields, in this order: its first frame's header.
    enum HeaderField: String, Sendable, CaseIterable {
        case version, encrypted, compressed
        case frameType = "frame_type"
        case frameTypeName = "frame_type_name"
        case serviceType = "service_type"
        case serviceName = "service_name"
        case frameInfo = "frame_info"
        case sessionID = "session_id"
        case dataSize = "data_size"
        case messageID = "message_id"

        /// Its value; `nil` if a header of that version has no such field.
        ///
        /// - Parameters:
        ///   - header: The header.
        ///   - isProtected: Whether the payload is encrypted, which a multi-frame message says in
        ///     its consecutive frames; in version 1 whether it is compressed.
        func value(in header: Header, isProtected: Bool) -> Value? {
            switch self {
            case .version: .integer(Int64(header.version))
            case .encrypted: header.version == 1 ? nil : .bool(isProtected)
            case .compressed: header.version == 1 ? .bool(isProtected) : nil
            case .frameType: .integer(Int64(header.frameType.rawValue))
            case .frameTypeName: .string(header.frameType.title)
            case .serviceType: .integer(Int64(header.serviceType))
            case .serviceName: .string(header.service?.title ?? "Reserved")
            case .frameInfo: .integer(Int64(header.frameInfo))
            case .sessionID: .integer(Int64(header.sessionID))
            case .dataSize: .integer(Int64(header.dataSize))
            case .messageID: header.version == 1 ? nil : .integer(Int64(header.messageID))
            }
        }
    }

    /// What the header of an RPC says.
    struct RPCHead {
        let type: RPCType
        let functionID: UInt32
        let functionName: String
        let correlationID: Int32
        let jsonSize: Int
    }

    /// What stands under `rpc` in a message's fields, in this order.
    enum RPCField: String, Sendable, CaseIterable {
        case type
        case typeName = "type_name"
        case functionID = "function_id"
        case function
        case correlationID = "correlation_id"
        case jsonSize = "json_size"

        /// Its value.
        func value(in head: RPCHead) -> Value {
            switch self {
            case .type: .integer(Int64(head.type.rawValue))
            case .typeName: .string(head.type.name)
            case .functionID: .integer(Int64(head.functionID))
            case .function: .string(head.functionName)
            case .correlationID: .integer(Int64(head.correlationID))
            case .jsonSize: .integer(Int64(head.jsonSize))
            }
        }
    }
}

extension SDL.Header {
    /// Takes the header from a unit that is known to begin with a whole one.
    init(beginning unit: RawSpan) {
        let first = unit.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        let dataSize = unit.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self)
        version = first >> 4
        isEncrypted = first & 0x08 != 0
        frameType = SDL.FrameType(lowBitsOf: first)
        serviceType = unit.unsafeLoad(fromByteOffset: 1, as: UInt8.self)
        frameInfo = unit.unsafeLoad(fromByteOffset: 2, as: UInt8.self)
        sessionID = unit.unsafeLoad(fromByteOffset: 3, as: UInt8.self)
        self.dataSize = UInt32(bigEndian: dataSize)
        messageID =
            version == 1
            ? 0
            : UInt32(bigEndian: unit.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }
}

extension SDL.RPCHead {
    /// Takes the header of an RPC whose JSON is known to stand in a unit; `nil` for a reserved type.
    init?(before json: Range<Int>, in unit: RawSpan) {
        let start = json.lowerBound - SDL.RPC.headerSize
        let word = UInt32(
            bigEndian: unit.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self))
        guard let type = SDL.RPCType(rawValue: UInt8(word >> 28)) else { return nil }
        self.type = type
        functionID = word & 0x0FFF_FFFF
        functionName = RPCFunctions.shared.names[functionID] ?? SDL.RPC.unknownFunction
        correlationID = Int32(
            bigEndian: unit.unsafeLoadUnaligned(fromByteOffset: start + 4, as: Int32.self))
        jsonSize = json.count
    }
}
