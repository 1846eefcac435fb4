import Wire

extension SDL {
    /// The fields under `sdl` in a message, in this order: the header of its first frame.
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

        /// The position of the field (specification 2.1).
        ///
        /// The parser, the encoder, the header reader, the fields that a test may corrupt, and the
        /// positions that are shown are derived from it.
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

        /// The path of the field in a message.
        var path: String { "sdl.\(rawValue)" }

        /// Returns whether a version of the protocol has the field.
        func exists(inVersion version: UInt8) -> Bool {
            switch self {
            case .encrypted, .messageID: version != 1
            case .compressed: version == 1
            default: true
            }
        }

        /// The type of its values.
        var type: FieldType {
            switch self {
            case .version: .integer(Int64(versions.lowerBound)...Int64(versions.upperBound))
            case .encrypted, .compressed: .boolean
            case .frameTypeName, .serviceName: .string(maxLength: nil)
            default: .integer(bits.range)
            }
        }

        /// Whether its values are integers.
        var isNumber: Bool {
            if case .integer = type { true } else { false }
        }

        /// Returns the value of the field; `nil` if a header of that version has no such field.
        ///
        /// - Parameters:
        ///   - header: The header.
        ///   - isProtected: Whether the payload is encrypted, which is marked in the consecutive
        ///     frames of a multi-frame message; in version 1 whether it is compressed.
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

    /// The contents of an RPC's header.
    struct RPCHeader {
        let type: RPCType
        let functionID: UInt32
        /// The correlation id; `nil` for a notification of version 1 without one.
        let correlationID: Int32?
        let jsonSize: Int

        /// The name of the function in the specification.
        var functionName: String { RPCFunctions.shared.names[functionID] ?? RPC.unknownFunction }
    }

    /// The fields under `rpc` in a message, in this order.
    enum RPCField: String, Sendable, CaseIterable {
        case type
        case typeName = "type_name"
        case functionID = "function_id"
        case function
        case correlationID = "correlation_id"
        case jsonSize = "json_size"

        /// The position of the field in the RPC's header (specification 5.2.1.1).
        @inline(__always)
        var bits: FieldBits {
            switch self {
            case .type, .typeName: FieldBits(0, 4)
            case .functionID, .function: FieldBits(4, 28)
            case .correlationID: FieldBits(32, 32)
            case .jsonSize: FieldBits(64, 32)
            }
        }

        /// The path of the field in a message.
        var path: String { "rpc.\(rawValue)" }

        /// Whether its values are integers.
        var isNumber: Bool { self != .typeName && self != .function }

        /// Returns the value of the field; `nil` if the message does not have it.
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
    /// Creates the header from a unit that is known to begin with a whole one.
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
    /// Creates the header of an RPC whose JSON is known to be in a unit; `nil` for a reserved type.
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
