import Testing

@testable import BluetoothPeers

@Suite struct AES128Tests {
    /// FIPS 197, appendix C.1.
    @Test func encryptsTheExampleOfTheStandard() {
        let key = (0..<16).map { UInt8($0) }
        let block = (0..<16).map { UInt8($0 * 0x11) }
        let cipher: [UInt8] = [
            0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4,
            0xC5, 0x5A,
        ]
        #expect(AES128(key: key).encrypt(block) == cipher)
    }
}
