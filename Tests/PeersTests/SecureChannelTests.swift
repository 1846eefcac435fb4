import PeerKit
import TLS
import Testing
import Wire

@Suite("Channels that protect the connections of a peer") struct SecureChannelTests {
    private let listener: PeerListener

    init() throws {
        listener = try PeerListener(address: .loopback, port: 0)
        listener.channels = try #require(TLSSecurity()).channels(.object([]), isServer: true)
    }

    /// Passes bytes between a client and the listener until the connection has ended.
    private func finish(_ client: TLS.Endpoint, _ device: TestDevice) -> [UInt8] {
        var plain: [UInt8] = []
        device.send(client.begin())
        for _ in 0..<20 where !client.isOver {
            listener.turn(patience: 100)
            guard case .bytes(let bytes) = device.receive() else { break }
            let result = client.receive(bytes)
            plain += result.plain
            if !result.output.isEmpty { device.send(result.output) }
        }
        return plain
    }

    @Test("bytes that wait for the handshake are sent before the connection is closed")
    func closeBeforeHandshake() throws {
        let device = try #require(TestDevice(port: listener.localPort))
        listener.turn(patience: 0)
        #expect(listener.perform(.write(device.connection, [1, 2, 3])) == .queued)
        #expect(listener.perform(.close(device.connection)) == .queued)
        #expect(listener.perform(.write(device.connection, [4])) == .noConnection)
        let client = try #require(
            TLS.Settings(isServer: false).flatMap { TLS.Endpoint($0) })
        #expect(finish(client, device) == [1, 2, 3])
        #expect(client.isFinished)
        #expect(device.receive() == .end)
    }

    @Test("a device that leaves during the handshake ends the connection")
    func leavesDuringHandshake() throws {
        var device = TestDevice(port: listener.localPort)
        listener.turn(patience: 0)
        let connection = try #require(device?.connection)
        #expect(listener.perform(.write(connection, [1])) == .queued)
        #expect(listener.perform(.close(connection)) == .queued)
        device = nil
        listener.turn(patience: 2000)
        #expect(listener.pollDescriptors.count == 1)
    }
}
