import Wire

/// SmartDeviceLink: frames, control frames and RPCs between an app and a head unit.
///
/// Protocol specification 5.4.1 and RPC specification 8.0.0.
public enum SDL {
    /// Limits of the decoder, so that no input makes it hold more memory than it should.
    public enum Limits {
        /// Largest payload of one frame in bytes: well above the 131072 of the specification, so
        /// that a frame which is merely too long is decoded and reported as such.
        public static let framePayload = 1 << 20
        /// Largest payload of a control frame in bytes: the longest that is defined stays below
        /// one kilobyte.
        public static let controlPayload = 1 << 16
        /// Most bytes that unfinished multi-frame messages of one direction hold together: larger
        /// than any file that real apps put in one request.
        public static let bufferedBytes = 1 << 26
        /// Most multi-frame messages that may be unfinished at a time in one direction: real peers
        /// send a handful, one for each service.
        public static let partialMessages = 32
        /// Most services of a connection of which it is remembered how large their frames may be.
        static let frameLimits = 32
        /// Most bytes that a malformed message keeps as a sample of what could not be decoded.
        public static let malformedSample = 4096
        /// Most frames of one message whose sizes are listed, as many as `bufferedBytes` are in frames
        /// of a kilobyte; the largest is known of all.
        public static let frameSizes = 1 << 16
        /// Room that is made at once for a frame that is not whole: more than most frames have, as a
        /// length in the capture is not to be trusted.
        static let gatheredRoom = 4096
    }

    /// The versions of the protocol whose frame header is defined.
    static let versions: ClosedRange<UInt8> = 1...5

    /// Largest payload that a frame of a version should have by the specification's table (2.4).
    static func maximumPayload(version: UInt8) -> Int { version <= 2 ? 1488 : 131_072 }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol], screenedField: { screenedField($0) })

    /// SDL alone, for what speaks nothing else.
    public static let registry = ProtocolRegistry([module])

    /// How SDL is found in byte streams.
    public static let streamProtocol = StreamProtocol(
        name: "sdl", carriers: [.tcp, .webSocket, .externalAccessory, .rfcomm],
        headerReader: FrameHeaderReader.self, recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { _ in Directions() })

    /// Whether a control frame may open one direction of a connection: the service's start and its
    /// answers, and the same for a secondary transport.
    private static func opens(_ frame: ControlFrame) -> Bool {
        switch frame {
        case .startService, .startServiceACK, .startServiceNAK, .registerSecondaryTransport,
            .registerSecondaryTransportACK, .registerSecondaryTransportNAK:
            true
        default: false
        }
    }

    /// Whether the first bytes of a direction are an SDL frame that may come first.
    ///
    /// The specification begins with a version-1 header; real test drivers begin with the header of
    /// a later version, so that is recognised too.
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
