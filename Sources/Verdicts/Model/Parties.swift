import Suites
import Trace
import Wire

/// Who is who in a trace: which endpoint belongs to which party of the suite.
public struct Parties: Sendable, Hashable {
    /// The peers' endpoints; every other endpoint that talks to one of them is a device.
    ///
    /// The port 0 stands for any: for peers that call the device from ports as they come.
    public var peers: [Endpoint: String]
    /// For endpoints of peers that are there for one device only, its name; the others are there
    /// for `device`.
    public var devicesByPeer: [Endpoint: String]
    /// The devices' own addresses, as far as they are told; then all others are strangers.
    ///
    /// The port 0 stands for any.
    public var devices: [Endpoint: String]

    /// Makes a mapping.
    public init(
        peers: [Endpoint: String], devicesByPeer: [Endpoint: String] = [:],
        devices: [Endpoint: String] = [:]
    ) {
        self.peers = peers
        self.devicesByPeer = devicesByPeer
        self.devices = devices
    }

    /// The party at an endpoint that takes part in `message`.
    public func sender(of message: TraceMessage) -> String? {
        party(at: message.source, facing: message.destination)
    }

    /// The party that receives `message`.
    public func receiver(of message: TraceMessage) -> String? {
        // What a peer sends to a group or to all is for the device.
        if let source = message.source, let destination = message.destination,
            destination.address.cast != .unicast, peer(at: source) != nil
        {
            return devicesByPeer[source] ?? devicesByPeer[source.party] ?? Step.device
        }
        return party(at: message.destination, facing: message.source)
    }

    /// The peer at an endpoint; `nil` if it is none's.
    public func peer(at endpoint: Endpoint) -> String? {
        let party = endpoint.party
        // Most suites have one or two; to compare them costs less than to hash the endpoint.
        guard peers.count <= Self.comparedMax else { return peers[endpoint] ?? peers[party] }
        var found: String?
        for (known, name) in peers {
            if known == endpoint { return name }
            if known == party { found = name }
        }
        return found
    }

    private static let comparedMax = 4

    /// Whether an end is a Bluetooth device that nobody knows, and the other one the host of a
    /// controller: what it says to such a device is said by the device under test, too.
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
