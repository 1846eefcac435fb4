/// Bluetooth as hosts and controllers exchange it (HCI): packets, logical links, serial channels.
///
/// References are to the Bluetooth Core Specification 5.4 (volume, part, section), to RFCOMM 1.2,
/// and to 3GPP TS 07.10 for its frames. Fields carry Wireshark's names.
public enum Bluetooth {
    /// Limits of the decoders, so that no input makes them hold more memory than they should.
    public enum Limits {
        /// Most bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4096
        /// Signalled channels of one link that are followed at a time.
        public static let channels = 256
    }

    /// A device, as far as the capture tells which one it is.
    public enum Node: Sendable, Hashable, CustomStringConvertible {
        /// By its address, the lower 48 bits.
        case address(UInt64)
        /// The capturing host's own controller of that number, whose address was not captured.
        case adapter(UInt16)
        /// The device at the other end of a link that was set up before the capture.
        case handle(UInt16, adapter: UInt16)

        /// Parses six bytes in hexadecimal with colons; `nil` for anything else.
        public init?(address text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
            let bytes = parts.compactMap { UInt8($0, radix: 16) }
            guard bytes.count == 6 else { return nil }
            self = .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }

        /// `00:1a:7d:da:71:13`, `hci0`, `hci0/11`.
        public var description: String {
            switch self {
            case .adapter(let number): "hci\(number)"
            case .handle(let handle, let adapter): "hci\(adapter)/\(handle)"
            case .address(let address):
                stride(from: 40, through: 0, by: -8).map { shift in
                    let digits = String(address >> UInt64(shift) & 0xFF, radix: 16)
                    return digits.count < 2 ? "0\(digits)" : digits
                }.joined(separator: ":")
            }
        }
    }

    /// A channel between two devices.
    public enum Channel: Sendable, Hashable {
        /// A logical link channel, by its id at the receiver.
        case l2cap(UInt16)
        /// A serial channel, by its server channel, 1 to 30; 0 is the multiplexer's own.
        case rfcomm(UInt8)

        /// Its number.
        public var number: UInt16 {
            switch self {
            case .l2cap(let id): id
            case .rfcomm(let number): UInt16(number)
            }
        }
    }
}

extension ByteReader {
    /// Consumes a 16-bit number, least significant byte first.
    @_lifetime(self: copy self)
    mutating func littleEndian16(_ field: StaticString = "") throws(DecodeError) -> UInt16 {
        try uint16(field).byteSwapped
    }

    /// Consumes a device address, least significant byte first.
    @_lifetime(self: copy self)
    mutating func bluetoothAddress(_ field: StaticString = "") throws(DecodeError) -> UInt64 {
        try array(6, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Appends a 16-bit number, least significant byte first.
    mutating func append(littleEndian number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(number >> 8))
    }
}
