import SuiteLanguage
import TCPIP
import Trace
import Wire

/// The parties in a trace: which endpoint belongs to which party of the suite.
public struct Parties: Sendable, Hashable {
    /// The peers' endpoints; every other endpoint that communicates with one of them is a device.
    ///
    /// The port 0 means any port: for peers that call the device from ephemeral ports.
    public var peers: [Endpoint: String]
    /// The endpoints of peers that exchange datagrams, if they are known to be of UDP.
    ///
    /// A TCP port and a UDP port of the same number are different places. If there are none,
    /// datagrams are looked up in `peers`.
    public var datagramPeers: [Endpoint: String] = [:]
    /// The names of devices for the endpoints of peers that serve only one device.
    ///
    /// The other peers serve `device`.
    public var devicesByPeer: [Endpoint: String]
    /// The devices' own addresses, if they are given; then all other endpoints are unknown parties.
    ///
    /// The port 0 means any port.
    public var devices: [Endpoint: String] = [:]
    /// The name of the device that is `device` where each device is judged by itself.
    var scope: String?

    /// Creates a mapping.
    public init(peers: [Endpoint: String], devicesByPeer: [Endpoint: String] = [:]) {
        self.peers = peers
        self.devicesByPeer = devicesByPeer
    }

    /// Returns the party that sends `message`.
    public func sender(of message: TraceMessage) -> String? {
        party(
            at: message.source, facing: message.destination, Self.usesDatagrams(message))
    }

    /// Returns the party that receives `message`.
    public func receiver(of message: TraceMessage) -> String? {
        // Multicasts and broadcasts of a peer are for the device.
        if let source = message.source, let destination = message.destination,
            destination.address.cast != .unicast,
            peer(at: source, byDatagrams: Self.usesDatagrams(message)) != nil
        {
            return devicesByPeer[source] ?? devicesByPeer[source.party] ?? Step.device
        }
        return party(
            at: message.destination, facing: message.source, Self.usesDatagrams(message))
    }

    /// The names of the peers.
    public var peerNames: Set<String> { Set(peers.values).union(datagramPeers.values) }

    /// Adds a peer.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - endpoint: Where it is.
    ///   - usesDatagrams: Whether that is a port of UDP.
    public mutating func add(_ name: String, at endpoint: Endpoint, byDatagrams: Bool) {
        if byDatagrams { datagramPeers[endpoint] = name } else { peers[endpoint] = name }
    }

    /// Whether a message is a datagram; `nil` if it may be about one, or about a connection.
    private static func usesDatagrams(_ message: TraceMessage) -> Bool? {
        message.content is ICMPUnreachable ? nil : message.isDatagram
    }

    /// Whether a peer is at one of the ends of a message.
    public func concern(_ message: TraceMessage) -> Bool {
        let kind = Self.usesDatagrams(message)
        return [message.source, message.destination].contains { end in
            end.map { peer(at: $0, byDatagrams: kind) != nil } ?? false
        }
    }

    /// Whether a peer's port, and not only its host, is one of the ends of a message.
    func havePort(of message: TraceMessage) -> Bool {
        let places = message.isDatagram && !datagramPeers.isEmpty ? datagramPeers : peers
        return [message.source, message.destination].contains { end in
            end.map { $0 != $0.party && places[$0] != nil } ?? false
        }
    }

    /// Whether a peer sent a message.
    public func isFromPeer(_ message: TraceMessage) -> Bool {
        message.source.map {
            peer(at: $0, byDatagrams: Self.usesDatagrams(message)) != nil
        } ?? false
    }

    /// Returns the peer at an endpoint; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - byDatagrams: Whether the port is one of UDP; `nil` for either.
    public func peer(at endpoint: Endpoint, byDatagrams: Bool? = nil) -> String? {
        if !datagramPeers.isEmpty, byDatagrams != false {
            let found = Self.peer(at: endpoint, in: datagramPeers)
            if found != nil || byDatagrams == true { return found }
        }
        return Self.peer(at: endpoint, in: peers)
    }

    private static func peer(at endpoint: Endpoint, in peers: [Endpoint: String]) -> String? {
        let party = endpoint.party
        // Most suites have one or two peers; comparing them costs less than hashing the endpoint.
        guard peers.count <= comparedMax else { return peers[endpoint] ?? peers[party] }
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

    private func party(
        at endpoint: Endpoint?, facing other: Endpoint?, _ byDatagrams: Bool?
    ) -> String? {
        guard let endpoint else { return nil }
        if let peer = peer(at: endpoint, byDatagrams: byDatagrams) { return peer }
        guard let other,
            peer(at: other, byDatagrams: byDatagrams) != nil || isStranger(other, facing: endpoint)
        else {
            return nil
        }
        guard devices.isEmpty else { return devices[endpoint] ?? devices[endpoint.party] }
        return devicesByPeer[other] ?? devicesByPeer[other.party] ?? Step.device
    }
}
