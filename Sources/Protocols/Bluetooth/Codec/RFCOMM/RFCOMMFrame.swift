import Wire

/// A frame of Bluetooth's serial port emulation (TS 07.10 5.2, RFCOMM 1.2).
public struct RFCOMMFrame: Sendable, Hashable {
    /// The kind of frame.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// Opens a channel.
        case sabm = 0x2F
        /// Accepts an SABM or DISC.
        case ua = 0x63
        /// There is no such channel.
        case dm = 0x0F
        /// Ends a channel.
        case disc = 0x43
        /// Data, or a command of the multiplexer.
        case uih = 0xEF

        /// The name.
        public var name: String {
            switch self {
            case .sabm: "SABM"
            case .ua: "UA"
            case .dm: "DM"
            case .disc: "DISC"
            case .uih: "UIH"
            }
        }
    }

    /// The kind.
    public var kind: Kind
    /// The channel: the server channel in the upper five bits, the direction in the lowest; 0 is
    /// the multiplexer.
    public var dlci: UInt8
    /// Whether it is a command; the meaning depends on which side opened the session.
    public var isCommand: Bool
    /// The poll or final bit; in data frames it means that credits come first.
    public var isPolled: Bool
    /// The credits for the other side; `nil` for none (RFCOMM 1.2, 6.5).
    public var credits: UInt8?
    /// The payload.
    public var payload: [UInt8]

    /// Creates a frame; one with credits has the poll bit.
    public init(
        _ kind: Kind, dlci: UInt8, isCommand: Bool = true, isPolled: Bool? = nil,
        credits: UInt8? = nil, payload: [UInt8] = []
    ) {
        self.kind = kind
        self.dlci = dlci & 0x3F
        self.isCommand = isCommand
        self.isPolled = isPolled ?? (kind != .uih || credits != nil)
        self.credits = credits
        self.payload = payload
    }

    /// The server channel.
    public var channel: UInt8 { dlci >> 1 }

    /// Reads a frame.
    ///
    /// - Throws: `.truncated`, `.badValue` for an unknown kind, `.badLength` for bytes after it,
    ///   `.badChecksum`.
    public init(parsing bytes: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(bytes.span.bytes, unit: "btrfcomm")
        let address = try reader.uint8("address")
        guard address & 1 == 1 else {
            throw DecodeError(.badValue, in: "btrfcomm.ea", at: 0, "an address of several bytes")
        }
        let control = try reader.uint8("control")
        guard let kind = Kind(rawValue: control & 0xEF) else {
            throw DecodeError(
                .badValue, in: "btrfcomm.frame_type", at: 1, "frame type \(control & 0xEF)")
        }
        let length = try reader.extensibleLength("len")
        let headerSize = reader.offset
        self.init(
            kind, dlci: address >> 2, isCommand: address & 2 != 0,
            isPolled: control & 0x10 != 0)
        // The length does not count the credits (RFCOMM 1.2, 6.5.2).
        if kind == .uih, isPolled, dlci != 0 { credits = try reader.uint8("credits") }
        payload = try reader.array(length, "payload")
        let sum = try reader.uint8("fcs")
        let summed = bytes.prefix(kind == .uih ? 2 : headerSize)
        guard sum == Self.checkSequence(summed) else {
            throw DecodeError(
                .badChecksum, in: "btrfcomm.fcs", at: reader.offset - 1,
                "\(sum), expected \(Self.checkSequence(summed))")
        }
        guard reader.remaining == 0 else {
            throw DecodeError(
                .badLength, in: "btrfcomm", at: reader.offset,
                "\(reader.remaining) byte(s) after the frame")
        }
    }

    /// The frame on the wire.
    public var bytes: [UInt8] {
        let address = dlci << 2 | (isCommand ? 2 : 0) | 1
        var bytes = [address, kind.rawValue | (isPolled ? 0x10 : 0)]
        bytes.append(extensibleLength: payload.count)
        let sum = Self.checkSequence(bytes.prefix(kind == .uih ? 2 : bytes.count))
        if let credits { bytes.append(credits) }
        return bytes + payload + [sum]
    }

    /// Returns the frame check sequence (TS 07.10 5.2.1.6).
    ///
    /// It is the complement of a CRC with x^8 + x^2 + x + 1, least significant bit first, that
    /// starts with ones.
    static func checkSequence(_ bytes: some Sequence<UInt8>) -> UInt8 {
        var register: UInt8 = 0xFF
        for byte in bytes {
            register ^= byte
            for _ in 0..<8 {
                register = register & 1 == 1 ? register >> 1 ^ 0xE0 : register >> 1
            }
        }
        return 0xFF - register
    }
}
