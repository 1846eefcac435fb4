import Wire

/// HTTP/1.1: requests and responses on one connection (RFC 9110 and 9112).
public enum HTTP {
    /// Limits of the decoder, which bound its memory for any input.
    public enum Limits {
        /// The longest head, in bytes; common servers accept half of it.
        public static let head = 1 << 16
        /// The longest body that is kept, in bytes; only the length of a longer one is known.
        public static let body = 1 << 24
        /// The longest line with the size of a chunk, in bytes.
        public static let chunkLine = 4_096
        /// The longest trailer section, in bytes.
        public static let trailers = 1 << 14
        /// The largest number of requests that wait for their responses.
        ///
        /// With more of them, it is unknown which response answers which request.
        public static let openRequests = 1_024
        /// How many bytes may follow a request for another protocol before it is answered.
        public static let early = 1 << 16
        /// The largest number of bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4_096
        /// The number of first bytes of a direction after which a head without an end counts as
        /// HTTP.
        static let recognition = 4_096
    }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol])

    /// HTTP as a protocol over byte streams.
    ///
    /// It is queried after WebSocket and the protocols carried over it, and leaves their handshakes
    /// to them.
    public static let streamProtocol = StreamProtocol(
        name: "http", recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { ConnectionDecoder(of: $0) })

    /// The methods for which a stream is held back until its first line is complete.
    private static let methods =
        ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE "]
        .map { Array($0.utf8) }
    private static let response = Array("HTTP/1.".utf8)

    /// Whether the first bytes of a direction are an HTTP message.
    ///
    /// They are if a complete first line ends or begins with the version. Fewer bytes are held back
    /// only if they begin with a known method and a blank, so that other text protocols are not.
    static func recognises(_ bytes: RawSpan) -> Bool? {
        let front = [UInt8](copying: bytes.extracting(first: Limits.recognition))
        guard let end = front.firstIndex(of: 10) else {
            let isHeldBack =
                methods.contains { front.starts(with: $0) } || front.starts(with: response)
            return isHeldBack && front.count < Limits.recognition ? nil : false
        }
        guard let start = startLine(front[..<end]) else { return false }
        switch start {
        case .request("GET", _), .response(101, _): break
        default: return true
        }
        // Only the complete head shows that it is not the handshake of a WebSocket.
        if headLength(front[...]) == nil, front.count < Limits.recognition { return nil }
        return true
    }

    /// The first line of a message, with or without its CR; `nil` if it is not one.
    ///
    /// - Parameter isExpected: Whether a message must begin here. The method is then any token (RFC
    ///   9110 9.1), and otherwise of capital letters and hyphens, as the registered ones.
    static func startLine(
        _ line: ArraySlice<UInt8>, isExpected: Bool = false
    ) -> HTTPHead.Start? {
        let line = line.last == 13 ? line.dropLast() : line
        do throws(DecodeError) {
            let start = try HTTPHead.start(String(decoding: line, as: UTF8.self)[...]).0
            guard !isExpected, case .request(let method, _) = start else { return start }
            return isUsual(method) ? start : nil
        } catch {
            return nil
        }
    }

    private static func isUsual(_ method: String) -> Bool {
        method.utf8.count <= 32 && method.utf8.first.map { (65...90).contains($0) } == true
            && method.utf8.allSatisfy { (65...90).contains($0) || $0 == 45 || $0 == 95 }
    }

    /// The length of the head at the start with its empty line; `nil` while that line is missing.
    ///
    /// - Parameter known: How many of the bytes are known not to contain the end of a head.
    static func headLength(_ bytes: ArraySlice<UInt8>, after known: Int = 0) -> Int? {
        var place = bytes.startIndex + max(0, known - 2)
        while place < bytes.endIndex {
            guard let end = bytes[place...].firstIndex(of: 10) else { return nil }
            let rest = bytes[(end + 1)...].prefix(2)
            if rest.first == 10 { return end + 2 - bytes.startIndex }
            if rest.elementsEqual([13, 10]) { return end + 3 - bytes.startIndex }
            place = end + 1
        }
        return nil
    }
}
