import Judge
import SuiteLanguage
import TCPIP
import Trace
import Wire

/// The peers of a capture, with their endpoints.
struct RecordedParties {
    let peers: [GoldenTrace.Peer]
    let parties: Parties

    /// An endpoint of a peer, with its name if the user or the capture gives one.
    typealias Place = (endpoint: Endpoint, name: String?)

    /// Returns where peers are, as the user or the capture says it.
    static func places(_ stated: [String: Endpoint], _ metadata: CaseMetadata?) -> [Place] {
        let places = stated.sorted { $0.key < $1.key }.map { Place($0.value, $0.key) }
        guard places.isEmpty, let metadata else { return places }
        let known = metadata.parties
        return (Array(known.peers) + Array(known.datagramPeers)).sorted { $0.value < $1.value }
            .map { Place($0.key, $0.value) }
    }

    /// Whether no known protocol is used at an endpoint.
    static func isSilent(
        _ endpoint: Endpoint, in messages: [TraceMessage], _ known: KnownMessages
    ) -> Bool {
        described(at: endpoint, in: messages, known.own) == nil
            && !messages.contains { message in
                ends(of: message, endpoint) != nil && message.name != UDPDatagram.name
                    && !known.protocols.transports.contains(message.content.protocolName)
            }
    }

    init(
        _ messages: [TraceMessage], places: [Place], _ stream: RecordedStream?,
        _ known: KnownMessages, path: String
    ) throws(RecordingError) {
        let protocols = known.own
        var endpoints = places
        // Plain datagrams are recorded only if no party uses a known protocol.
        for isDatagram in [false, true] where endpoints.isEmpty {
            let spoken = messages.filter { isDatagram || $0.name != UDPDatagram.name }
            endpoints = Self.servers(in: spoken, known).map { ($0, nil) }
        }
        var (peers, names): ([GoldenTrace.Peer], [Endpoint: String]) = ([], [:])
        for (endpoint, name) in endpoints {
            func fresh(_ kind: String) -> String {
                name ?? Self.freshName(of: kind, besides: peers.map(\.name))
            }
            var peer: GoldenTrace.Peer
            if let described = Self.described(at: endpoint, in: messages, protocols),
                let kind = known.protocols.peer(named: described.kind)
            {
                peer = GoldenTrace.Peer(
                    name: fresh(described.kind), kind: kind, port: described.port,
                    speaks: described.speaks)
            } else if let stream, let ends = Self.cut(at: endpoint, in: messages),
                let kind = known.protocols.peer(
                    named: endpoint.port == 0 ? "tcp.client" : "tcp.server")
            {
                peer = GoldenTrace.Peer(
                    name: fresh(kind.name), kind: kind,
                    port: endpoint.port == 0 ? ends.other.port : endpoint.port,
                    stream: stream.text)
            } else if let (kind, ends) = Self.kind(at: endpoint, in: messages, known.protocols) {
                peer = GoldenTrace.Peer(name: fresh(kind.name), kind: kind, port: endpoint.port)
                if endpoint.port == 0, !peer.isOnAir {
                    peer.port = (kind.callsDevice ? ends.other : ends.own).port
                }
            } else {
                continue
            }
            peer.address = "\(endpoint.party)"
            peers.append(peer)
            names[endpoint] = peer.name
            // What happens to a device on the air concerns it as a whole, not one of its channels.
            if peer.isOnAir { names[endpoint.party] = names[endpoint.party] ?? peer.name }
        }
        if peers.contains(where: \.isOnAir) {
            let air = Self.air(besides: peers)
            for case let end? in messages.flatMap({ [$0.source, $0.destination] }) {
                if case .bluetooth(.controller, _) = end { names[end] = air }
            }
        }
        guard !peers.isEmpty else {
            let spoken = (known.protocols.speakingPeers.map(\.name) + protocols.map(\.name))
                .joined(separator: ", ")
            throw RecordingError(
                description:
                    "\(path): no party in it uses a protocol of the peers that conform plays "
                    + "(\(spoken)); name a peer with --peer NAME=ADDRESS:PORT, and give a "
                    + "protocol of your own with --protocol FILE")
        }
        self.peers = peers
        parties = Parties(peers: names)
    }

