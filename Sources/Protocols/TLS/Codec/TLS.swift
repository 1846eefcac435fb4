import Wire

/// TLS 1.0 to 1.3 over byte streams (RFC 2246, 4346, 5246, 8446), decrypted with a key log.
///
/// It is a layer between a carrier and what the carrier carries: records become messages, and
/// decrypted data is passed on to the protocols that TCP carries.
public enum TLS {
    /// Limits of the decoder, which bound its memory for any input.
    enum Limits {
        /// The longest payload of a record, in bytes (RFC 5246 6.2.3).
        static let record = 16_384 + 2_048
        /// The longest handshake message, in bytes; programs accept 100 KiB of certificates.
        static let handshake = 1 << 18
        /// The number of certificates of a chain that are read.
        static let certificates = 32
        /// The number of entries of a list in a hello that are read.
        static let entries = 1_024
        /// The number of first bytes of malformed data that a message keeps.
        static let sample = 4_096
    }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule([description], streamProtocols: [streamProtocol])

    /// TLS as a protocol over byte streams.
    public static let streamProtocol = StreamProtocol(
        name: name, recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { Decoder(of: $0, carrying: nil) },
        carrying: { known, beginsPlain in
            StreamProtocol(
                name: name, idle: known.idle, recognises: { _, _ in false },
                makeConnectionDecoder: { stack in
                    if beginsPlain { return UpgradeDecoder(of: stack, carrying: known) }
                    return Decoder(of: stack, carrying: known)
                })
        })

    static let name = "tls"

    /// Whether the first bytes of a direction are a record with a ClientHello or a ServerHello.
    ///
    /// The hello must fit the record's length or be fragmented; its own version must be one of TLS.
    static func recognises(_ bytes: RawSpan) -> Bool? {
        let front = [UInt8](copying: bytes.extracting(first: 11))
        /// The allowed values of each byte: content type, version, length, message type and length,
        /// version.
        let allowed: [ClosedRange<UInt8>] = [
            22...22, 3...3, 0...4, 0...0x48, 0...255, 1...2, 0...3, 0...255, 0...255, 3...3, 0...4,
        ]
        for (byte, range) in zip(front, allowed) where !range.contains(byte) { return false }
        guard front.count == allowed.count else { return nil }
        let length = Int(front[3]) << 8 | Int(front[4])
        let hello = Int(front[6]) << 16 | Int(front[7]) << 8 | Int(front[8])
        // A hello has at least version, random, an empty session identifier and one suite.
        return length >= 4 && length <= Limits.record && hello >= 38
    }
}
