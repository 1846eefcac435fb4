import Glibc
import TCPIP
import Testing

@testable import PeerKit

/// A peer that connects to the device on real sockets, with a listener as the device.
@Suite("Connecting to the device")
struct PeerDialerTests {
    private let device: PeerListener
    private let dialer: PeerDialer
    private static let own = IPAddress(ipv4: 0x7F01_0001)

    init() throws {
        device = try PeerListener(address: .loopback, port: 0)
        dialer = PeerDialer(
            address: Self.own, deviceAddress: .loopback, devicePort: device.localPort)
    }

    /// Advances both sides until nothing happens any more.
    private func turn() {
        for _ in 0..<100 {
            var watched = (device.pollDescriptors + dialer.pollDescriptors).map {
                pollfd(fd: $0.fd, events: $0.events, revents: 0)
            }
            guard poll(&watched, nfds_t(watched.count), 20) > 0 else { return }
            for entry in watched where entry.revents != 0 {
                device.handle(entry.fd, entry.revents)
                dialer.handle(entry.fd, entry.revents)
            }
        }
    }

    @Test("The peer connects from its own address, and the connection is named by its own end")
    func calls() throws {
        #expect(try dialer.perform(.command(.connect)) == .done)
        turn()
        let connection = try #require(dialer.connections.first)
        #expect(connection.address == Self.own && connection.port != 0)
        #expect(device.connections == [connection])
    }

    @Test("Bytes that are written at once arrive, and close ends both sides in order")
    func writesAndCloses() throws {
        _ = try dialer.perform(.command(.connect))
        let connection = try #require(dialer.connections.first)
        #expect(try dialer.perform(.command(.write(connection, [1, 2, 3]))) != .noConnection)
        #expect(try dialer.perform(.command(.close(connection))) != .noConnection)
        turn()
        #expect(dialer.connections.isEmpty)
        _ = device.perform(.close(connection))
        turn()
        #expect(device.connections.isEmpty && dialer.pollDescriptors.isEmpty)
    }

    @Test("A refused attempt leaves no connection and is not a fault")
    func refused() throws {
        device.stop()
        #expect(try dialer.perform(.command(.connect)) == .done)
        turn()
        #expect(dialer.connections.isEmpty && dialer.fault == nil)
    }

    @Test("Two calls give two connections, distinguished by their ports")
    func twice() throws {
        _ = try dialer.perform(.command(.connect))
        _ = try dialer.perform(.command(.connect))
        turn()
        #expect(Set(dialer.connections).count == 2)
        _ = try dialer.perform(.resetAll)
        turn()
        #expect(dialer.connections.isEmpty && device.connections.isEmpty)
    }

    @Test("An address that is not of this host and actions of a listener are refused")
    func refusals() throws {
        let stranger = PeerDialer(
            address: IPAddress(ipv4: 0x0808_0808), deviceAddress: .loopback, devicePort: 1)
        #expect(throws: PeerError.self) { try stranger.perform(.command(.connect)) }
        #expect(throws: PeerError.self) { try dialer.perform(.stopListening) }
        #expect(throws: PeerError.self) { try PeerDialer.freePort(of: stranger.address) }
        #expect(try PeerDialer.freePort(of: .loopback) > 0)
    }
}
