import Glibc
import PeerKit
import Testing
import Wire

@Suite("Impairment of a listener's link") struct ListenerImpairmentTests {
    private let listener: PeerListener

    init() throws {
        listener = try PeerListener(address: .loopback, port: 0)
    }

    private func connectedDevice() throws -> TestDevice {
        let device = try #require(TestDevice(port: listener.localPort))
        listener.turn(patience: 0)
        return device
    }

    @Test("connections are refused until the listener listens again, on the same port")
    func refuse() throws {
        let device = try connectedDevice()
        try listener.perform(.stopListening)
        #expect(TestDevice(port: listener.localPort) == nil)
        #expect(errno == ECONNREFUSED)
        #expect(listener.perform(.write(device.connection, [1])) == .done)
        #expect(device.receive() == .bytes([1]), "connections stay")
        try listener.perform(.stopListening)
        try listener.perform(.listen)
        try listener.perform(.listen)
        let second = try connectedDevice()
        #expect(listener.perform(.write(second.connection, [2])) == .done)
        #expect(second.receive() == .bytes([2]))
    }

    @Test("all connections are reset at once")
    func kill() throws {
        let devices = [try connectedDevice(), try connectedDevice()]
        try listener.perform(.stopListening)
        try listener.perform(.resetAll)
        for device in devices { #expect(device.receive() == .error(ECONNRESET)) }
        #expect(listener.connections.isEmpty && listener.pollDescriptors.isEmpty)
    }

    @Test("connections are turned away on arrival", arguments: LinkImpairment.End.allCases)
    func turnAway(end: LinkImpairment.End) throws {
        try listener.perform(.turnAway(end))
        let device = try connectedDevice()
        #expect(device.receive() == (end == .close ? .end : .error(ECONNRESET)))
        try listener.perform(.listen)
        let welcome = try connectedDevice()
        #expect(listener.perform(.write(welcome.connection, [3])) == .done)
        #expect(welcome.receive() == .bytes([3]))
    }

    /// Whether this process may drop packets for a listening socket.
    ///
    /// Newer kernels require the privilege to administer the network.
    private static let mayDrop: Bool = {
        guard geteuid() != 0 else { return true }
        guard let listener = try? PeerListener(address: .loopback, port: 0) else { return false }
        return (try? listener.perform(.blackHole)) != nil
    }()

    @Test(
        "a black hole answers neither attempts nor connections",
        .enabled(if: mayDrop, "dropping packets of a socket is not permitted here"))
    func blackHole() throws {
        let device = try connectedDevice()
        try listener.perform(.blackHole)
        #expect(TestDevice(port: listener.localPort) == nil)
        #expect(errno == EINPROGRESS, "no refusal arrived")
        #expect(device.send([1, 2, 3]) == 3, "the kernel accepts it and repeats it in vain")
        try listener.perform(.listen)
        let second = try connectedDevice()
        #expect(listener.perform(.write(second.connection, [4])) == .done)
        #expect(second.receive() == .bytes([4]))
    }

    @Test("a stalled link neither reads nor writes until it continues")
    func stall() throws {
        let device = try connectedDevice()
        try listener.perform(.setStalled(true))
        #expect(listener.perform(.write(device.connection, [5])) == .queued)
        listener.turn(patience: 0)
        device.send([UInt8](repeating: 1, count: 1000))
        #expect(
            listener.pollDescriptors.allSatisfy {
                $0.events == 0 || $0.events == Int16(POLLIN)
            })
        try listener.perform(.setStalled(false))
        listener.turn(patience: 0)
        #expect(device.receive() == .bytes([5]))
    }

    /// Whether this process may close a connection without sending a packet.
    private static let mayForget: Bool = {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var on: Int32 = 1
        return setsockopt(descriptor, Int32(IPPROTO_TCP), 19, &on, 4) == 0
    }()

    @Test(
        "a forgotten connection is reset when the device next sends, not before",
        .enabled(if: mayForget, "TCP_REPAIR is not permitted here"))
    func halfOpen() throws {
        let device = try connectedDevice()
        try listener.perform(.forgetAll)
        #expect(listener.connections.isEmpty)
        #expect(device.send([1]) == 1)
        #expect(device.receive() == .error(ECONNRESET))
    }
}
