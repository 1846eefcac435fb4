import Wire

extension SDL {
    /// Encodes the frames of one direction of a session.
    ///
    /// It numbers messages itself, from 1 on. It does not check what it encodes.
    public struct Encoder: Sendable {
        /// The protocol version of the frames, 1 to 5.
        public var version: UInt8
        /// The session id; 0 before one is assigned.
        public var sessionID: UInt8
        /// The maximum number of payload bytes in one frame; longer messages are split.
        public var maximumPayload: Int
        /// The message id of the next message; it never becomes 0 by counting.
        public var nextMessageID: UInt32 = 1

        /// Creates an encoder.
        ///
        /// - Parameter maximumPayload: In bytes; the default is the limit in the specification's
        ///   table (2.4) for the version.
        public init(version: UInt8, sessionID: UInt8 = 0, maximumPayload: Int? = nil) {
            self.version = version
            self.sessionID = sessionID
            self.maximumPayload = maximumPayload ?? SDL.maximumPayload(version: version)
        }

        /// Encodes an RPC: on service Bulk if it carries bulk data, otherwise on service RPC.
        ///
        /// Version 1 has no bulk data, so it is left out there.
        public mutating func encode(_ rpc: RPC) -> [UInt8] {
            if version == 1 {
                return encode(payload: rpc.envelopeBytes, service: .rpc)
            }
            return encode(payload: rpc.binaryBytes, service: rpc.bulk.isEmpty ? .rpc : .bulk)
        }

        /// Encodes any payload as one Single frame, or as a First and Consecutive frames.
        ///
        /// It is split if it is longer than `maximumPayload`.
        public mutating func encode(
            payload: [UInt8], service: ServiceType, isEncrypted: Bool = false
        ) -> [UInt8] {
            let messageID = takeMessageID()
            var header = Header(
                version: version, isEncrypted: isEncrypted, frameType: .single,
                serviceType: service.rawValue, sessionID: sessionID,
                messageID: version == 1 ? 0 : messageID)
            guard payload.count > max(1, maximumPayload) else {
                header.dataSize = UInt32(truncatingIfNeeded: payload.count)
                return header.bytes + payload
            }
            return split(payload, header)
        }

        /// Encodes a control frame.
        ///
        /// - Parameters:
        ///   - control: The kind of frame.
        ///   - service: The service that the frame is about.
        ///   - parameters: An object; encoded as BSON in version 5 and in StartService, before that
        ///     only `hashId` as four raw bytes (StartServiceACK, EndService).
        ///   - sessionID: A session id that replaces the encoder's.
        ///   - version: A version that replaces the encoder's; the first StartService uses 1.
        ///   - messageID: A message id that replaces the next one.
        ///   - isEncrypted: The E bit: encryption is requested or granted.
        public mutating func encode(
            _ control: ControlFrame, service: ServiceType, parameters: Value = .object([]),
            sessionID: UInt8? = nil, version: UInt8? = nil, messageID: UInt32? = nil,
            isEncrypted: Bool = false
        ) -> [UInt8] {
            let version = version ?? self.version
            let payload = ControlPayload.bytes(parameters, of: control, version: version)
            let id = version == 1 ? 0 : messageID ?? takeMessageID()
            let header = Header(
                version: version, isEncrypted: isEncrypted, frameType: .control,
                serviceType: service.rawValue, frameInfo: control.rawValue,
                sessionID: sessionID ?? self.sessionID,
                dataSize: UInt32(truncatingIfNeeded: payload.count), messageID: id)
            return header.bytes + payload
        }

        private mutating func takeMessageID() -> UInt32 {
            defer { nextMessageID = nextMessageID == .max ? 1 : nextMessageID + 1 }
            return nextMessageID
        }

        private func split(_ payload: [UInt8], _ single: Header) -> [UInt8] {
            let size = max(1, maximumPayload)
            let count = (payload.count + size - 1) / size
            var header = single
            header.frameType = .first
            header.isEncrypted = false
            header.dataSize = UInt32(PartialMessage.firstPayloadSize)
            var bytes = header.bytes
            bytes.reserveCapacity(payload.count + (count + 1) * header.size)
            bytes.append(bigEndian: UInt32(truncatingIfNeeded: payload.count))
            bytes.append(bigEndian: UInt32(truncatingIfNeeded: count))
            header.frameType = .consecutive
            header.isEncrypted = single.isEncrypted
            for index in 0..<count {
                let chunk = payload[index * size..<min(payload.count, (index + 1) * size)]
                header.frameInfo = index == count - 1 ? 0 : UInt8(index % 255 + 1)
                header.dataSize = UInt32(chunk.count)
                bytes += header.bytes
                bytes += chunk
            }
            return bytes
        }
    }
}
