import Wire

/// HTTP/1.1: requests and responses on one connection (RFC 9110 and 9112).
public enum HTTP {
    /// Limits of the decoder, so that no input makes it hold more memory than it should.
    public enum Limits {
        /// Longest head, in bytes; common servers accept half of it.
        public static let head = 1 << 16
        /// Longest body that is kept, in bytes; of a longer one only the length is known.
        public static let body = 1 << 24
        /// Longest line that says the size of a chunk, in bytes.
        public static let chunkLine = 4_096
        /// Longest trailer section, in bytes.
        public static let trailers = 1 << 14
        /// Most requests that wait for their responses; with more of them it is not known which
        /// response answers which request.
        public static let openRequests = 1_024
        /// Bytes that may follow a request for another protocol before it is answered.
        public static let early = 1 << 16
        /// Most bytes that a malformed message keeps as a sample.
        public static let malformedSample = 4_096
        /// First bytes of a direction after which a head without an end counts as one of HTTP.
        static let recognition = 4_096
    }

    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [streamProtocol])

    /// HTTP as a protocol over byte streams.
    ///
    /// It is asked after WebSocket and what rides on that, and leaves their handshakes to them.
    public static let streamProtocol = StreamProtocol(
        name: "http", recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { ConnectionDecoder(of: $0) })

    /// Methods by which a stream is held back until its first line is whole.
    private static let methods =
        ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE "]
        .map { Array($0.utf8) }
    private static let response = Array("HTTP/1.".utf8)

    /// Whether the first bytes of a direction are a message of HTTP.
    ///
    /// A whole first line that ends with the version is, or that begins with it. Fewer bytes are held back
    /// only if they begin with a known method and a blank, so that other protocols of text are not.
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
        // Only the whole head shows that it is no handshake of a WebSocket.
        if headLength(front[...]) == nil, front.count < Limits.recognition { return nil }
        return true
    }

    /// The first line of a message, with its CR or without; `nil` if it is none.
    static func startLine(_ line: ArraySlice<UInt8>) -> HTTPHead.Start? {
        let line = line.last == 13 ? line.dropLast() : line
        guard let first = line.first, (65...90).contains(first) else { return nil }
        do throws(DecodeError) {
            return try HTTPHead.start(String(decoding: line, as: UTF8.self)[...]).0
        } catch {
            return nil
        }
    }

    /// How many bytes the head at the front takes with its empty line; `nil` while that has not come.
    ///
    /// - Parameter known: So many of the bytes hold no end of a head.
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
