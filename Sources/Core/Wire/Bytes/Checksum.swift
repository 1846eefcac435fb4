/// Cyclic redundancy checks, computed bit by bit: for short messages of suites, not for captures.
public struct CyclicCheck: Sendable {
    private let width: Int
    private let polynomial: UInt32
    private let initial: UInt32
    private let isReflected: Bool
    private let final: UInt32

    private init(
        _ width: Int, _ polynomial: UInt32, initial: UInt32, isReflected: Bool, final: UInt32
    ) {
        self.width = width
        self.polynomial = polynomial
        self.initial = initial
        self.isReflected = isReflected
        self.final = final
    }

    /// The CRC of Ethernet, gzip and PNG (ISO 3309).
    public static let crc32 = CyclicCheck(
        32, 0x04C1_1DB7, initial: 0xFFFF_FFFF, isReflected: true, final: 0xFFFF_FFFF)

    /// The CRC of iSCSI and SCTP (RFC 3720).
    static let crc32c = CyclicCheck(
        32, 0x1EDC_6F41, initial: 0xFFFF_FFFF, isReflected: true, final: 0xFFFF_FFFF)

    /// The CRC of SMBus.
    static let crc8 = CyclicCheck(8, 0x07, initial: 0, isReflected: false, final: 0)

    /// The 16-bit checks by their usual names (catalogue of parametrised CRC algorithms).
    public static let crc16: [String: CyclicCheck] = [
        "arc": CyclicCheck(16, 0x8005, initial: 0, isReflected: true, final: 0),
        "modbus": CyclicCheck(16, 0x8005, initial: 0xFFFF, isReflected: true, final: 0),
        "ccitt": CyclicCheck(16, 0x1021, initial: 0xFFFF, isReflected: false, final: 0),
        "xmodem": CyclicCheck(16, 0x1021, initial: 0, isReflected: false, final: 0),
        "kermit": CyclicCheck(16, 0x1021, initial: 0, isReflected: true, final: 0),
        "x25": CyclicCheck(16, 0x1021, initial: 0xFFFF, isReflected: true, final: 0xFFFF),
    ]

    /// Returns the check value of bytes, in linear time.
    public func value(of bytes: [UInt8]) -> UInt32 {
        let top = UInt32(1) << (width - 1)
        let mask = top | (top - 1)
        var register = initial
        for byte in bytes {
            let input = isReflected ? Self.reversed(UInt32(byte), 8) : UInt32(byte)
            register ^= input << (width - 8)
            for _ in 0..<8 {
                let isSet = register & top != 0
                register = (register << 1) & mask
                if isSet { register ^= polynomial }
            }
        }
        return (isReflected ? Self.reversed(register, width) : register) ^ final
    }

    private static func reversed(_ bits: UInt32, _ count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 << 1 | bits >> $1 & 1 }
    }
}

/// The checksums that a description can name.
public enum ChecksumKind: String, Sendable, Hashable, CaseIterable {
    /// The sum of all bytes, modulo 256 or 65,536.
    case sum8, sum16
    /// The value that makes the sum of all bytes a multiple of 256.
    case complement8
    /// Exclusive or of all bytes.
    case xor8
    /// The checksum of IP, ICMP, UDP and TCP (RFC 1071).
    case internet
    /// The checksum of zlib (RFC 1950).
    case adler32
    /// Cyclic checks; the 16-bit ones have the names that `crc16` of suites accepts.
    case crc8, crc32, crc32c
    case arc = "crc16-arc"
    case modbus = "crc16-modbus"
    case ccitt = "crc16-ccitt"
    case xmodem = "crc16-xmodem"
    case kermit = "crc16-kermit"
    case x25 = "crc16-x25"

    /// Returns the checksum of bytes, in linear time.
    public func value(of bytes: [UInt8]) -> UInt32 {
        switch self {
        case .sum8: return UInt32(bytes.reduce(UInt8(0), &+))
        case .sum16: return UInt32(bytes.reduce(UInt16(0)) { $0 &+ UInt16($1) })
        case .complement8: return UInt32(0 &- bytes.reduce(UInt8(0), &+))
        case .xor8: return UInt32(bytes.reduce(UInt8(0), ^))
        case .internet:
            var sum: UInt32 = 0
            for (index, byte) in bytes.enumerated() {
                sum += index.isMultiple(of: 2) ? UInt32(byte) << 8 : UInt32(byte)
                sum = (sum & 0xFFFF) + sum >> 16
            }
            return ~sum & 0xFFFF
        case .adler32:
            var (low, high): (UInt32, UInt32) = (1, 0)
            for byte in bytes {
                low = (low + UInt32(byte)) % 65_521
                high = (high + low) % 65_521
            }
            return high << 16 | low
        case .crc8: return CyclicCheck.crc8.value(of: bytes)
        case .crc32: return CyclicCheck.crc32.value(of: bytes)
        case .crc32c: return CyclicCheck.crc32c.value(of: bytes)
        case .arc, .modbus, .ccitt, .xmodem, .kermit, .x25:
            return CyclicCheck.crc16[String(rawValue.dropFirst(6))]?.value(of: bytes) ?? 0
        }
    }
}
