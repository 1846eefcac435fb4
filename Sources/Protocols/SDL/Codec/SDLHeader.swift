import Wire

extension SDL {
    /// The header of a frame (specification 2.1 to 2.3); `HeaderField.bits` defines its layout.
    public struct Header: Sendable, Hashable {
        /// The size in bytes of a version-1 header, which is also the part that all versions share.
        static let shortSize = 8
        /// The size in bytes of a header of version 2 and later.
        static let longSize = 12

        /// The protocol version, 1 to 5.
        public var version: UInt8
        /// The E bit (payload encrypted); in version 1 the C bit (payload compressed).
        public var isEncrypted: Bool
        /// The type of the frame.
        public var frameType: FrameType
        /// The service; the defined ones are `ServiceType`.
        public var serviceType: UInt8
        /// The kind of a control frame, or the number of a consecutive frame, otherwise 0.
        public var frameInfo: UInt8
        /// The session id; 0 before one is assigned.
        public var sessionID: UInt8
        /// The number of payload bytes that follow.
        public var dataSize: UInt32
        /// The message id; 0 in version 1, which has none.
        public var messageID: UInt32

        /// Creates a header from its fields.
        public init(
            version: UInt8, isEncrypted: Bool = false, frameType: FrameType, serviceType: UInt8,
            frameInfo: UInt8 = 0, sessionID: UInt8, dataSize: UInt32 = 0, messageID: UInt32 = 0
        ) {
            self.version = version
            self.isEncrypted = isEncrypted
            self.frameType = frameType
            self.serviceType = serviceType
            self.frameInfo = frameInfo
            self.sessionID = sessionID
            self.dataSize = dataSize
            self.messageID = messageID
        }

        /// The size of this header in bytes: 8 in version 1, otherwise 12.
        public var size: Int { version == 1 ? Header.shortSize : Header.longSize }

        /// The service, if it is a defined one.
        public var service: ServiceType? { ServiceType(rawValue: serviceType) }

        /// Whether it ends a session, or agrees to its end: the RPC service ends with it (6.1).
        var endsSession: Bool {
            frameType == .control && service == .rpc
                && ControlFrame(rawValue: frameInfo)?.endsService == true
        }

        /// Reads a header; throws `badValue` for a reserved version, whose layout is unknown.
        @_lifetime(reader: copy reader)
        init(parsing reader: inout ByteReader) throws(DecodeError) {
            let start = reader.offset
            // A reserved version is recognised by one byte, before the others have arrived.
            var ahead = reader
            let version = SDLPackedHeader(firstByte: try ahead.uint8("version")).version
            guard SDL.versions.contains(version) else {
                throw DecodeError(
                    .badValue, in: "sdl.header.version", at: start,
                    "protocol version \(version), defined are 1 to 5")
            }
            let frame = SDLPackedHeader(try reader.uint64("data_size"))
            self = frame.header(
                messageID: version == 1 ? 0 : try reader.uint32("message_id"))
        }

        /// Returns the size of a header by its first byte; `nil` if its version is reserved.
        static func size(firstByte: UInt8) -> Int? {
            let version = SDLPackedHeader(firstByte: firstByte).version
            guard SDL.versions.contains(version) else { return nil }
            return version == 1 ? shortSize : longSize
        }

        /// The header as it is on the wire.
        public var bytes: [UInt8] {
            let numbers: [(HeaderField, UInt64)] = [
                (.version, UInt64(version)), (.encrypted, isEncrypted ? 1 : 0),
                (.frameType, UInt64(frameType.rawValue)), (.serviceType, UInt64(serviceType)),
                (.frameInfo, UInt64(frameInfo)), (.sessionID, UInt64(sessionID)),
                (.dataSize, UInt64(dataSize)),
            ]
            var bytes: [UInt8] = []
            bytes.append(bigEndian: numbers.reduce(0) { $0 | $1.0.bits.placed($1.1) })
            if version != 1 { bytes.append(bigEndian: messageID) }
            return bytes
        }
    }

    /// The types of frames (2.3); four values of the three bits are reserved.
    public enum FrameType: UInt8, Sendable, Hashable, CaseIterable {
        case control, single, first, consecutive
        case reserved4, reserved5, reserved6, reserved7

        /// Creates the type from a three-bit number.
        init(_ number: UInt8) {
            self = FrameType(rawValue: number) ?? .reserved7
        }

        /// Whether the specification does not define it.
        public var isReserved: Bool { rawValue > FrameType.consecutive.rawValue }

        /// The specification's name: `Control`, `Single`, `First`, `Consecutive`.
        public var title: String {
            switch self {
            case .control: "Control"
            case .single: "Single"
            case .first: "First"
            case .consecutive: "Consecutive"
            default: "Reserved \(rawValue)"
            }
        }
    }

    /// The defined services (2.3 and 5); a lower number has the higher priority.
    public enum ServiceType: UInt8, Sendable, Hashable, CaseIterable {
        case control = 0x00
        case rpc = 0x07
        case audio = 0x0A
        case video = 0x0B
        case bulk = 0x0F

        /// The specification's name, such as `RPC`.
        public var title: String {
            switch self {
            case .control: "Control"
            case .rpc: "RPC"
            case .audio: "Audio"
            case .video: "Video"
            case .bulk: "Bulk"
            }
        }
    }

    /// The defined control frames by their frame info (2.3 and 3.1.2).
    public enum ControlFrame: UInt8, Sendable, Hashable, CaseIterable {
        case heartbeat = 0x00
        case startService = 0x01
        case startServiceACK = 0x02
        case startServiceNAK = 0x03
        case endService = 0x04
        case endServiceACK = 0x05
        case endServiceNAK = 0x06
        case registerSecondaryTransport = 0x07
        case registerSecondaryTransportACK = 0x08
        case registerSecondaryTransportNAK = 0x09
        case transportEventUpdate = 0xFD
        case serviceDataACK = 0xFE
        case heartbeatACK = 0xFF

        /// The specification's name, such as `StartServiceACK`.
        public var messageName: String {
            switch self {
            case .heartbeat: "Heartbeat"
            case .startService: "StartService"
            case .startServiceACK: "StartServiceACK"
            case .startServiceNAK: "StartServiceNAK"
            case .endService: "EndService"
            case .endServiceACK: "EndServiceACK"
            case .endServiceNAK: "EndServiceNAK"
            case .registerSecondaryTransport: "RegisterSecondaryTransport"
            case .registerSecondaryTransportACK: "RegisterSecondaryTransportACK"
            case .registerSecondaryTransportNAK: "RegisterSecondaryTransportNAK"
            case .transportEventUpdate: "TransportEventUpdate"
            case .serviceDataACK: "ServiceDataACK"
            case .heartbeatACK: "HeartbeatACK"
            }
        }

        /// Whether it ends a service, or agrees to its end.
        var endsService: Bool { self == .endService || self == .endServiceACK }

        /// The frame that answers this one when it is accepted; `nil` if there is none.
        var answer: ControlFrame? {
            switch self {
            case .heartbeat: .heartbeatACK
            case .startService: .startServiceACK
            case .endService: .endServiceACK
            case .registerSecondaryTransport: .registerSecondaryTransportACK
            default: nil
            }
        }
    }
}
