import Suites
import Trace
import Wire

/// Finds out who is who in a capture that does not say, while it is read: by what the user said, by
/// the ports of the suite's peers, or, for a single peer, by who was called, or who called the device.
struct PartyFinder: Sendable {
    /// Why it is not clear who is who, as a sentence with a proposal.
    struct Unclear: Error {
        let text: String
    }

    let roles: CaptureRoles
    /// Endpoints that messages of each protocol went to or came from.
    private var speaking: [String: Set<Endpoint>] = [:]
    /// Endpoints that a connection was opened to; if it matters who calls, with who opened them.
    private var callers: [Endpoint: Set<Endpoint>] = [:]
    /// Connections of which it is known whether they speak a protocol.
    private var known: Set<Int> = []
    /// The ports of the peers.
    private let ports: Set<UInt16>
    /// Whether some peer calls the device, so that it matters who calls.
    private let isCallerOfInterest: Bool
    /// Whether some peer speaks UDP, so that it matters who sent the first datagram of a flow.
    private let isDatagramOfInterest: Bool

    init(_ cases: [PreparedCase], roles: CaptureRoles) {
        self.roles = roles
        let peers = cases.flatMap(\.testCase.peers)
        let kinds = peers.map(\.kind)
        isDatagramOfInterest = kinds.contains { $0.protocolName == "udp" }
        isCallerOfInterest = kinds.contains(where: \.callsDevice)
        ports = Set(
            kinds.map(\.defaultPort)
                + peers.compactMap {
                    $0.settings["port"]?.integerValue.flatMap { UInt16(exactly: $0) }
                })
    }

    /// Learns from a message; returns whether it told something new.
    mutating func learn(from message: TraceMessage) -> Bool {
        guard let source = message.source, let destination = message.destination else {
            return false
        }
        let isDatagram = message.isDatagram
        if isDatagram, !isDatagramOfInterest { return false }
        var isNew = false
        let isFirst = message.flow.map { !known.contains($0) } ?? false
        if message.name == "tcp.SYN" || isDatagram && isFirst {
            isNew = callers[destination] == nil
            if isCallerOfInterest {
                isNew = callers[destination, default: []].insert(source).inserted || isNew
            } else if isNew {
                callers[destination] = []
            }
        }
        let name = isDatagram ? "udp" : message.content.protocolName
        for end in [source, destination] where speaking[name, default: []].insert(end).inserted {
            isNew =
                isNew || callers[end] != nil || ports.contains(end.port) || end.isController
        }
        if let flow = message.flow, Self.decides(message) { known.insert(flow) }
        return isNew
    }

    /// Whether by a message it is known what a connection speaks, or that it speaks nothing.
    private static func decides(_ message: TraceMessage) -> Bool {
        guard message.content.protocolName == "tcp" else { return true }
        return ["tcp.data", "tcp.FIN", "tcp.RST", "tcp.refused"].contains(message.name)
    }

    /// Whether nothing that comes later can say more about whose a message is.
    func isDecided(_ message: TraceMessage) -> Bool { message.flow.map(isDecided) ?? true }

    /// Whether it is known whether a connection speaks a protocol.
    func isDecided(_ flow: Int) -> Bool { known.contains(flow) }

    /// Who is who for a case, as far as it is known by now.
    func parties(for testCase: TestCase) throws(Unclear) -> Parties {
        var parties = Parties(peers: [:])
        let involved = testCase.peers.filter {
            testCase.involves($0) || roles.peers[$0.name] != nil
        }
        let peers = involved.isEmpty ? testCase.peers : involved
        var missing: [PeerDeclaration] = []
        for peer in peers {
            let found = endpoints(of: peer, isOnly: peers.count == 1)
            if found.isEmpty { missing.append(peer) }
            for endpoint in found { parties.peers[endpoint] = peer.name }
        }
        if let peer = missing.first(where: { !canBeAway($0, in: testCase, parties) }) {
            throw Unclear(text: isUnclear(peer))
        }
        parties.devices = roles.devices
        let told = Set(roles.devices.values)
        if let unknown = testCase.deviceNames.first(where: { !told.contains($0) }),
            testCase.deviceNames.count > 1 || !told.isEmpty
        {
            throw Unclear(
                text: "it is not clear which endpoint is the device \(unknown); "
                    + "tell with --device \(unknown)=ADDRESS")
        }
        return parties
    }

