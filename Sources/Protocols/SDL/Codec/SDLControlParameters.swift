import Wire

extension SDL {
    /// A parameter of a control frame and its BSON type (specification 3.1.3).
    struct ControlParameter: Sendable {
        /// The encoding of a parameter in BSON.
        enum Kind: Sendable {
            case string, int32, int64, strings, int32s
        }

        let name: String
        let kind: Kind

        /// Its element type at the top level of the document.
        var elementType: BSONDocument.ElementType {
            switch kind {
            case .string: .string
            case .int32: .int32
            case .int64: .int64
            case .strings, .int32s: .array
            }
        }
    }
}

extension SDL.ControlFrame {
    /// The parameters of the frame, for all services together; all of them are optional.
    var parameters: [SDL.ControlParameter] {
        switch self {
        case .startService: Self.request
        case .startServiceACK: Self.acknowledgement
        case .startServiceNAK, .endServiceNAK: Self.rejection
        case .endService: Self.end
        case .registerSecondaryTransportNAK: Self.reason
        case .transportEventUpdate: Self.transport
        case .serviceDataACK, .endServiceACK, .heartbeat, .heartbeatACK,
            .registerSecondaryTransport, .registerSecondaryTransportACK:
            []
        }
    }

    // These are stored, because they are needed for each control frame.
    private static let request = [.init(name: "protocolVersion", kind: .string)] + videoParameters
    private static let rejection: [SDL.ControlParameter] =
        [.init(name: "rejectedParams", kind: .strings)] + reason
    private static let reason: [SDL.ControlParameter] = [.init(name: "reason", kind: .string)]
    private static let end: [SDL.ControlParameter] = [.init(name: "hashId", kind: .int32)]
    private static let transport: [SDL.ControlParameter] = [
        .init(name: "tcpIpAddress", kind: .string), .init(name: "tcpPort", kind: .int32),
    ]

    private static let acknowledgement: [SDL.ControlParameter] =
        [
            .init(name: "protocolVersion", kind: .string), .init(name: "hashId", kind: .int32),
            .init(name: "mtu", kind: .int64),
            .init(name: "secondaryTransports", kind: .strings),
            .init(name: "audioServiceTransports", kind: .int32s),
            .init(name: "videoServiceTransports", kind: .int32s),
            .init(name: "authToken", kind: .string),
            .init(name: "make", kind: .string), .init(name: "model", kind: .string),
            .init(name: "modelYear", kind: .string),
            .init(name: "trim", kind: .string), .init(name: "systemSoftwareVersion", kind: .string),
            .init(name: "systemHardwareVersion", kind: .string),
        ] + videoParameters

    private static let videoParameters: [SDL.ControlParameter] = [
        .init(name: "height", kind: .int32), .init(name: "width", kind: .int32),
        .init(name: "videoProtocol", kind: .string),
        .init(name: "videoCodec", kind: .string),
    ]

    /// Whether versions before 5 put a four-byte hash into this frame (4.2.3.1, 6.1).
    var hasRawHash: Bool { self == .startServiceACK || self == .endService }
}

extension SDL {
    /// The payload of a control frame: BSON from version 5 on, before that empty or a hash.
    struct ControlPayload {
        /// The size of the raw hash of versions 2 to 4 in bytes.
        static let hashSize = 4

        /// The parameters as an object; a raw hash appears as `hashId`, as in version 5.
        let parameters: Value
        /// The BSON types of the parameters, if they were encoded as BSON.
        let types: [BSONDocument.ElementType]?

        /// Decodes a payload.
        ///
        /// Throws the errors of `BSONDocument`, and `badLength` for a raw payload of another size
        /// than four.
        init(
            _ payload: RawSpan, of frame: ControlFrame, version: UInt8
        ) throws(DecodeError) {
            if payload.byteCount == 0 {
                parameters = .object([])
                types = nil
            } else if frame == .serviceDataACK {
                parameters = ["data": .bytes([UInt8](copying: payload))]
                types = nil
            } else if version < 5, frame.hasRawHash, payload.byteCount == Self.hashSize {
                var reader = ByteReader(payload, unit: "sdl.\(frame.messageName)")
                let hash = try reader.uint32("hash")
                parameters = ["hashId": .integer(Int64(Int32(bitPattern: hash)))]
                types = nil
            } else {
                let document = try BSONDocument(payload)
                parameters = document.value
                types = document.types
            }
        }

        /// Encodes parameters in the format of a version.
        ///
        /// StartService uses BSON in any version, because it is sent before a version is agreed.
        /// Before version 5 the other frames can only carry `hashId`.
        static func bytes(
            _ parameters: Value, of frame: ControlFrame, version: UInt8
        ) -> [UInt8] {
            guard let members = parameters.objectValue, !members.isEmpty else { return [] }
            if frame == .serviceDataACK {
                guard case .bytes(let data)? = parameters["data"] else { return [] }
                return data
            }
            guard version < 5, frame != .startService else {
                let types = Dictionary(
                    frame.parameters.map { ($0.name, $0.elementType) },
                    uniquingKeysWith: { first, _ in first })
                return parameters.bson(integerTypes: types)
            }
            guard frame.hasRawHash, let hash = parameters["hashId"]?.integerValue else { return [] }
            var bytes: [UInt8] = []
            bytes.append(bigEndian: UInt32(truncatingIfNeeded: hash))
            return bytes
        }
    }
}
