import Wire

/// WebSocket: an HTTP upgrade, then frames of messages in both directions (RFC 6455).
public enum WebSocket {
    /// The opcode of a frame (RFC 6455 5.2 and 11.8).
    public struct Opcode: RawRepresentable, Sendable, Hashable {
        /// The number on the wire, 0 to 15.
        public let rawValue: UInt8

        /// Creates an opcode from its number on the wire.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Continues a message.
        public static let continuation = Opcode(rawValue: 0)
        /// Begins a text message.
        public static let text = Opcode(rawValue: 1)
        /// Begins a binary message.
        public static let binary = Opcode(rawValue: 2)
        /// Ends the connection.
        public static let close = Opcode(rawValue: 8)
        /// Requests a pong.
        public static let ping = Opcode(rawValue: 9)
        /// Answers a ping.
        public static let pong = Opcode(rawValue: 10)

        /// Whether it is a control frame, which may come between the frames of a message.
        public var isControl: Bool { rawValue & 8 != 0 }

        /// The name; `nil` for a reserved number.
        public var name: String? {
            switch self {
            case .continuation: "continuation"
            case .text: "text"
            case .binary: "binary"
            case .close: "close"
            case .ping: "ping"
            case .pong: "pong"
            default: nil
            }
        }
    }

    /// One frame.
    public struct Frame: Sendable, Hashable {
        /// Whether it is the last one of its message.
        public var isFinal: Bool
        /// The three reserved bits, 0 to 7.
        public var reserved: UInt8
        /// The kind of frame.
        public var opcode: Opcode
        /// The four bytes that mask the payload; `nil` if it is not masked.
        public var maskingKey: [UInt8]?
        /// The payload, unmasked.
        public var payload: [UInt8]

        /// Creates a frame; a masking key has four bytes.
        public init(
            _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0,
            maskingKey: [UInt8]? = nil
        ) {
            self.opcode = opcode
            self.payload = payload
            self.isFinal = isFinal
            self.reserved = reserved
            self.maskingKey = maskingKey
        }

        /// Whether the first reserved bit is set.
        ///
        /// In the first frame of a message it means that the message is compressed (RFC 7692 6).
        var isPacked: Bool { reserved & 4 != 0 }

        /// The frame on the wire, with the shortest form of its length.
        public var bytes: [UInt8] { bytes() }

        /// Returns the frame on the wire; `length` replaces the length of the payload in its header.
        package func bytes(length: Int? = nil) -> [UInt8] {
            let length = length ?? payload.count
            var bytes = [(isFinal ? 0x80 : 0) | (reserved & 7) << 4 | opcode.rawValue & 15]
            let mask: UInt8 = maskingKey == nil ? 0 : 0x80
            switch length {
            case ...125: bytes.append(mask | UInt8(length))
            case ...0xFFFF:
                bytes.append(mask | 126)
                bytes.append(bigEndian: UInt16(length))
            default:
                bytes.append(mask | 127)
                bytes.append(bigEndian: UInt64(length))
            }
            guard let maskingKey else { return bytes + payload }
            return bytes + maskingKey + Self.masked(payload[...], by: maskingKey)
        }

        /// Masks or unmasks a payload (RFC 6455 5.3).
        static func masked(_ payload: ArraySlice<UInt8>, by key: [UInt8]) -> [UInt8] {
            guard key.count == 4 else { return Array(payload) }
            return payload.enumerated().map { $0.element ^ key[$0.offset % 4] }
        }
    }

    /// The header of a frame: everything before its payload.
    struct FrameHeader: Sendable, Hashable {
        var isFinal: Bool
        var reserved: UInt8
        var opcode: Opcode
        var maskingKey: [UInt8]?
        var payloadLength: Int
        /// Whether the length could have been written in fewer bytes.
        var isLengthPadded: Bool
        /// The length of the header itself in bytes.
        var length: Int

