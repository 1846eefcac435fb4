import Capture
import Suites
import Trace
import Verdicts
import Wire

/// One capture as a recording looks at it: what the device and its peers said, and when.
struct GoldenTrace {
    /// One message between the device and a peer.
    struct Event {
        /// Who sent it: `device`, or a peer's name.
        let party: String
        /// The message's name.
        let message: String
        /// All of its fields.
        let fields: Value
        /// When it was complete.
        let time: Timestamp
    }

    /// What a message is recognised by from one capture to the next.
    struct Key: Hashable {
        let party: String
        let message: String
    }

    /// A peer as the capture shows it.
    struct Peer: Hashable {
        let name: String
        let kind: String
        let port: UInt16
    }

    /// The file.
    let path: String
    /// The peers, in the order in which they appear.
    let peers: [Peer]
    /// The messages, in order; transport and harness events are left out.
    let events: [Event]
    /// The moment that the first window counts from.
    let start: Timestamp
    /// When the capture ends.
    let end: Timestamp
    /// Whether conform made the capture, for a case of its own.
    let isOurs: Bool

    /// Reads a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - told: Endpoints of peers by name, as the user gave them.
    /// - Throws: `RecordingError` if nothing can be learnt from it; `CaptureError` if it cannot be
    ///   opened or is damaged: a golden capture is a whole one.
    init(_ path: String, told: [String: Endpoint]) throws {
        var file = try CaptureFile(path: path)
        let metadata = try CaseMetadata(sectionComments: file.metadata.section.comments)
        var engine = TraceEngine()
        var messages: [TraceMessage] = []
        var span: (first: Timestamp, last: Timestamp)?
        while let packet = try file.next() {
            let time = Timestamp(nanoseconds: packet.timestamp)
            span = (span?.first ?? time, time)
            engine.consume(packet, into: &messages)
            guard messages.count <= CaptureLimit.messages.value else {
                throw CaptureError(
                    .limit, path, CaptureLimit.messages.excess(CaptureLimit.messages.value))
            }
        }
        guard let span else { throw RecordingError("\(path): the capture has no packets") }
        let cast = try Cast(messages, metadata: metadata, told: told, path: path)
        self.path = path
        peers = cast.peers
        start = metadata?.start ?? span.first
        end = metadata?.end ?? span.last
        isOurs = metadata != nil
        events = messages.compactMap { message in
            guard message.source != nil,
                message.isDatagram
                    || !CaseMatcher.transports.contains(message.content.protocolName),
                let party = cast.parties.sender(of: message)
            else { return nil }
            return Event(
                party: party, message: message.name, fields: message.content.fields,
                time: message.time)
        }
        guard events.contains(where: { $0.party == Step.device }) else {
            throw RecordingError("\(path): the device sends nothing that a suite could demand")
        }
    }
}

extension GoldenTrace.Event {
    /// What it is recognised by.
    var key: GoldenTrace.Key { GoldenTrace.Key(party: party, message: message) }
}

/// Captures of which no suite can be made, as a sentence that says why.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Who plays which part in a capture.
struct Cast {
    let peers: [GoldenTrace.Peer]
    let parties: Parties

    init(
        _ messages: [TraceMessage], metadata: CaseMetadata?, told: [String: Endpoint], path: String
    ) throws(RecordingError) {
        var endpoints: [(endpoint: Endpoint, name: String?)] = told.sorted { $0.key < $1.key }
            .map { ($0.value, $0.key) }
        if endpoints.isEmpty, let metadata {
            endpoints = metadata.parties.peers.sorted { $0.value < $1.value }
                .map { ($0.key, $0.value) }
        }
        // Datagrams are what a recording is of only where nobody speaks a protocol.
        for isDatagram in [false, true] where endpoints.isEmpty {
            let spoken = messages.filter { isDatagram || !$0.isDatagram }
            endpoints = Self.servers(in: spoken).map { ($0, nil) }
        }
        var (peers, names): ([GoldenTrace.Peer], [Endpoint: String]) = ([], [:])
        for (endpoint, name) in endpoints {
            guard let kind = Self.kind(at: endpoint, in: messages) else { continue }
            let name = name ?? Self.freshName(of: kind, besides: peers.map(\.name))
            peers.append(GoldenTrace.Peer(name: name, kind: kind.name, port: endpoint.port))
            names[endpoint] = name
        }
        guard !peers.isEmpty else {
            let known = PeerKind.speaking.map(\.name).joined(separator: ", ")
            throw RecordingError(
                "\(path): nobody in it speaks as one of the peers that conform plays (\(known)); "
                    + "say who is one with --peer NAME=ADDRESS:PORT")
        }
        self.peers = peers
        parties = Parties(peers: names)
    }

    /// The endpoints that were called and speak a protocol of a peer, in the order of their calls;
    /// where the capture begins in the middle, those on a peer's port or, at last, those that did
    /// not speak first.
    private static func servers(in messages: [TraceMessage]) -> [Endpoint] {
        let kinds = Dictionary(
            PeerKind.speaking.map { ($0.protocolName, $0) }, uniquingKeysWith: { first, _ in first }
        )
        let called = messages.filter { $0.name == "tcp.SYN" }.compactMap(\.destination)
        let spoken = messages.filter { kinds[$0.content.protocolName] != nil }
        let speaking = Set(spoken.flatMap { [$0.source, $0.destination] }.compactMap(\.self))
        var found: [Endpoint] = called.filter(speaking.contains)
        let calledFlows = Set(messages.filter { $0.name == "tcp.SYN" }.compactMap(\.flow))
        var seenFlows = calledFlows
        for message in spoken {
            guard let flow = message.flow, seenFlows.insert(flow).inserted,
                let source = message.source, let destination = message.destination
            else { continue }
            let port = kinds[message.content.protocolName]?.defaultPort
            found.append(source.port == port ? source : destination)
        }
        return found.reduce(into: []) { unique, endpoint in
            if !unique.contains(endpoint) { unique.append(endpoint) }
        }
    }

    /// The kind of peer whose protocol is spoken at an endpoint.
    private static func kind(at endpoint: Endpoint, in messages: [TraceMessage]) -> PeerKind? {
        let names = Set(
            messages.filter { $0.source == endpoint || $0.destination == endpoint }
                .map(\.content.protocolName))
        let kinds = PeerKind.speaking.filter { names.contains($0.protocolName) }
        // Who speaks for another one within his own protocol is not that other one.
        return kinds.first { !$0.carries.isEmpty } ?? kinds.first
    }

    /// `hu` for `sdl.head-unit`, `hu2` for another one.
    private static func freshName(of kind: PeerKind, besides taken: [String]) -> String {
        let words = (kind.name.split(separator: ".").last ?? "peer").split(separator: "-")
        let base =
            words.count > 1
            ? words.compactMap(\.first).map(String.init).joined()
            : String(words.first ?? "peer")
        guard taken.contains(base) else { return base }
        var number = 2
        while taken.contains("\(base)\(number)") { number += 1 }
        return "\(base)\(number)"
    }
}

extension PeerKind {
    /// The kind of device that a recording with this peer is of.
    var recordedRole: String {
        switch name {
        case "sdl.head-unit", "iap.accessory": "sdl.app"
        case "session.server": "session.client"
        case "sdl.app": "sdl.head-unit"
        case "udp.server": "udp.client"
        case "websocket.server": "websocket.client"
        case "http.server": "http.client"
        default: "\(protocolName).device"
        }
    }
}
