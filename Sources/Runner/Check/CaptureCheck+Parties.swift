import Capture
import Protocols
import Suites
import Trace
import Verdicts

extension CaptureCheck {
    /// Finds out who is who in a capture that does not say: by what the user told, by the ports of
    /// the suite's peers, or, for a single peer, by who was called, or who called the device.
    static func parties(
        of testCase: TestCase, in path: String, roles: Roles
    ) throws -> Parties {
        let seen = try endpoints(in: path)
        var parties = Parties(peers: [:])
        let peers = testCase.peers.filter { testCase.involves($0) || roles.peers[$0.name] != nil }
        for peer in peers {
            let found = endpoints(
                of: peer, among: seen, roles: roles, isOnly: peers.count == 1)
            guard !found.isEmpty else {
                throw CheckError("\(path): \(isUnclear(peer, among: seen))")
            }
            for endpoint in found { parties.peers[endpoint] = peer.name }
        }
        parties.devices = roles.devices
        let told = Set(roles.devices.values)
        if let unknown = testCase.deviceNames.first(where: { !told.contains($0) }),
            testCase.deviceNames.count > 1 || !told.isEmpty
        {
            throw CheckError(
                "\(path): it is not clear which endpoint is the device \(unknown); "
                    + "tell with --device \(unknown)=ADDRESS")
        }
        return parties
    }

    private static func isUnclear(_ peer: PeerDeclaration, among seen: Seen) -> String {
        let calls = PeerKind.named(peer.kind)?.callsDevice == true
        let places =
            calls
            ? Set(seen.callers.values.joined().map(\.address.description))
            : Set(seen.called.map(\.description))
        return "it is not clear which endpoint is the peer \(peer.name); "
            + "tell with --peer \(peer.name)=ADDRESS\(calls ? "" : ":PORT") "
            + "(seen: \(places.sorted().joined(separator: ", ")))"
    }

    private struct Seen {
        /// Endpoints that messages of each protocol went to or came from.
        var speaking: [String: Set<Endpoint>] = [:]
        /// Endpoints that a connection was opened to.
        var called: Set<Endpoint> = []
        /// Who opened connections to each of them.
        var callers: [Endpoint: Set<Endpoint>] = [:]
    }

    private static func endpoints(
        of peer: PeerDeclaration, among seen: Seen, roles: Roles, isOnly: Bool
    ) -> [Endpoint] {
        if let told = roles.peers[peer.name] { return [told] }
        guard let kind = PeerKind.named(peer.kind) else { return [] }
        let speaking = seen.speaking[kind.protocolName] ?? []
        let port = peer.settings["port"]?.integerValue ?? Int64(kind.defaultPort)
        if kind.callsDevice {
            let byPort = seen.called.filter { Int64($0.port) == port && speaking.contains($0) }
            let devices = byPort.isEmpty ? seen.called.intersection(speaking) : byPort
            return isOnly ? devices.flatMap { seen.callers[$0] ?? [] } : []
        }
        let byPort = speaking.filter { Int64($0.port) == port }
        if !byPort.isEmpty { return Array(byPort) }
        return isOnly ? Array(speaking.intersection(seen.called)) : []
    }

    private static func endpoints(in path: String) throws -> Seen {
        var file = try CaptureFile(path: path)
        var engine = TraceEngine()
        var messages: [TraceMessage] = []
        var seen = Seen()
        func take() {
            for message in messages {
                if message.name == "tcp.SYN", let callee = message.destination {
                    seen.called.insert(callee)
                    if let caller = message.source {
                        seen.callers[callee, default: []].insert(caller)
                    }
                }
                let ends = [message.source, message.destination].compactMap(\.self)
                seen.speaking[message.content.protocolName, default: []].formUnion(ends)
            }
            messages.removeAll(keepingCapacity: true)
        }
        // Damage is reported when the case is judged; what came before it is enough here.
        while let packet = try? file.next() {
            engine.consume(packet, into: &messages)
            take()
        }
        return seen
    }
}

extension TestCase {
    /// Whether a peer takes part: one that calls the device does nothing unless a step speaks of it.
    fileprivate func involves(_ peer: PeerDeclaration) -> Bool {
        guard PeerKind.named(peer.kind)?.callsDevice == true else { return true }
        return (preamble + steps).plain.contains { step in
            if case .perform(let action) = step.verb, action.party == peer.name { return true }
            return step.from == peer.name || step.to == peer.name
        }
    }
}
