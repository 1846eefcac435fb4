import Wire

/// iAP2: how an accessory and a phone talk: a link of numbered packets, and sessions on it.
///
/// There is no public specification. What is read here was confirmed in bridgething
/// (github.com/JoeyEamigh/bridgething, MIT, crates/iap2) unless a comment says that it is uncertain;
/// what is not known is shown by its numbers.
public enum IAP2 {
    /// Limits of the decoder, so that no input makes it hold more memory than it should.
    public enum Limits {
        /// Most bytes that a malformed message keeps as a sample of what could not be decoded.
        public static let malformedSample = 4096
        /// Bytes passed over in search of a packet before they are reported: one longest packet.
        public static let skippedBytes = 1 << 16
        /// External Accessory sessions of one connection whose streams are followed at a time;
        /// apps hold a handful.
        public static let sessions = 64
        /// Parameters of one message that are shown.
        public static let parameters = 1024
    }

    /// What both sides send first, to find out whether the other one knows iAP2.
    public static let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]

    /// Where what is known of the protocol can be read.
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

    /// The byte that makes the sum of bytes with it 0 modulo 256.
    public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        0 &- bytes.reduce(0, &+)
    }
}
