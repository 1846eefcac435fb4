/// Follows the records of a TLS connection until its handshake has finished.
///
/// Nothing is decrypted. Up to TLS 1.2 both sides send ChangeCipherSpec and then Finished, the first
/// handshake record after it (RFC 5246 7.3). In TLS 1.3 the client's Finished is its first encrypted
/// record after the ServerHello that is not an alert (RFC 8446 2, 5.1). Early data of a resumed
/// session, which is sent before the ServerHello, does not count.
///
/// Memory is bounded: at most `helloBytesMax` bytes are kept of each direction.
public struct TLSHandshake: Sendable, Hashable {
    /// The progress of the handshake.
    public enum Progress: Sendable, Hashable {
        case running
        case finished
        /// The bytes are not TLS records, or bytes are missing: the progress can no longer be
        /// determined.
        case unknown
    }

    /// How many first bytes of a ServerHello are kept: up to its cipher suite, which follows a
    /// session identifier of at most 32 bytes (RFC 8446 4.1.3).
    private static let helloBytesMax = 73
    private static let headerLength = 5
    /// The longest payload of a record (RFC 5246 6.2.3).
    private static let recordLengthMax = 16_384 + 2_048
    /// The length of the shortest encrypted Finished of TLS 1.3: a hash of 32 bytes, a header of 4,
    /// the content type and a tag of 16 bytes; an alert has 19.
    private static let finishedLengthMin = 53

    private enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
        static let all: ClosedRange<UInt8> = 20...24
    }

    /// One direction.
    private struct Stream: Sendable, Hashable {
        var header: [UInt8] = []
        /// How many bytes of the current record's payload are still missing.
        var rest = 0
        /// The first bytes of the first record's payload.
        var hello: [UInt8] = []
        var recordCount = 0
        var hasChangedCipher = false
        var isFinished = false
    }

    /// The progress so far.
    public private(set) var progress = Progress.running
    private var client = Stream()
    private var server = Stream()

    /// Creates a state at the first byte of a connection.
    public init() {}

    /// Takes the next bytes of one direction.
    public mutating func consume(_ bytes: [UInt8], fromClient isClient: Bool) {
        guard progress == .running else { return }
        var stream = isClient ? client : server
        var offset = 0
        while offset < bytes.count, progress == .running {
            if stream.header.count < Self.headerLength {
                stream.header.append(bytes[offset])
                offset += 1
                if stream.header.count == Self.headerLength {
                    begin(&stream)
                    if stream.rest == 0 { end(&stream, isClient: isClient) }
                }
                continue
            }
            let count = min(stream.rest, bytes.count - offset)
            if stream.recordCount == 0 {
                let wanted = min(count, Self.helloBytesMax - stream.hello.count)
                stream.hello += bytes[offset..<offset + wanted]
            }
            stream.rest -= count
            offset += count
            if stream.rest == 0 { end(&stream, isClient: isClient) }
        }
        if isClient { client = stream } else { server = stream }
    }

    /// Records that bytes are missing.
    public mutating func gap() {
        if progress == .running { progress = .unknown }
    }

    // MARK: - Keys

    /// Returns the random value of the ClientHello with which a segment begins; `nil` if it does not
    /// begin with one.
    ///
    /// It follows the headers of the record and the message, and the version (RFC 8446 4.1.2).
    public static func clientRandom(in bytes: RawSpan) -> [UInt8]? {
        let front = [UInt8](copying: bytes.extracting(first: 43))
        guard front.count == 43, front[0] == ContentType.handshake, front[1] == 3, front[5] == 1,
            front[9] == 3
        else { return nil }
        return Array(front[11...])
    }

    /// Returns whether a key log has everything that decrypts a connection, by the labels of its
    /// lines (draft-ietf-tls-keylogfile 2).
    public static func isWhole(_ labels: Set<String>) -> Bool {
        labels.contains("CLIENT_RANDOM")
            || labels.isSuperset(of: [
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET",
                "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0",
            ])
    }

    private mutating func begin(_ stream: inout Stream) {
        let header = stream.header
        stream.rest = Int(header[3]) << 8 | Int(header[4])
        guard ContentType.all.contains(header[0]), header[1] == 3,
            stream.rest <= Self.recordLengthMax
        else {
            progress = .unknown
            return
        }
    }

    private mutating func end(_ stream: inout Stream, isClient: Bool) {
        guard progress == .running else { return }
        let (type, length) = (stream.header[0], Int(stream.header[3]) << 8 | Int(stream.header[4]))
        stream.header.removeAll(keepingCapacity: true)
        stream.recordCount += 1
        switch type {
        case ContentType.changeCipherSpec: stream.hasChangedCipher = true
        case ContentType.handshake where stream.hasChangedCipher: stream.isFinished = true
        case ContentType.applicationData
        where isClient && server.recordCount > 0 && length >= Self.finishedLengthMin:
            if isVersion13 { progress = .finished }
        default: break
        }
        let other = isClient ? server : client
        if stream.isFinished, other.isFinished, !isVersion13(server: isClient ? other : stream) {
            progress = .finished
        }
    }

    private var isVersion13: Bool { isVersion13(server: server) }

    /// Whether the server chose a cipher suite of TLS 1.3 (RFC 8446 B.4).
    private func isVersion13(server: Stream) -> Bool {
        // Type, length, version and random come before the session identifier.
        let hello = server.hello
        guard hello.count > 38, hello[0] == 2 else { return false }
        let place = 39 + Int(hello[38])
        return place < hello.count && hello[place] == 0x13
    }
}
