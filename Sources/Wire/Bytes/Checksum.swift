/// Cyclic redundancy checks, bit by bit: for the short messages of suites, not for captures.
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

    /// That of Ethernet, gzip and PNG (ISO 3309).
    public static let crc32 = CyclicCheck(
        32, 0x04C1_1DB7, initial: 0xFFFF_FFFF, isReflected: true, final: 0xFFFF_FFFF)

    /// The checks of 16 bits by their usual names (catalogue of parametrised CRC algorithms).
    public static let crc16: [String: CyclicCheck] = [
        "arc": CyclicCheck(16, 0x8005, initial: 0, isReflected: true, final: 0),
        "modbus": CyclicCheck(16, 0x8005, initial: 0xFFFF, isReflected: true, final: 0),
        "ccitt": CyclicCheck(16, 0x1021, initial: 0xFFFF, isReflected: false, final: 0),
        "xmodem": CyclicCheck(16, 0x1021, initial: 0, isReflected: false, final: 0),
        "kermit": CyclicCheck(16, 0x1021, initial: 0, isReflected: true, final: 0),
        "x25": CyclicCheck(16, 0x1021, initial: 0xFFFF, isReflected: true, final: 0xFFFF),
    ]

    /// The check of bytes; linear.
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