    /// Returns the endpoints that were called and use a peer's protocol, in order of the calls.
    ///
    /// If the capture begins in the middle of a connection, the endpoint on a peer's port is taken,
    /// or else the one that did not send first.
    private static func servers(
        in messages: [TraceMessage], _ known: KnownMessages
    ) -> [Endpoint] {
        let allPorts =
            known.own.map { ($0.name, $0.streamPorts + $0.datagramPorts) }
            + known.protocols.speakingPeers.map { ($0.protocolName, [$0.defaultPort]) }
        let ports = Dictionary(allPorts, uniquingKeysWith: { first, _ in first })
        let called = messages.filter { $0.name == "tcp.SYN" }.compactMap(\.destination)
        let spoken = messages.filter { ports[$0.content.protocolName] != nil }
        let speaking = Set(spoken.flatMap { [$0.source, $0.destination] }.compactMap(\.self))
        var found: [Endpoint] = called.filter(speaking.contains)
        let calledFlows = Set(messages.filter { $0.name == "tcp.SYN" }.compactMap(\.flow))
        var seenFlows = calledFlows
        for message in spoken {
            guard let flow = message.flow, seenFlows.insert(flow).inserted,
                let source = message.source, let destination = message.destination
            else { continue }
            let isServer = ports[message.content.protocolName]?.contains(source.port) == true
            found.append(isServer ? source : destination)
        }
        return found.reduce(into: []) { unique, endpoint in
            if !unique.contains(endpoint) { unique.append(endpoint) }
        }
    }

    /// Returns the endpoints that were called and exchange bytes of no known protocol.
    static func plainServers(in messages: [TraceMessage]) -> [Place] {
        let plain = messages.filter { $0.name == "tcp.data" }
        let speaking = Set(plain.flatMap { [$0.source, $0.destination] }.compactMap(\.self))
        var found: [Endpoint] = []
        for message in messages where message.name == "tcp.SYN" {
            guard let called = message.destination, speaking.contains(called),
                !found.contains(called)
            else { continue }
            found.append(called)
        }
        return found.map { ($0, nil) }
    }

    /// Returns the ends of the first message that is cut out of a stream of an endpoint.
    private static func cut(
        at endpoint: Endpoint, in messages: [TraceMessage]
    ) -> (own: Endpoint, other: Endpoint)? {
        messages.lazy.filter { $0.content.protocolName == StreamUnit.protocolName }
            .compactMap { ends(of: $0, endpoint) }.first
    }

    /// Returns the kind of peer whose protocol is used at an endpoint, and the ends of a message.
    private static func kind(
        at endpoint: Endpoint, in messages: [TraceMessage], _ protocols: ProtocolRegistry
    ) -> (kind: PeerKind, ends: (own: Endpoint, other: Endpoint))? {
        var places: [String: (own: Endpoint, other: Endpoint)] = [:]
        for message in messages where places[message.content.protocolName] == nil {
            places[message.content.protocolName] = ends(of: message, endpoint)
        }
        let kinds = protocols.speakingPeers.filter { places[$0.protocolName] != nil }
        // A peer that carries another protocol within its own is not a peer of the carried
        // protocol.
        guard let kind = kinds.first(where: { !$0.carries.isEmpty }) ?? kinds.first,
            let ends = places[kind.protocolName]
        else { return nil }
        return (kind, ends)
    }

    /// Returns the ends of a message, the one at the endpoint first; the port 0 matches any port.
    private static func ends(
        of message: TraceMessage, _ endpoint: Endpoint
    ) -> (own: Endpoint, other: Endpoint)? {
        guard let source = message.source, let destination = message.destination else { return nil }
        func isThere(_ end: Endpoint) -> Bool { end == endpoint || end.party == endpoint }
        if isThere(source) { return (source, destination) }
        return isThere(destination) ? (destination, source) : nil
    }

    /// Returns the first described protocol at an endpoint, and the kind and port of its peer.
    ///
    /// A peer without a port is one that calls the device.
    private static func described(
        at endpoint: Endpoint, in messages: [TraceMessage], _ protocols: [NamedProtocol]
    ) -> (kind: String, port: UInt16, speaks: String)? {
        for message in messages {
            guard let ends = ends(of: message, endpoint),
                let one = protocols.first(where: { $0.name == message.content.protocolName })
            else { continue }
            let isCaller = endpoint.port == 0
            return (
                (message.isDatagram ? "udp." : "tcp.") + (isCaller ? "client" : "server"),
                isCaller ? ends.other.port : endpoint.port, one.name
            )
        }
        return nil
    }

    /// Returns the name of the controller on whose air other peers are.
    static func air(besides peers: [GoldenTrace.Peer]) -> String {
        peers.contains { $0.name == "radio" } ? "controller" : "radio"
    }

    /// Returns an unused name: `hu` for `sdl.head-unit`, `hu2` for another one.
    private static func freshName(of kind: String, besides taken: [String]) -> String {
        let words = (kind.split(separator: ".").last ?? "peer").split(separator: "-")
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

extension GoldenTrace.Peer {
    /// The role of the device in a recording with this peer.
    var recordedRole: String {
        guard let speaks else { return kind.deviceRole ?? "\(kind.protocolName).device" }
        return speaks + (kind.callsDevice ? ".server" : ".client")
    }
}
