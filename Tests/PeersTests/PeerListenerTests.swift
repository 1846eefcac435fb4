import Glibc
import PeerKit
import TCPIP
import Testing
import Wire

@Suite("A peer's listener") struct PeerListenerTests {
    private let listener: PeerListener

    init() throws {
        listener = try PeerListener(address: .loopback, port: 0)
    }

    private func connectedDevice() throws -> TestDevice {
        let device = try #require(TestDevice(port: listener.localPort))
        listener.turn(patience: 0)
        return device
    }

    @Test("an ephemeral port is reported, and written bytes arrive")
    func writeArrives() throws {
        let device = try connectedDevice()
        #expect(listener.localPort != 0)
        #expect(listener.connections == [device.connection])
        #expect(listener.perform(.write(device.connection, [1, 2, 3])) == .done)
        #expect(device.receive() == .bytes([1, 2, 3]))
    }

    @Test("a command for a connection that waits to be accepted accepts it first")
    func acceptsOnDemand() throws {
        let device = try #require(TestDevice(port: listener.localPort))
        #expect(listener.perform(.write(device.connection, [7])) == .done)
        #expect(device.receive() == .bytes([7]))
    }

    @Test("bytes in segments arrive in order and complete")
    func segments() throws {
        let device = try connectedDevice()
        let bytes = (0..<20).map { UInt8($0) }
        #expect(
            listener.perform(.writeSegments(device.connection, bytes, size: 7)) == .done)
        #expect(listener.perform(.write(device.connection, [99])) == .done)
        var received: [UInt8] = []
        while received.count < 21, case .bytes(let part) = device.receive() { received += part }
        #expect(received == bytes + [99])
    }

    @Test("the device's bytes are drained, so that it never stalls")
    func drains() throws {
        let device = try connectedDevice()
        let chunk = [UInt8](repeating: 0x55, count: 100_000)
        for _ in 0..<100 {
            #expect(device.send(chunk) == chunk.count)
            listener.turn(patience: 0)
        }
    }

    @Test("received bytes are kept only for a link over TCP, in order and once")
    func received() throws {
        let (first, second) = (try connectedDevice(), try connectedDevice())
        first.send([1, 2])
        listener.turn(patience: 2000)
        #expect(listener.takeReceived().isEmpty)
        listener.keepsReceived = true
        var arrived: [PeerConnection: [UInt8]] = [:]
        for bytes in [[3, 4], [5], [6, 7, 8]] as [[UInt8]] {
            first.send(bytes)
            second.send(bytes.map { $0 + 100 })
        }
        while arrived.values.map(\.count).reduce(0, +) < 12 {
            listener.turn(patience: 2000)
            let pieces = listener.takeReceived()
            try #require(!pieces.isEmpty)
            for piece in pieces { arrived[piece.connection, default: []] += piece.bytes }
        }
        #expect(arrived[first.connection] == [3, 4, 5, 6, 7, 8])
        #expect(arrived[second.connection] == [103, 104, 105, 106, 107, 108])
        #expect(listener.takeReceived().isEmpty)
    }

    @Test("an orderly close with unread data in the receive buffer is a FIN, not a RST")
    func closeWithUnreadData() throws {
        let device = try connectedDevice()
        device.send([UInt8](repeating: 1, count: 10_000))
        #expect(listener.perform(.write(device.connection, [9])) == .done)
        #expect(listener.perform(.close(device.connection)) == .done)
        #expect(device.receive() == .bytes([9]))
        #expect(device.receive() == .end)
        #expect(device.send([1, 2, 3]) == 3)
        listener.turn()
        #expect(device.receive() == .end)
        #expect(device.send([4]) == 1)
        device.close()
        // The last byte and the end may arrive separately.
        for _ in 0..<3 where listener.pollDescriptors.count > 1 {
            listener.turn(patience: 2000, atMost: 1)
        }
        #expect(listener.pollDescriptors.count == 1)
    }

    @Test("a reset reaches the device as ECONNRESET")
    func reset() throws {
        let device = try connectedDevice()
        #expect(listener.perform(.reset(device.connection)) == .done)
        #expect(device.receive() == .error(ECONNRESET))
        #expect(listener.connections.isEmpty)
    }

    @Test("a write beyond the socket's buffer is queued and arrives completely, and then the FIN")
    func bigWrite() throws {
        let device = try connectedDevice()
        let bytes = (0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        #expect(listener.perform(.write(device.connection, bytes)) == .queued)
        #expect(listener.perform(.close(device.connection)) == .queued)
        #expect(listener.perform(.write(device.connection, [1])) == .noConnection)
        var received: [UInt8] = []
        while case .bytes(let part) = device.receive() {
            received += part
            listener.turn(patience: 0, atMost: 4)
        }
        #expect(received.count == bytes.count)
        // Compared outside the macro, which would compute the differences of unequal arrays.
        let isSame = received == bytes
        #expect(isSame)
    }

    @Test("a write beyond the queue's limit is refused completely")
    func queueLimit() throws {
        let device = try connectedDevice()
        let half = [UInt8](repeating: 0, count: 40 << 20)
        #expect(listener.perform(.write(device.connection, half)) == .queued)
        #expect(listener.perform(.write(device.connection, half)) == .queueFull)
        listener.perform(.reset(device.connection))
    }

    @Test("a device that has closed ends its own connection and nothing else")
    func deviceGone() throws {
        let device = try connectedDevice()
        let connection = device.connection
        device.close()
        for _ in 0..<10 {
            listener.perform(.write(connection, [1, 2, 3]))
            listener.turn(patience: 1)
        }
        #expect(listener.perform(.write(connection, [1])) == .noConnection)
        #expect(listener.perform(.close(connection)) == .noConnection)
        #expect(listener.pollDescriptors.count == 1)
    }

    @Test("after the device's FIN answers are still sent, until the peer closes its side")
    func halfClosed() throws {
        let device = try connectedDevice()
        device.send([1])
        device.shutDownWriting()
        listener.turn()
        #expect(listener.perform(.write(device.connection, [5])) == .done)
        #expect(device.receive() == .bytes([5]))
        #expect(listener.perform(.close(device.connection)) == .done)
        #expect(device.receive() == .end)
        #expect(listener.pollDescriptors.count == 1)
    }

    @Test("two hundred connections are served at the same time and closed together")
    func manyConnections() throws {
        let devices = try (0..<200).map { _ in
            try #require(TestDevice(port: listener.localPort))
        }
        for (index, device) in devices.enumerated() {
            listener.perform(.write(device.connection, [UInt8(truncatingIfNeeded: index)]))
        }
        #expect(listener.connections.count == 200)
        #expect(listener.perform(.closeAll) == .done)
        for (index, device) in devices.enumerated() {
            #expect(device.receive() == .bytes([UInt8(truncatingIfNeeded: index)]))
            #expect(device.receive() == .end)
        }
    }

    @Test("stopping refuses new connections")
    func stop() throws {
        let device = try connectedDevice()
        device.send([1, 2])
        listener.stop()
        #expect(device.receive() == .end)
        #expect(TestDevice(port: listener.localPort) == nil)
        #expect(listener.pollDescriptors.isEmpty)
    }

    @Test("a port that is in use is an error with advice")
    func portInUse() {
        let error = #expect(throws: PeerError.self) {
            _ = try PeerListener(address: .loopback, port: listener.localPort)
        }
        #expect(error?.code == .cannotListen)
        #expect(error?.detail.contains("127.0.0.1:\(listener.localPort)") == true)
        #expect(error?.advice.contains("port: 0") == true)
    }

    @Test("IPv6 works as IPv4 does", .enabled(if: Self.hasIPv6, "this host has no ::1"))
    func ipv6() throws {
        let listener = try PeerListener(address: .loopback6, port: 0)
        let device = try #require(TestDevice(port: listener.localPort, isIPv6: true))
        listener.turn(patience: 0)
        let connection = PeerConnection(address: .loopback6, port: device.localPort)
        #expect(listener.connections == [connection])
        #expect(listener.perform(.write(connection, [6])) == .done)
        #expect(device.receive() == .bytes([6]))
    }

    private static var hasIPv6: Bool {
        (try? PeerListener(address: .loopback6, port: 0)) != nil
    }

    @Test("a port that is refused stays held, whatever options another socket sets")
    func holdsPort() throws {
        let address = IPAddress.loopback
        func canBind() -> Bool {
            [SO_REUSEADDR, SO_REUSEPORT].contains { option in
                let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(other) }
                var on: Int32 = 1
                setsockopt(other, SOL_SOCKET, option, &on, 4)
                var own = sockaddr_in()
                own.sin_family = sa_family_t(AF_INET)
                own.sin_port = listener.localPort.bigEndian
                own.sin_addr.s_addr = UInt32(address.words.low).bigEndian
                return withUnsafePointer(to: &own) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }
        }
        let device = try connectedDevice()
        #expect(!canBind())
        try listener.perform(.stopListening)
        #expect(TestDevice(port: listener.localPort) == nil)
        #expect(!canBind())
        try listener.perform(.listen)
        let later = try connectedDevice()
        #expect(listener.perform(.write(later.connection, [1])) == .done)
        #expect(later.receive() == .bytes([1]))
        #expect(listener.perform(.write(device.connection, [2])) == .done)
        #expect(listener.sent.streams.map(\.other) == [device.connection, later.connection])
        #expect(listener.sent.streams.map { $0.marks.last?.count } == [1, 1])
    }

    @Test("a port of datagrams that is refused stays held, and receives again")
    func holdsDatagramPort() throws {
        let port = try DatagramPort(address: .loopback, port: 0)
        #expect(try port.perform(.stopListening) == .done)
        #expect(throws: PeerError.self) {
            try DatagramPort(address: .loopback, port: port.localPort)
        }
        let sender = try DatagramPort(address: .loopback, port: 0)
        let to = PeerConnection(address: .loopback, port: port.localPort)
        #expect(try sender.perform(.command(.write(to, [1]))) == .done)
        #expect(try port.perform(.listen) == .done)
        #expect(try sender.perform(.command(.write(to, [2]))) == .done)
        for (fd, events) in port.pollDescriptors { port.handle(fd, events) }
        #expect(port.connections == [PeerConnection(address: .loopback, port: sender.localPort)])
        #expect(sender.sent.datagrams.values.map(\.count) == [2])
    }
}
