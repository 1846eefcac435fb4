import Wire

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

        /// Where it is (specification 2.1).
        ///
        /// The parser, the encoder and the reader of headers, what a test may corrupt, and the places
        /// that are shown follow from it.
        @inline(__always)
        var bits: FieldBits {
            switch self {
            case .version: FieldBits(0, 4)
            case .encrypted, .compressed: FieldBits(4, 1)
            case .frameType, .frameTypeName: FieldBits(5, 3)
            case .serviceType, .serviceName: FieldBits(8, 8)
            case .frameInfo: FieldBits(16, 8)
            case .sessionID: FieldBits(24, 8)
            case .dataSize: FieldBits(32, 32)
            case .messageID: FieldBits(64, 32)
            }
        }

        /// Its path in a message.
        var path: String { "sdl.\(rawValue)" }

        /// Whether a version of the protocol has it.
        func exists(inVersion version: UInt8) -> Bool {
            switch self {
            case .encrypted, .messageID: version != 1
            case .compressed: version == 1
            default: true
            }
        }

        /// What values it has.
        var type: FieldType {
            switch self {
            case .version: .integer(Int64(versions.lowerBound)...Int64(versions.upperBound))
            case .encrypted, .compressed: .boolean
            case .frameTypeName, .serviceName: .string(maxLength: nil)
            default: .integer(bits.range)
            }
        }

        /// Whether its values are whole numbers.
        var isNumber: Bool {
            if case .integer = type { true } else { false }
        }

        /// Its value; `nil` if a header of that version has no such field.
        ///
        /// - Parameters:
        ///   - header: The header.
        ///   - isProtected: Whether the payload is encrypted, which a multi-frame message says in
        ///     its consecutive frames; in version 1 whether it is compressed.
        @inline(__always)
        func value(in header: Header, isProtected: Bool) -> Value? {
            switch self {
            case .version: .integer(Int64(header.version))
            case .encrypted, .compressed:
                exists(inVersion: header.version) ? .bool(isProtected) : nil
            case .frameType: .integer(Int64(header.frameType.rawValue))
            case .frameTypeName: .string(header.frameType.title)
            case .serviceType: .integer(Int64(header.serviceType))
            case .serviceName: .string(header.service?.title ?? "Reserved")
            case .frameInfo: .integer(Int64(header.frameInfo))
            case .sessionID: .integer(Int64(header.sessionID))
            case .dataSize: .integer(Int64(header.dataSize))
            case .messageID:
                exists(inVersion: header.version) ? .integer(Int64(header.messageID)) : nil
            }
        }
    }

    /// What the header of an RPC says.
    struct RPCHeader {
        let type: RPCType
        let functionID: UInt32
        /// `nil` for a notification of version 1 that has none.
        let correlationID: Int32?
        let jsonSize: Int

        /// The name that the specification gives the function.
        var functionName: String { RPCFunctions.shared.names[functionID] ?? RPC.unknownFunction }
    }

    /// What stands under `rpc` in a message's fields, in this order.
    enum RPCField: String, Sendable, CaseIterable {
        case type
        case typeName = "type_name"
        case functionID = "function_id"
        case function
        case correlationID = "correlation_id"
        case jsonSize = "json_size"

        /// Where it is in the RPC's header (specification 5.2.1.1).
        @inline(__always)
        var bits: FieldBits {
            switch self {
            case .type, .typeName: FieldBits(0, 4)
            case .functionID, .function: FieldBits(4, 28)
            case .correlationID: FieldBits(32, 32)
            case .jsonSize: FieldBits(64, 32)
            }
        }

        /// Its path in a message.
        var path: String { "rpc.\(rawValue)" }

        /// Whether its values are whole numbers.
        var isNumber: Bool { self != .typeName && self != .function }

        /// Its value; `nil` if the message has none.
        ///
        /// - Parameters:
        ///   - head: The header.
        ///   - functionName: The function's name.
        @inline(__always)
        func value(in head: RPCHeader, functionName: @autoclosure () -> String) -> Value? {
            switch self {
            case .type: .integer(Int64(head.type.rawValue))
            case .typeName: .string(head.type.name)
            case .functionID: .integer(Int64(head.functionID))
            case .function: .string(functionName())
            case .correlationID: head.correlationID.map { .integer(Int64($0)) }
            case .jsonSize: .integer(Int64(head.jsonSize))
            }
        }
    }
}

extension SDL.Header {
    /// Takes the header from a unit that is known to begin with a whole one.
    @inline(__always)
    init(beginning unit: RawSpan) {
        let frame = SDLPackedHeader(
            UInt64(bigEndian: unit.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)))
        self = frame.header(
            messageID: frame.version == 1
                ? 0
                : UInt32(bigEndian: unit.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    }
}

extension SDL.RPCHeader {
    /// Takes the header of an RPC whose JSON is known to stand in a unit; `nil` for a reserved type.
    @inline(__always)
    init?(before json: Range<Int>, in unit: RawSpan) {
        let word = UInt64(
            bigEndian: unit.unsafeLoadUnaligned(
                fromByteOffset: json.lowerBound - SDL.RPC.headerSize, as: UInt64.self))
        guard let type = SDL.RPCType(rawValue: SDL.RPCField.type.bits.number(in: word)) else {
            return nil
        }
        self.type = type
        functionID = SDL.RPCField.functionID.bits.number(in: word)
        correlationID = SDL.RPCField.correlationID.bits.number(in: word)
        jsonSize = json.count
    }
}
