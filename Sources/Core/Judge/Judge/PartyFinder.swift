import SuiteLanguage
import TCPIP
import Trace
import Wire

/// Identifies the parties in a capture without metadata while it is read.
///
/// It uses what the user said, the ports of the suite's peers, or, for a single peer, which
/// endpoint was called or which one called the device.
struct PartyFinder: Sendable {
    /// The reason why the parties are not clear, with a proposal.
    struct UnidentifiedParty: Error {
        let text: String
    }

    let roles: CaptureRoles
    /// Endpoints that messages of each protocol went to or came from.
    private var speaking: [String: Set<Endpoint>] = [:]
    /// Endpoints that a connection was opened to, with its callers if that matters.
    private var callers: [Endpoint: Set<Endpoint>] = [:]
    /// Endpoints of hosts on the port of a peer, whatever was said there.
    private var atPorts: Set<Endpoint> = []
    /// Endpoints on the port of a peer that opened connections from it.
    private var callingAtPorts: Set<Endpoint> = []
    /// Endpoints on the port of a peer that sent datagrams to a server first.
    private var clients: Set<Endpoint> = []
    /// Hosts that opened connections, and hosts to which connections were opened.
    private var (callingHosts, calledHosts): (Set<Endpoint>, Set<Endpoint>) = ([], [])
    /// Endpoints that were called from their own host.
    private var selfCalled: Set<Endpoint> = []
    /// Whether nothing more comes that could show the parties.
    var isComplete = false
    /// For each connection, the families of messages that were recorded for both of its ends.
    ///
    /// The bit `isDecided` says that it is known whether it uses a protocol.
    private var noted: [Int: UInt64] = [:]
    private static let isDecided: UInt64 = 1 << 63
    /// The protocols of the peers.
    private let spoken: Set<String>
    /// For each message with a code, what is recorded after it.
    ///
    /// It is 0 for an attempt, which shows more than which protocol is used.
    private let notes: [UInt64]
    /// The ports of the peers.
    private let ports: Set<UInt16>
    /// Whether a peer calls the device, so that the caller matters.
    private let isCallerOfInterest: Bool
    /// Whether a peer uses UDP, so that the sender of a flow's first datagram matters.
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
            // There are usually fewer protocols than bits; for further protocols nothing is
            // recorded.
            let bit = index < isDecided.trailingZeroBitCount ? UInt64(1) << UInt64(index) : 0
            return decides(message) ? bit | isDecided : bit
        }
    }

    /// Learns from a message, and returns whether it showed something new.
    ///
    /// The message has a code if its protocol is known.
    mutating func update(from message: TraceMessage, _ code: MessageCode?) -> Bool {
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
        if !isDatagram, known == nil {
            for end in [source, destination] where end.isOfHost && ports.contains(end.port) {
                atPorts.insert(end)
            }
        }
        if message.name == "tcp.SYN" {
            if source.party == destination.party { selfCalled.insert(destination) }
            if ports.contains(source.port) { callingAtPorts.insert(source) }
            calledHosts.insert(destination.party)
            // A host that calls others may listen too, but the peer is rather one that does not.
            isNew =
                callingHosts.insert(source.party).inserted && calledHosts.contains(source.party)
        }
        if isDatagram, known == nil, ports.contains(source.port) {
            callingAtPorts.insert(source)
            if message.isToServer(besides: ports) { clients.insert(source) }
        }
        if message.name == "tcp.SYN" || isDatagram && known == nil {
            isNew = isNew || callers[destination] == nil
            if isCallerOfInterest {
                isNew = callers[destination, default: []].insert(source).inserted || isNew
            } else if callers[destination] == nil {
                callers[destination] = []
            }
        }
        let name = isDatagram ? "udp" : message.content.protocolName
        // The partners of a caller are needed for every protocol.
        if isCallerOfInterest || spoken.contains(name) {
            // The use of a protocol may show which peers are absent.
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

    /// Whether a message shows which protocol a connection uses, or that it uses none.
    private static func decides(_ message: String) -> Bool {
        guard message.hasPrefix("tcp.") else { return true }
        return [TCPEvent.Kind.data, .fin, .rst, .refused].map(\.rawValue).contains(message)
    }

    /// Whether nothing that comes later can change the roles in a message.
    func isDecided(_ message: TraceMessage) -> Bool { message.flow.map(isDecided) ?? true }

    /// Whether it is known if a connection uses a protocol.
    func isDecided(_ flow: Int) -> Bool { noted[flow, default: 0] & Self.isDecided != 0 }

    /// Returns the parties of a case, as far as they are known so far.
    func parties(for testCase: TestCase) throws(UnidentifiedParty) -> Parties {
        var parties = Parties(peers: [:])
        let involved = testCase.peers.filter {
            testCase.involves($0) || roles.peers[$0.name] != nil
        }
        let peers = involved.isEmpty ? testCase.peers : involved
        var missing: [PeerDeclaration] = []
        for peer in peers {
            let found = endpoints(of: peer, isOnly: peers.count == 1)
            if found.isEmpty { missing.append(peer) }
            for endpoint in found {
                parties.add(peer.name, at: endpoint, byDatagrams: peer.isDatagram)
            }
        }
        if let peer = missing.first(where: { !mayBeAbsent($0, in: testCase, parties) }) {
            throw UnidentifiedParty(text: isUnclear(peer))
        }
        parties.devices = roles.devices
        let stated = Set(roles.devices.values)
        if let unknown = testCase.deviceNames.first(where: { !stated.contains($0) }),
            testCase.deviceNames.count > 1 || !stated.isEmpty
        {
            throw UnidentifiedParty(
                text: "it is not clear which endpoint is the device \(unknown); "
                    + "name it with --device \(unknown)=ADDRESS")
        }
        return parties
    }

    /// Whether a case can be judged without a peer that is not found.
    ///
    /// It can without accessories of the accessory bus that no step mentions, if those of another
    /// peer are found or no step is about accessories.
    private func mayBeAbsent(
        _ peer: PeerDeclaration, in testCase: TestCase, _ parties: Parties
    ) -> Bool {
        // A device may never have called one of several peers. Then nobody else was called.
        if isComplete, !peer.kind.callsDevice, peer.kind.air == nil, !parties.peerNames.isEmpty,
            roles.peers[peer.name] == nil,
            callers.keys.allSatisfy({ parties.peer(at: $0) != nil })
        {
            return true
        }
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
        let none =
            callers.isEmpty
            ? "none, because the capture has no connection attempt and no datagram" : "none"
        let seen = places.isEmpty ? none : places.sorted().joined(separator: ", ")
        return "it is not clear which endpoint is the peer \(peer.name); "
            + "name it with --peer \(peer.name)=ADDRESS\(calls ? "" : ":PORT") "
            + "(seen: \(seen))"
    }

    private func endpoints(of peer: PeerDeclaration, isOnly: Bool) -> Set<Endpoint> {
        if let stated = roles.peers[peer.name] { return [stated] }
        if let end = peer.airAddress.flatMap({ Endpoint($0) }) { return [end] }
        let kind = peer.kind
        let speaking = speaking[kind.protocolName] ?? []
        let port = peer.settings["port"]?.integerValue ?? Int64(kind.defaultPort)
        if kind.air == .controller {
            let controllers = speaking.filter(\.isController)
            if !controllers.isEmpty { return controllers.union(adapters(of: controllers)) }
        }
        let found = speakers(for: peer, at: port, isOnly: isOnly)
        return found.isEmpty && isComplete ? silent(peer, at: port, isOnly: isOnly) : found
    }

    /// Returns the adapters of controllers if the user says that the device is another one.
    private func adapters(of controllers: Set<Endpoint>) -> Set<Endpoint> {
        let isRemote = roles.devices.keys.contains {
            if case .bluetooth(.address, _) = $0 { true } else { false }
        }
        guard isRemote else { return [] }
        return Set(
            controllers.compactMap { end in
                guard case .bluetooth(.controller(let number), _) = end else { return nil }
                return .bluetooth(.adapter(number), nil)
            })
    }

    /// Returns the endpoints of a peer at which nothing of its protocol was seen.
    private func silent(_ peer: PeerDeclaration, at port: Int64, isOnly: Bool) -> Set<Endpoint> {
        guard !peer.isDatagram, peer.kind.air == nil else { return [] }
        let called = Set(callers.keys)
        let byPort = atPorts.filter { Int64($0.port) == port && !isOnlyCaller($0) }
        if peer.kind.callsDevice {
            let devices = byPort.isEmpty ? called : byPort
            return isOnly ? devices.reduce(into: []) { $0.formUnion(callers[$1] ?? []) } : []
        }
        let calledByPort = byPort.intersection(called)
        if !calledByPort.isEmpty { return calledByPort }
        if !byPort.isEmpty { return byPort }
        return isOnly && peer.stream == nil ? likely(called) : []
    }

    /// Returns the endpoints among those that were called which are rather a peer's.
    ///
    /// A program may call a port of its own, and a device may listen too. A peer's host does not
    /// call others, as far as hosts differ, and a port of its own is a dynamic one.
    private func likely(_ called: Set<Endpoint>) -> Set<Endpoint> {
        let others = called.filter { !callingHosts.contains($0.party) }
        if !others.isEmpty { return others }
        let fixed = called.filter { $0.port < Self.firstDynamicPort }
        if !fixed.isEmpty { return fixed }
        // It may be a port of the device itself; a port of the peer may be called later.
        return isComplete || !called.isSubset(of: selfCalled) ? called : []
    }

    /// The first port that Linux assigns to clients.
    private static let firstDynamicPort: UInt16 = 32_768

    private func speakers(
        for peer: PeerDeclaration, at port: Int64, isOnly: Bool
    ) -> Set<Endpoint> {
        let kind = peer.kind
        let speaking = speaking[kind.protocolName] ?? []
        let called = Set(callers.keys)
        // A stream at another place is not cut as the suite says. A device may call other places
        // before it calls the port that the suite states.
        let isStated = peer.settings["port"] != nil
        let mayGuess =
            isOnly && peer.stream == nil && peer.named == nil && (isComplete || !isStated)
        let byPort = speaking.filter {
            Int64($0.port) == port && (peer.isDatagram ? !isClient($0) : !isOnlyCaller($0))
        }
        if kind.callsDevice {
            let devices = byPort.isEmpty && mayGuess ? called.intersection(speaking) : byPort
            guard isOnly else { return [] }
            return devices.reduce(into: []) { $0.formUnion(callers[$1] ?? partners(of: $1)) }
        }
        // Both ends of a flow may have the port, as in mDNS: the end that was called first is the
        // peer.
        let calledByPort = kind.usesDatagrams ? byPort.intersection(called) : []
        if !calledByPort.isEmpty { return calledByPort }
        if !byPort.isEmpty { return byPort.union(called.filter { Int64($0.port) == port }) }
        return mayGuess ? likely(speaking.intersection(called)) : []
    }

    /// Whether connections were opened from an endpoint and none to it.
    private func isOnlyCaller(_ end: Endpoint) -> Bool {
        callingAtPorts.contains(end) && callers[end] == nil
    }

    /// Whether an endpoint that sends datagrams is not the peer with its port, or may not be.
    ///
    /// An endpoint that is sent to first may come later. If none does, the capture may have begun
    /// in the middle.
    private func isClient(_ end: Endpoint) -> Bool {
        isOnlyCaller(end) && (!isComplete || clients.contains(end))
    }

    /// Returns the endpoints that exchanged messages with a device whose calls were not captured.
    private func partners(of device: Endpoint) -> Set<Endpoint> {
        Set(speaking.values.joined().filter { $0 != device && $0.port != device.port })
    }
}

extension TraceMessage {
    /// Whether it is a datagram of a client to a server that has none of the given ports.
    func isToServer(besides ports: Set<UInt16>) -> Bool {
        guard isDatagram, let source, let destination else { return false }
        return source.isRatherCaller(of: destination) && !ports.contains(destination.port)
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
    /// Whether a peer takes part: one that calls the device does so only if a step mentions it.
    fileprivate func involves(_ peer: PeerDeclaration) -> Bool {
        !peer.kind.callsDevice || names(peer)
    }

    /// Whether a step mentions a peer.
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
