import FoundationEssentials
import Judge
import SuiteLanguage
import TCPIP
import Trace
import Wire

/// The metadata that `conform` writes into the section header of its captures.
///
/// It holds the case, the parties, what the harness did, and how the case ended. `conform check`
/// needs nothing else.
public struct CaseMetadata: Sendable, Codable, Hashable {
    /// A peer, and where it listened or from where it called.
    public struct Peer: Sendable, Codable, Hashable {
        /// Its name in the suite.
        public var name: String
        /// Its IP address, or its Bluetooth address if it was a Bluetooth device.
        public var address: String
        /// Its TCP port; 0 if it called the device from ephemeral ports.
        public var port: UInt16
        /// `udp` if it used UDP; `nil` for TCP, and in older captures.
        public var transport: String?
        /// The value of `transport` for UDP.
        package static let udp = "udp"
        /// The device that it served; `nil` for the one that every case has.
        public var device: String?

        /// Creates a peer.
        package init(
            name: String, address: String, port: UInt16, transport: String? = nil,
            device: String? = nil
        ) {
            self.name = name
            self.transport = transport
            self.address = address
            self.port = port
            self.device = device
        }
    }

    /// Something that the harness did to the device.
    public struct Event: Sendable, Codable, Hashable {
        /// The event's name, such as `device.background`.
        public var name: String
        /// Its fields as JSON.
        public var fields: String
        /// When it happened.
        public var time: Timestamp
        /// How many frames had been seen before it; it comes directly after the last of them.
        public var afterFrame: Int

        /// Creates an event.
        package init(name: String, fields: String, time: Timestamp, afterFrame: Int) {
            self.name = name
            self.fields = fields
            self.time = time
            self.afterFrame = afterFrame
        }
    }

    /// The version of `conform` that wrote the capture.
    public var conform: String
    /// The suite's id.
    public var suite: String
    /// The case's id with its matrix values.
    public var testCase: String
    /// The device's name.
    public var device: String
    /// The peers.
    public var peers: [Peer]
    /// When the case began: the device was about to be launched.
    public var start: Timestamp
    /// When judging ended.
    public var end: Timestamp
    /// Why judging ended.
    public var cause: EndCause
    /// Packets that the capture lost.
    public var dropped: Int
    /// By how much the machine's clock was set during the case; absent in older captures.
    public var clockStep: Duration?
    /// Findings outside the trace that make the case inconclusive; absent if there are none.
    public var inconclusiveFindings: [InconclusiveFinding]?
    /// Values of the suite's parameters as a JSON object; absent where the suite has none.
    public var parameters: String?
    /// How many times faster than its specification the device ran; absent for 1.
    public var timeScale: TimeScale?
    /// Whether each message of the device had to conform to its specification; absent if not.
    public var holdsToProtocol: Bool?
    /// The rules that do not apply to the device; absent if all apply.
    public var rulesLeftOut: [String]?
    /// What the harness did, in order.
    public var events: [Event]
    /// What the peers' own sockets sent; absent in older captures.
    public var sent: PeerTraffic?
    /// The stalls among the events in a short form; used only while encoding or decoding.
    private var stalls: [String]?

    private enum CodingKeys: String, CodingKey {
        case conform, suite, device, peers, start, end, cause, dropped, clockStep, events, stalls
        case parameters, timeScale, holdsToProtocol, rulesLeftOut
        case inconclusiveFindings = "doubts"
        case testCase = "case"
    }

    private static let prefix = "conform-case: "
    /// What the further comments of a long text begin with.
    private static let continuation = "conform-case, continued: "
    /// The most bytes of the text in one comment: an option in pcapng holds 65,535.
    private static let commentBytesMax = 60_000

    /// Returns the text for the section header's first comments, without `sent`.
    public func sectionComment() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var short = self
        (short.events, short.stalls) = MachineStallText.taken(out: events, since: start)
        return Self.prefix + String(decoding: try encoder.encode(short), as: UTF8.self)
    }

    /// Returns the texts for the comments of the section header.
    public func sectionComments() throws -> [String] {
        var comments: [String] = []
        var rest = try sectionComment().unicodeScalars[...]
        while !rest.isEmpty {
            var left = Self.commentBytesMax
            let part = rest.prefix { scalar in
                left -= UTF8.width(scalar)
                return left >= 0
            }
            comments.append((comments.isEmpty ? "" : Self.continuation) + String(part))
            rest = rest[part.endIndex...]
        }
        return comments + (sent?.comments ?? [])
    }

    /// Reads the comments of a section header; `nil` if none of them holds metadata of `conform`.
    public init?(sectionComments: [String]) throws {
        guard let comment = sectionComments.first(where: { $0.hasPrefix(Self.prefix) }) else {
            return nil
        }
        let further = sectionComments.filter { $0.hasPrefix(Self.continuation) }
        let json =
            comment.dropFirst(Self.prefix.count)
            + further.map { $0.dropFirst(Self.continuation.count) }.joined()
        self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
        events = try MachineStallText.put(stalls ?? [], into: events, since: start)
        stalls = nil
        sent = try PeerTraffic(comments: sectionComments)
    }

    /// Creates metadata from its parts.
    public init(
        conform: String, suite: String, testCase: String, device: String, peers: [Peer],
        start: Timestamp, end: Timestamp, cause: EndCause, dropped: Int,
        clockStep: Duration? = nil, inconclusiveFindings: [InconclusiveFinding]? = nil,
        parameters: String? = nil,
        timeScale: TimeScale? = nil,
        holdsToProtocol: Bool? = nil, events: [Event], sent: PeerTraffic? = nil
    ) {
        self.conform = conform
        self.suite = suite
        self.testCase = testCase
        self.device = device
        self.peers = peers
        self.start = start
        self.end = end
        self.cause = cause
        self.dropped = dropped
        self.clockStep = clockStep
        self.inconclusiveFindings = inconclusiveFindings
        self.parameters = parameters
        self.timeScale = timeScale
        self.holdsToProtocol = holdsToProtocol
        self.events = events
        self.sent = sent
    }

    /// The parties of this capture.
    public var parties: Parties {
        var parties = Parties(peers: [:])
        for peer in peers.reversed() {
            let place = IPAddress(peer.address).map { Endpoint(address: $0, port: peer.port) }
            guard let endpoint = place ?? Endpoint(peer.address) else { continue }
            parties.add(
                peer.name, at: endpoint, byDatagrams: peer.transport == CaseMetadata.Peer.udp)
            parties.devicesByPeer[endpoint] = peer.device
        }
        return parties
    }
}
