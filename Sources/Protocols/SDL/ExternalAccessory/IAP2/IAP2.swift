import Wire

/// iAP2: the protocol of an accessory and a phone, with a link of numbered packets and sessions.
///
/// There is no public specification. The decoder follows what was confirmed in bridgething
/// (github.com/JoeyEamigh/bridgething, MIT, crates/iap2) unless a comment says that it is
/// uncertain. Unknown parts are shown by their numbers.
public enum IAP2 {
    /// Limits of the decoder, which bound its memory for any input.
    public enum Limits {
        /// The largest number of bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4096
        /// How many bytes are skipped in search of a packet before they are reported: one longest
        /// packet.
        public static let skippedBytes = 1 << 16
        /// How many External Accessory sessions of one connection are followed at the same time.
        ///
        /// Apps have a handful.
        public static let sessions = 64
        /// How many parameters of one message are shown.
        public static let parameters = 1024
    }

    /// The bytes that both sides send first, to find out whether the other side supports iAP2.
    public static let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]

    /// The reference for what is known of the protocol.
    static let citation = "iAP2 as in github.com/JoeyEamigh/bridgething"

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol])

    /// iAP2 as a protocol over byte streams.
    public static let streamProtocol = StreamProtocol(
        name: "iap2", carriers: [.tcp, .rfcomm], recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { ConnectionDecoder(of: $0) })

    /// Whether the first bytes of a direction are a detection sequence or a packet.
    static func recognises(_ bytes: RawSpan) -> Bool? {
        let start = [UInt8](copying: bytes.extracting(first: PacketHeader.size))
        if detection.starts(with: start) || start.starts(with: detection) {
            return start.count < detection.count ? nil : true
        }
        guard PacketHeader.mark.starts(with: start.prefix(2)) else { return false }
        guard start.count == PacketHeader.size else { return nil }
        return PacketHeader(start[...]) != nil
    }

    /// Returns the byte with which the sum of the bytes is 0 modulo 256.
    public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        0 &- bytes.reduce(0, &+)
    }
}
