import SuiteLanguage
import Trace
import Wire

/// The parties in a trace: which endpoint belongs to which party of the suite.
public struct Parties: Sendable, Hashable {
    /// The peers' endpoints; every other endpoint that communicates with one of them is a device.
    ///
    /// The port 0 means any port: for peers that call the device from ephemeral ports.
    public var peers: [Endpoint: String]
    /// The names of devices for the endpoints of peers that serve only one device.
    ///
    /// The other peers serve `device`.
    public var devicesByPeer: [Endpoint: String]
    /// The devices' own addresses, if they are given; then all other endpoints are unknown parties.
    ///
    /// The port 0 means any port.
    public var devices: [Endpoint: String]

    /// Creates a mapping.
    public init(
        peers: [Endpoint: String], devicesByPeer: [Endpoint: String] = [:],
        devices: [Endpoint: String] = [:]
    ) {
        self.peers = peers
        self.devicesByPeer = devicesByPeer
        self.devices = devices
    }

    /// Returns the party that sends `message`.
    public func sender(of message: TraceMessage) -> String? {
        party(at: message.source, facing: message.destination)
    }

    /// Returns the party that receives `message`.
    public func receiver(of message: TraceMessage) -> String? {
        // Multicasts and broadcasts of a peer are for the device.
        if let source = message.source, let destination = message.destination,
            destination.address.cast != .unicast, peer(at: source) != nil
        {
            return devicesByPeer[source] ?? devicesByPeer[source.party] ?? Step.device
        }
        return party(at: message.destination, facing: message.source)
    }

    /// Returns the peer at an endpoint; `nil` if there is none.
    public func peer(at endpoint: Endpoint) -> String? {
        let party = endpoint.party
        // Most suites have one or two peers; comparing them costs less than hashing the endpoint.
        guard peers.count <= Self.comparedMax else { return peers[endpoint] ?? peers[party] }
        var found: String?
        for (known, name) in peers {
            if known == endpoint { return name }
            if known == party { found = name }
        }
        return found
    }

    private static let comparedMax = 4

    /// Whether an end is an unknown Bluetooth device, and the other one the host of a controller.
    ///
    /// Messages of the host to such a device are also messages of the device under test.
    private func isStranger(_ end: Endpoint, facing host: Endpoint) -> Bool {
        guard case .bluetooth = end, case .ip = host else { return false }
        return peers.keys.contains { if case .bluetooth = $0 { true } else { false } }
    }

    private func party(at endpoint: Endpoint?, facing other: Endpoint?) -> String? {
        guard let endpoint else { return nil }
        if let peer = peer(at: endpoint) { return peer }
        guard let other, peer(at: other) != nil || isStranger(other, facing: endpoint) else {
            return nil
        }
        guard devices.isEmpty else { return devices[endpoint] ?? devices[endpoint.party] }
        return devicesByPeer[other] ?? devicesByPeer[other.party] ?? Step.device
    }
}
