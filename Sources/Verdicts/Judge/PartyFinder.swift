import Suites
import TCPIP
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
    /// For each connection the families of messages that were noted of both of its ends, and whether
    /// it is known whether it speaks a protocol.
    private var noted: [Int: UInt64] = [:]
    private static let isDecided: UInt64 = 1 << 63
    /// The protocols of the peers.
    private let spoken: Set<String>
    /// For each message with a code, what is noted after it; nothing for an attempt, which says more
    /// than who speaks.
    private let notes: [UInt64]
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
        isDatagramOfInterest = kinds.contains(where: \.usesDatagrams)
        isCallerOfInterest = kinds.contains(where: \.callsDevice)
        spoken = Set(kinds.map(\.protocolName))
        notes = cases.first.map { Self.notes(of: $0.protocols) } ?? []
        ports = Set(
            kinds.map(\.defaultPort)
                + peers.compactMap {
                    $0.settings["port"]?.integerValue.flatMap { UInt16(exactly: $0) }
                })
    }

    private static func notes(of protocols: ProtocolRegistry) -> [UInt64] {
        var families: [Substring] = []
        return protocols.table(0) { message in
            if message == TCPEvent.Kind.syn.rawValue { return 0 }
            let family = message.prefix { $0 != "." }
            if !families.contains(family) { families.append(family) }
            let index = families.firstIndex(of: family) ?? families.count
            // There are fewer protocols than bits; of one too many nothing is noted.
            let bit = index < isDecided.trailingZeroBitCount ? UInt64(1) << UInt64(index) : 0
            return decides(message) ? bit | isDecided : bit
        }
    }

    /// Learns from a message, which has a code if its protocol knows it; returns whether it told
    /// something new.
    mutating func learn(from message: TraceMessage, _ code: MessageCode?) -> Bool {
        guard let source = message.source, let destination = message.destination else {
            return false
        }
        var note = code.map { notes[Int($0.index)] } ?? Self.isDecided
        // Other channels of a host's connection have other ends.
        if !source.isOfHost || !destination.isOfHost { note &= Self.isDecided }
        let known = message.flow.flatMap { noted[$0] }
        if let known, note & ~Self.isDecided != 0, known & note == note { return false }
        let isDatagram = message.isDatagram
        if isDatagram, !isDatagramOfInterest { return false }
        var isNew = false
        if message.name == "tcp.SYN" || isDatagram && known == nil {
            isNew = callers[destination] == nil
            if isCallerOfInterest {
                isNew = callers[destination, default: []].insert(source).inserted || isNew
            } else if isNew {
                callers[destination] = []
            }
        }
        let name = isDatagram ? "udp" : message.content.protocolName
        // Who a caller spoke with is asked whatever was spoken.
        if isCallerOfInterest || spoken.contains(name) {
            // That a protocol is spoken at all may say which peers are away.
            isNew = isNew || speaking[name] == nil
            for end in [source, destination]
            where speaking[name, default: []].insert(end).inserted {
                isNew =
                    isNew || callers[end] != nil || ports.contains(end.port) || end.isController
            }
        }
        if let flow = message.flow { noted[flow] = (known ?? 0) | note }
        return isNew
    }

    /// Whether by a message it is known what a connection speaks, or that it speaks nothing.
    private static func decides(_ message: String) -> Bool {
        guard message.hasPrefix("tcp.") else { return true }
        return [TCPEvent.Kind.data, .fin, .rst, .refused].map(\.rawValue).contains(message)
    }

    /// Whether nothing that comes later can say more about whose a message is.
    func isDecided(_ message: TraceMessage) -> Bool { message.flow.map(isDecided) ?? true }

    /// Whether it is known whether a connection speaks a protocol.
    func isDecided(_ flow: Int) -> Bool { noted[flow, default: 0] & Self.isDecided != 0 }

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
        let calledByPort = kind.usesDatagrams ? byPort.intersection(called) : []
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
    /// Whether it is a port of a host.
    fileprivate var isOfHost: Bool { if case .ip = self { true } else { false } }

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