    /// Whether a case can be judged without a peer that is not found: accessories of the accessory bus that
    /// no step speaks of, if those of another peer are found or no step is about accessories.
    private func canBeAway(
        _ peer: PeerDeclaration, in testCase: TestCase, _ parties: Parties
    ) -> Bool {
        guard peer.kind.protocolName == "ea", !parties.peers.isEmpty, !testCase.names(peer) else {
            return false
        }
        let speaking = speaking[peer.kind.protocolName] ?? []
        return speaking.contains { parties.peer(at: $0) != nil }
            || speaking.isEmpty && !testCase.expects(peer.kind.protocolName)
    }

    private func isUnclear(_ peer: PeerDeclaration) -> String {
        let calls = peer.kind.callsDevice
        let places =
            calls
            ? Set(callers.values.joined().map(\.address.description))
            : Set(callers.keys.map(\.description))
        return "it is not clear which endpoint is the peer \(peer.name); "
            + "tell with --peer \(peer.name)=ADDRESS\(calls ? "" : ":PORT") "
            + "(seen: \(places.isEmpty ? "none" : places.sorted().joined(separator: ", ")))"
    }

    private func endpoints(of peer: PeerDeclaration, isOnly: Bool) -> Set<Endpoint> {
        if let told = roles.peers[peer.name] { return [told] }
        if let end = peer.airAddress.flatMap({ Endpoint($0) }) { return [end] }
        let kind = peer.kind
        let speaking = speaking[kind.protocolName] ?? []
        let port = peer.settings["port"]?.integerValue ?? Int64(kind.defaultPort)
        let called = Set(callers.keys)
        // A stream elsewhere is not cut as the suite says.
        let mayGuess = isOnly && peer.stream == nil && peer.named == nil
        let byPort = speaking.filter { Int64($0.port) == port }
        if kind.air == .controller {
            let controllers = speaking.filter(\.isController)
            if !controllers.isEmpty { return controllers }
        }
        if kind.callsDevice {
            let devices = byPort.isEmpty && mayGuess ? called.intersection(speaking) : byPort
            guard isOnly else { return [] }
            return devices.reduce(into: []) { $0.formUnion(callers[$1] ?? partners(of: $1)) }
        }
        // Both ends of a flow may have the port, as those of mDNS: who was called first is the peer.
        let calledByPort = kind.protocolName == "udp" ? byPort.intersection(called) : []
        if !calledByPort.isEmpty { return calledByPort }
        if !byPort.isEmpty { return byPort.union(called.filter { Int64($0.port) == port }) }
        return mayGuess ? speaking.intersection(called) : []
    }

    /// Who spoke with a device whose calls were not captured.
    private func partners(of device: Endpoint) -> Set<Endpoint> {
        Set(speaking.values.joined().filter { $0 != device && $0.port != device.port })
    }
}

extension Endpoint {
    /// Whether it is the controller of a captured host.
    fileprivate var isController: Bool {
        if case .bluetooth(.controller, _) = self { true } else { false }
    }
}

extension TestCase {
    /// Whether a peer takes part: one that calls the device does nothing unless a step speaks of it.
    fileprivate func involves(_ peer: PeerDeclaration) -> Bool {
        !peer.kind.callsDevice || names(peer)
    }

    /// Whether a step speaks of a peer.
    fileprivate func names(_ peer: PeerDeclaration) -> Bool {
        (preamble + steps).plain.contains { step in
            if case .perform(let action) = step.verb, action.party == peer.name { return true }
            return step.from == peer.name || step.to == peer.name
        }
    }

    /// Whether a step awaits a message of a protocol.
    fileprivate func expects(_ protocolName: String) -> Bool {
        (preamble + steps).plain.contains { step in
            if case .expect(let message) = step.verb {
                message.hasPrefix("\(protocolName).")
            } else {
                false
            }
        }
    }
}
