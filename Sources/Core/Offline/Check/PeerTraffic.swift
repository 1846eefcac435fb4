import TCPIP
import Trace
import Wire

/// What the peers' own sockets sent in a case, as the metadata of a capture records it.
///
/// It is written into comments of the section header, one line for each connection (`tcp`) and
/// for the datagrams between two ends (`udp`): the ends of the peer and of the other party, then
/// the digests.
public struct PeerTraffic: Sendable, Hashable {
    /// The two ends of what a peer sent.
    public struct Ends: Sendable, Hashable {
        /// The peer's end.
        public let own: Endpoint
        /// The other party's end.
        public let other: Endpoint

        /// Creates a pair of ends.
        public init(own: Endpoint, other: Endpoint) {
            self.own = own
            self.other = other
        }
    }

    /// The digests of each connection between two ends, in the order in which they were opened.
    public private(set) var streams: [Ends: [[StreamDigest.Mark]]] = [:]
    /// The datagrams between two ends, in the order in which they were sent.
    public private(set) var datagrams: [Ends: [Datagram]] = [:]

    /// A datagram.
    public struct Datagram: Sendable, Hashable {
        /// The digest of its payload.
        public let digest: UInt64
        /// When it was about to be sent, in nanoseconds since 1970; 0 if that is not recorded.
        public let time: Int64

        /// Creates a datagram from its parts.
        public init(digest: UInt64, time: Int64 = 0) {
            self.digest = digest
            self.time = time
        }
    }

    private static let prefix = "conform-sent:"
    /// A comment in pcapng holds 65,535 bytes.
    private static let commentBytesMax = 60_000
    /// The datagrams of one line.
    private static let lineDigestsMax = 1_000

    /// Creates a record of peers that sent nothing.
    public init() {}

    /// Adds a connection.
    public mutating func add(stream marks: [StreamDigest.Mark], between ends: Ends) {
        streams[ends, default: []].append(marks)
    }

    /// Adds datagrams.
    public mutating func add(datagrams all: [Datagram], between ends: Ends) {
        datagrams[ends, default: []] += all
    }

    /// The comments; at least one.
    var comments: [String] {
        var comments = [Self.prefix]
        for line in lines.sorted() {
            if comments[comments.count - 1].utf8.count + line.utf8.count > Self.commentBytesMax {
                comments.append(Self.prefix)
            }
            comments[comments.count - 1] += "\n" + line
        }
        return comments
    }

    /// The lines; those of one pair of ends are numbered, so that their order is kept.
    private var lines: [String] {
        var lines: [String] = []
        for (ends, all) in streams {
            for (number, marks) in all.enumerated() {
                let words = marks.map { "\($0.count):\(Self.text($0.digest))" }
                lines.append(Self.line("tcp", ends, number, words))
            }
        }
        for (ends, all) in datagrams {
            for start in stride(from: 0, to: all.count, by: Self.lineDigestsMax) {
                let words = all[start...].prefix(Self.lineDigestsMax).map {
                    "\(Self.text($0.digest))@\($0.time)"
                }
                lines.append(Self.line("udp", ends, start, words))
            }
        }
        return lines
    }

    private static func line(_ kind: String, _ ends: Ends, _ number: Int, _ words: [String])
        -> String
    {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        return ([kind, text(ends.own), text(ends.other), padded] + words).joined(separator: " ")
    }

    private static func text(_ digest: UInt64) -> String { String(digest, radix: 16) }

    private static func text(_ end: Endpoint) -> String { "\(end.address)/\(end.port)" }

    /// Reads the comments of a section header; `nil` if none of them records what peers sent.
    init?(comments: [String]) throws(CheckError) {
        let own = comments.filter { $0.hasPrefix(Self.prefix) }
        guard !own.isEmpty else { return nil }
        for line in own.joined(separator: "\n").split(separator: "\n")
        where !line.hasPrefix(Self.prefix) {
            guard consume(line.split(separator: " ")) else {
                throw CheckError(
                    description: "a line of what the peers sent is damaged: \(line.prefix(80))")
            }
        }
    }

    private mutating func consume(_ words: [Substring]) -> Bool {
        guard words.count >= 4, let own = Self.end(words[1]), let other = Self.end(words[2])
        else { return false }
        let ends = Ends(own: own, other: other)
        switch words[0] {
        case "tcp":
            var marks: [StreamDigest.Mark] = []
            for word in words[4...] {
                let parts = word.split(separator: ":")
                guard parts.count == 2, let count = Int(parts[0]), count > 0,
                    let digest = UInt64(parts[1], radix: 16), count > marks.last?.count ?? 0
                else { return false }
                marks.append(StreamDigest.Mark(count: count, digest: digest))
            }
            add(stream: marks, between: ends)
        case "udp":
            let all = words[4...].map(Self.datagram)
            guard !all.contains(nil) else { return false }
            add(datagrams: all.compactMap(\.self), between: ends)
        default: return false
        }
        return true
    }

    private static func datagram(_ text: Substring) -> Datagram? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let digest = parts.first.flatMap({ UInt64($0, radix: 16) }) else { return nil }
        guard parts.count > 1 else { return Datagram(digest: digest) }
        guard parts.count == 2, let time = Int64(parts[1]) else { return nil }
        return Datagram(digest: digest, time: time)
    }

    private static func end(_ text: Substring) -> Endpoint? {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = IPAddress(String(parts[0])),
            let port = UInt16(parts[1])
        else { return nil }
        return Endpoint(address: address, port: port)
    }
}
