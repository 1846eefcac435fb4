import Wire

/// A command of RFCOMM's multiplexer, or an answer to one (TS 07.10 5.4.6, RFCOMM 1.2 5.5).
public struct RFCOMMCommand: Sendable, Hashable {
    /// The parameters of a channel: a command of type PN (5.4.6.3.1, RFCOMM 1.2 5.5.3).
    public struct Negotiation: Sendable, Hashable {
        /// The channel.
        public var dlci: UInt8
        /// Whether credits are used: 15 asks for them, 14 accepts them.
        public var convergence: UInt8
        /// The priority, 0 to 63; lower numbers are more urgent.
        public var priority: UInt8
        /// The largest length of a frame's payload in bytes.
        public var frameSize: UInt16
        /// The initial credits, 0 to 7.
        public var credits: UInt8

        /// Asks for credits.
        public static let creditsAsked: UInt8 = 15
        /// Accepts credits.
        public static let creditsAgreed: UInt8 = 14

        /// Creates parameters.
        public init(
            dlci: UInt8, convergence: UInt8 = Self.creditsAsked, priority: UInt8 = 7,
            frameSize: UInt16 = 127, credits: UInt8 = 7
        ) {
            self.dlci = dlci & 0x3F
            self.convergence = convergence & 0x0F
            self.priority = priority & 0x3F
            self.frameSize = frameSize
            self.credits = credits & 7
        }
    }

    /// The kind and parameters of a command.
    public enum Content: Sendable, Hashable {
        case negotiation(Negotiation)
        case test([UInt8])
        case flowOn
        case flowOff
        /// The signals of a channel, as a byte of V.24 (5.4.6.3.7), and the optional break byte.
        case modemStatus(dlci: UInt8, signals: UInt8, breakSignal: UInt8?)
        /// A command of the given type was not understood.
        case notSupported(UInt8)
        /// Another command, by its type, or one whose data do not fit it.
        case other(type: UInt8, [UInt8])
    }

    /// The kind and parameters of the command.
    public var content: Content
    /// Whether it is a command rather than an answer.
    public var isCommand: Bool

    /// Creates a command.
    public init(_ content: Content, isCommand: Bool = true) {
        self.content = content
        self.isCommand = isCommand
    }

    /// The type, six bits.
    public var type: UInt8 {
        switch content {
        case .negotiation: 0x20
        case .test: 0x08
        case .flowOn: 0x28
        case .flowOff: 0x18
        case .modemStatus: 0x38
        case .notSupported: 0x04
        case .other(let type, _): type
        }
    }

    /// Reads a command from the payload of a frame of channel 0, which may hold several.
    ///
    /// - Throws: `.truncated`.
    public init(parsing reader: inout ByteReader) throws(DecodeError) {
        let first = try reader.uint8("cmd")
        let length = try reader.extensibleLength("len")
        self.init(
            Self.content(first >> 2, try reader.array(length, "data")),
            isCommand: first & 2 != 0)
    }

    private static func content(_ type: UInt8, _ data: [UInt8]) -> Content {
        switch (type, data.count) {
        case (0x20, 8):
            let frameSize = UInt16(data[4]) | UInt16(data[5]) << 8
            return .negotiation(
                Negotiation(
                    dlci: data[0], convergence: data[1] >> 4, priority: data[2],
                    frameSize: frameSize, credits: data[7]))
        case (0x08, _): return .test(data)
        case (0x28, 0): return .flowOn
        case (0x18, 0): return .flowOff
        case (0x38, 2), (0x38, 3):
            return .modemStatus(
                dlci: data[0] >> 2, signals: data[1],
                breakSignal: data.count == 3 ? data[2] : nil)
        case (0x04, 1): return .notSupported(data[0] >> 2)
        default: return .other(type: type, data)
        }
    }

    /// The data after type and length.
    public var data: [UInt8] {
        switch content {
        case .negotiation(let requested):
            var data = [requested.dlci, requested.convergence << 4, requested.priority, 0]
            data.append(littleEndian: requested.frameSize)
            return data + [0, requested.credits]
        case .test(let data), .other(_, let data): return data
        case .flowOn, .flowOff: return []
        case .modemStatus(let dlci, let signals, let breakSignal):
            return [dlci << 2 | 3, signals] + (breakSignal.map { [$0] } ?? [])
        case .notSupported(let type): return [type << 2 | 1]
        }
    }

    /// The command on the wire, which is the payload of a frame of channel 0.
    public var bytes: [UInt8] {
        var bytes = [type << 2 | (isCommand ? 2 : 0) | 1]
        bytes.append(extensibleLength: data.count)
        return bytes + data
    }
}

extension ByteReader {
    /// Consumes a length of seven bits, or of fifteen if the lowest bit of the first byte is 0
    /// (TS 07.10 5.2.1.4).
    @_lifetime(self: copy self)
    mutating func extensibleLength(_ field: StaticString) throws(DecodeError) -> Int {
        let first = try uint8(field)
        let low = Int(first >> 1)
        return first & 1 == 1 ? low : low | Int(try uint8(field)) << 7
    }
}

extension [UInt8] {
    /// Appends a length of seven or fifteen bits.
    mutating func append(extensibleLength length: Int) {
        if length < 0x80 {
            append(UInt8(clamping: length << 1 | 1))
        } else {
            append(UInt8(truncatingIfNeeded: length << 1) & 0xFE)
            append(UInt8(truncatingIfNeeded: length >> 7))
        }
    }
}
