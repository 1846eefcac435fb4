import Wire

/// SmartDeviceLink: frames, control frames and RPCs between an app and a head unit.
///
/// Protocol specification 5.4.1 and RPC specification 8.0.0.
public enum SDL {
    /// The limits of the decoder, which bound its memory for any input.
    public enum Limits {
        /// The largest payload of one frame in bytes.
        ///
        /// It is well above the 131072 of the specification, so that a frame which is merely too
        /// long is decoded and reported as such.
        public static let framePayload = 1 << 20
        /// The largest payload of a control frame in bytes.
        ///
        /// The longest that is defined stays below one kilobyte.
        public static let controlPayload = 1 << 16
        /// The maximum number of bytes in all unfinished multi-frame messages of one direction.
        ///
        /// It is larger than any file that real apps put in one request.
        public static let bufferedBytes = 1 << 26
        /// The maximum number of unfinished multi-frame messages in one direction.
        ///
        /// Real peers send a handful, one for each service.
        public static let partialMessages = 32
        /// The maximum number of services of a connection whose frame size limits are kept.
        static let frameLimits = 32
        /// The maximum number of bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4096
        /// The maximum number of frames of one message whose sizes are listed.
        ///
        /// It is the number of one-kilobyte frames in `bufferedBytes`. The largest size is known
        /// for all.
        public static let frameSizes = 1 << 16
        /// The room that is allocated at once for an incomplete frame.
        ///
        /// It is more than most frames need, because a length in the capture is untrusted.
        static let gatheredRoom = 4096
    }

    /// The versions of the protocol whose frame header is defined.
    static let versions: ClosedRange<UInt8> = 1...5

    /// Returns the largest payload that the specification's table (2.4) allows in frames of a
    /// version.
    static func maximumPayload(version: UInt8) -> Int { version <= 2 ? 1488 : 131_072 }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol], screenedField: { screenedField($0) })

    /// A registry of SDL alone, for code that uses no other protocol.
    public static let registry = ProtocolRegistry([module])

    /// The recognition and decoding of SDL in byte streams.
    public static let streamProtocol = StreamProtocol(
        name: "sdl", carriers: [.tcp, .webSocket, .externalAccessory, .rfcomm],
        headerReader: FrameHeaderReader.self, recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { _ in Directions() })

    /// Returns whether a control frame may open one direction of a connection.
    ///
    /// These are the service's start and its answers, and the same for a secondary transport.
    private static func opens(_ frame: ControlFrame) -> Bool {
        switch frame {
        case .startService, .startServiceACK, .startServiceNAK, .registerSecondaryTransport,
            .registerSecondaryTransportACK, .registerSecondaryTransportNAK:
            true
        default: false
        }
    }

    /// Returns whether the first bytes of a direction are an SDL frame that may come first.
    ///
    /// According to the specification a connection begins with a version-1 header. Real test
    /// drivers begin with the header of a later version, so that is recognised too.
    static func recognises(_ bytes: RawSpan) -> Bool? {
        let start = bytes.extracting(first: Header.shortSize)
        let count = start.byteCount
        guard count > 0 else { return nil }
        func byte(_ offset: Int) -> UInt8 {
            start.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        }
        let first = SDLPackedHeader(firstByte: byte(0))
        guard versions.contains(first.version), first.frameType == FrameType.control.rawValue else {
            return false
        }
        if count > 1, ServiceType(rawValue: byte(1)) == nil { return false }
        if count > 2 {
            guard let frame = ControlFrame(rawValue: byte(2)), opens(frame) else { return false }
        }
        if count > 4, byte(4) != 0 { return false }
        if count > 5, byte(5) != 0 { return false }
        return count < Header.shortSize ? nil : true
    }
}