        /// Reads the header at the start of `bytes`; `nil` while it is incomplete.
        ///
        /// - Throws: `.badLength` for a length of more than 63 bits, or above the limit.
        init?(parsing bytes: ArraySlice<UInt8>) throws(DecodeError) {
            guard bytes.count >= 2 else { return nil }
            let first = bytes[bytes.startIndex]
            let second = bytes[bytes.startIndex + 1]
            isFinal = first & 0x80 != 0
            reserved = first >> 4 & 7
            opcode = Opcode(rawValue: first & 15)
            let short = Int(second & 0x7F)
            let extra = short < 126 ? 0 : short == 126 ? 2 : 8
            let maskLength = second & 0x80 != 0 ? 4 : 0
            length = 2 + extra + maskLength
            guard bytes.count >= length else { return nil }
            var long: UInt64 = 0
            for byte in bytes.dropFirst(2).prefix(extra) { long = long << 8 | UInt64(byte) }
            let size = extra == 0 ? UInt64(short) : long
            guard size <= UInt64(Limits.payload) else {
                throw DecodeError(
                    .badLength, in: "websocket.payload_length", at: 1,
                    "\(size) bytes, more than the \(Limits.payload) that are read")
            }
            payloadLength = Int(size)
            isLengthPadded = extra == 2 && size < 126 || extra == 8 && size <= 0xFFFF
            maskingKey =
                maskLength == 0 ? nil : Array(bytes.dropFirst(2 + extra).prefix(maskLength))
        }
    }

    /// Limits of the decoder, which bound its memory for any input.
    public enum Limits {
        /// The largest payload of one frame, and of all frames of one message, in bytes.
        public static let payload = 1 << 26
        /// The largest payload of a decompressed message in bytes.
        ///
        /// A megabyte of DEFLATE can decompress to a gigabyte.
        public static let unpacked = 1 << 24
        /// The largest number of bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4096
    }

    /// Whether the first bytes of a direction are the head of a WebSocket handshake.
    static func recognises(_ bytes: RawSpan, behind known: Int = 0) -> Bool? {
        recognises(bytes, behind: known) { $0.isWebSocket }
    }

    private static let starts = ["GET ", "HTTP/1.1 101"].map { Array($0.utf8) }

    /// Whether the first bytes of a direction are the head of a handshake that meets a condition.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - known: How many of them are known not to contain a complete head.
    ///   - condition: The condition for the head.
    package static func recognises(
        _ bytes: RawSpan, behind known: Int = 0, _ condition: (HTTPHead) -> Bool
    ) -> Bool? {
        let front = bytes.extracting(first: HTTPHead.bytesMax)
        guard starts.contains(where: { front.agrees(with: $0) }) else { return false }
        // The end may have begun in the last of the known bytes.
        let length = front.withUnsafeBytes { HTTPHead.length(in: $0, behind: max(0, known - 3)) }
        guard let length else { return front.hasOtherFirstLine ? false : nil }
        do throws(DecodeError) {
            return condition(
                try HTTPHead(parsing: [UInt8](copying: front.extracting(first: length))))
        } catch {
            return false
        }
    }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol])

    /// WebSocket as a protocol over byte streams.
    public static let streamProtocol = StreamProtocol(
        name: "websocket", recognises: { recognises($0, behind: $1) },
        makeConnectionDecoder: { stack in connection { CarryingDecoder(of: stack) } })

    /// Creates the decoder of a connection that begins with a handshake.
    ///
    /// Before an acceptance and after a refusal the connection is HTTP.
    ///
    /// - Parameter decoder: Creates the decoder of both heads of the handshake and of the frames.
    package static func connection(
        _ decoder: @escaping @Sendable () -> any ConnectionDecoder
    ) -> any ConnectionDecoder {
        HTTP.ConnectionDecoder(webSocket: decoder)
    }
}

extension RawSpan {
    /// Whether the first line is complete and not that of an HTTP message.
    ///
    /// A line of another protocol that begins in the same way is thus not held back until more
    /// bytes arrive.
    fileprivate var hasOtherFirstLine: Bool {
        withUnsafeBytes { bytes in
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            return !String(decoding: bytes[..<end], as: UTF8.self).contains("HTTP/1.")
        }
    }

    /// Whether the bytes begin with the text, or the text begins with the bytes.
    fileprivate func agrees(with text: [UInt8]) -> Bool {
        for index in 0..<Swift.min(byteCount, text.count)
        where text[index] != unsafeLoad(fromByteOffset: index, as: UInt8.self) {
            return false
        }
        return true
    }
}
