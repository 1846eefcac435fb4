import Devices
import PeerKit
import SuiteLanguage
import TCPIP
import Trace

/// The place where a peer meets one device: its address shows whose connection it is.
struct MeetingPoint {
    let device: String
    let port: any PeerPort
    /// Where the peer listens; or the address that it connects from, with port 0.
    let endpoint: Endpoint
    /// Where the device must listen for it; `nil` if the peer listens.
    let callee: Endpoint?
    /// Groups and broadcast addresses, with the port at which the peer receives datagrams.
    var groups: [Endpoint] = []
    /// Whether they exchange datagrams.
    var isDatagram: Bool { port is DatagramPort }

    /// Returns whether an endpoint is the peer's end of a connection.
    func holds(_ end: Endpoint) -> Bool {
        callee == nil
            ? end == endpoint || groups.contains(end) : end.address == endpoint.address
    }

    /// Returns the connection between two ends, named after the end that connects.
    func connection(between own: Endpoint, and other: Endpoint) -> PeerConnection {
        let caller = callee == nil ? other : own
        return PeerConnection(address: caller.address, port: caller.port)
    }

    /// Creates the place of a peer that connects to a device from an address of its own.
    static func caller(
        of device: String, from address: IPAddress, calling callee: Endpoint,
        byDatagrams isDatagram: Bool
    ) -> MeetingPoint {
        let port: any PeerPort =
            isDatagram
            ? DatagramPort(
                address: address,
                calling: PeerConnection(address: callee.address, port: callee.port))
            : PeerDialer(
                address: address, deviceAddress: callee.address, devicePort: callee.port)
        return MeetingPoint(
            device: device, port: port, endpoint: Endpoint(address: address, port: 0),
            callee: callee)
    }

    /// Creates the place of a peer that receives datagrams.
    ///
    /// It receives them at its own address, at broadcast addresses and at that of a group.
    static func datagrams(
        for device: String, at address: IPAddress, port: UInt16, shared: [IPAddress],
        group: IPAddress?
    ) throws(PeerError) -> MeetingPoint {
        let socket = try DatagramPort(address: address, port: port)
        let shared = [group].compactMap(\.self) + shared
        return MeetingPoint(
            device: device, port: socket,
            endpoint: Endpoint(address: address, port: socket.localPort), callee: nil,
            groups: shared.map {
                Endpoint(address: $0, port: socket.localPort)
            })
    }
}

/// A port on which a device must listen.
struct DevicePort: Hashable, CustomStringConvertible {
    let number: UInt16
    let isDatagram: Bool

    /// Whether the device listens there.
    var isOpen: Bool {
        isDatagram
            ? ListeningPorts.containsDatagram(number) : ListeningPorts.contains(number)
    }

    /// `TCP port 80`, `UDP port 53`.
    var description: String { "\(isDatagram ? "UDP" : "TCP") port \(number)" }
}

/// The ports on which devices must listen for peers that connect to them.
struct DevicePorts {
    let usesOwnPorts: Bool
    private var chosen: [Endpoint: UInt16] = [:]

    init(usesOwnPorts: Bool) { self.usesOwnPorts = usesOwnPorts }

    /// Returns the port that a suite names, or a free one instead.
    ///
    /// For two peers that connect to the same port of a device it is the same.
    mutating func port(_ named: UInt16, at address: IPAddress) throws(PeerError) -> UInt16 {
        if usesOwnPorts, named != 0 { return named }
        let place = Endpoint(address: address, port: named)
        if let port = chosen[place] { return port }
        let port = try PeerDialer.freePort(of: address)
        chosen[place] = port
        return port
    }
}
