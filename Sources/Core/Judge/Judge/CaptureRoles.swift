import SuiteLanguage
import Trace

/// The roles of endpoints in a capture, as the user says them.
public struct CaptureRoles: Sendable, Hashable {
    /// Endpoints of peers by name; the port 0 means any port.
    public var peers: [String: Endpoint]
    /// The devices' own addresses; the port 0 means any port.
    public var devices: [Endpoint: String] = [:]

    /// Creates roles.
    public init(peers: [String: Endpoint] = [:]) {
        self.peers = peers
    }

    /// Returns how they contradict the metadata of a capture of `conform`; `nil` if they agree.
    public func contradiction(to parties: Parties) -> String? {
        for (name, endpoint) in peers.sorted(by: { $0.key < $1.key }) {
            let known = (Array(parties.peers) + Array(parties.datagramPeers))
                .filter { $0.value == name }.map(\.key).sorted { "\($0)" < "\($1)" }
            let isKnown = known.contains { $0 == endpoint || $0.party == endpoint }
            guard !isKnown else { continue }
            let places = known.map(\.description).joined(separator: ", ")
            return "the capture says that the peer \(name) is "
                + (places.isEmpty ? "not in it" : "at \(places)") + ", not at \(endpoint)"
        }
        for (endpoint, name) in devices where parties.peer(at: endpoint) != nil {
            return "the capture says that \(endpoint) is a peer, not the device \(name)"
        }
        return nil
    }
}
