import Capture
import Protocols
import Suites
import Trace
import Verdicts

extension CaptureCheck {
    /// Finds out who is who in a capture that does not say: by what the user told, by the ports of
    /// the suite's peers, or, for a single peer, by who was called.
    static func parties(
        of testCase: TestCase, in path: String, roles: Roles
    ) throws -> Parties {
        let seen = try endpoints(in: path)
        var parties = Parties(peers: [:])
        for peer in testCase.peers {
            let found = endpoints(
                of: peer, among: seen, roles: roles, isOnly: testCase.peers.count == 1)
            guard !found.isEmpty else {
                throw CheckError(
                    "\(path): it is not clear which endpoint is the peer \(peer.name); "
                        + "tell with --peer \(peer.name)=ADDRESS:PORT "
                        + "(seen: \(seen.called.map(\.description).sorted().joined(separator: ", ")))"
                )
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

    private struct Seen {
        /// Endpoints that messages of each protocol went to or came from.
        var speaking: [String: Set<Endpoint>] = [:]
        /// Endpoints that a connection was opened to.
        var called: Set<Endpoint> = []
    }

    private static func endpoints(
        of peer: PeerDeclaration, among seen: Seen, roles: Roles, isOnly: Bool
    ) -> [Endpoint] {
        if let told = roles.peers[peer.name] { return [told] }
        guard let kind = PeerKind.named(peer.kind) else { return [] }
        let speaking = seen.speaking[kind.protocolName] ?? []
        let port = peer.settings["port"]?.integerValue ?? Int64(kind.defaultPort)
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
