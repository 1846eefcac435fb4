import ExternalAccessory
import Glibc
import TestSupport
import Testing

@testable import AccessoryBus

/// The accessory side on a real loopback socket, whose calls wait at most five seconds.
private final class AccessorySide {
    typealias Failure = LoopbackListener.Failure

    private let listener: LoopbackListener

    init() throws {
        listener = try LoopbackListener()
        listener.open()
    }

    var port: UInt16 { listener.port }

    /// Accepts the next connection and reads its first line.
    func accept() throws -> (descriptor: Int32, line: String) {
        let connection = try listener.accept()
        return (connection, try LoopbackListener.line(of: connection))
    }

    /// Reads `count` bytes, or fewer if the stream ends.
    func read(_ connection: Int32, _ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            let received = recv(connection, &buffer, min(buffer.count, count - bytes.count), 0)
            guard received >= 0 else { throw Failure(text: "silent") }
            if received == 0 { break }
            bytes += buffer.prefix(received)
        }
        return bytes
    }

    func write(_ bytes: [UInt8], _ connection: Int32) {
        _ = bytes.withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
}

extension BusClient {
    /// Waits at most five seconds for an event that is wanted, and returns it.
    fileprivate func wait(_ isWanted: (BusEvent) -> Bool) throws -> BusEvent {
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end {
            if let event = advance().first(where: isWanted) { return event }
            var waiting = descriptors.map {
                pollfd(
                    fd: $0.number, events: Int16($0.wantsToWrite ? POLLIN | POLLOUT : POLLIN),
                    revents: 0)
            }
            if !hasEvents { poll(&waiting, nfds_t(waiting.count), 100) }
        }
        throw AccessorySide.Failure(text: "no such event")
    }
}

@Suite("The phone's side of the bus on sockets", .serialized)
struct BusClientTests {
    private let accessory = ExternalAccessory.Accessory(id: 3, name: "A", protocols: ["x"])

    @Test("A phone learns of accessories, opens a session, sends much data and closes it in order")
    func life() throws {
        let side = try AccessorySide()
        let client = try #require(BusClient(host: "127.0.0.1", port: side.port))
        client.start()
        #expect(client.advance().isEmpty)
        let control = try side.accept()
        defer { close(control.descriptor) }
        #expect(control.line == "EA-BUS/1 control")
        side.write(
            ExternalAccessory.BusLine.accessory(accessory) + ExternalAccessory.BusLine.ready,
            control.descriptor)
        _ = try client.wait { $0 == .ready }
        #expect(client.accessories == [accessory])

        let session = client.openSession(with: 3, protocolString: "x")
        _ = client.advance()
        let connection = try side.accept()
        #expect(connection.line == "EA-BUS/1 session 3 x")
        side.write(ExternalAccessory.BusLine.opened(session: 9), connection.descriptor)
        _ = try client.wait { $0 == .opened(session, id: 9) }

        // More than the system accepts at once.
        let bytes = [UInt8](repeating: 7, count: 16_000_000) + [8]
        client.send(bytes, in: session)
        #expect(client.descriptors.contains { $0.wantsToWrite })
        var received: [UInt8] = []
        while received.count < bytes.count {
            received += try side.read(
                connection.descriptor, min(200_000, bytes.count - received.count))
            _ = client.advance()
        }
        #expect(received == bytes)
        side.write([4, 5], connection.descriptor)
        #expect(try client.wait { _ in true } == .received(session, [4, 5]))
        client.close(session)
        #expect(try side.read(connection.descriptor, 1).isEmpty)
        close(connection.descriptor)
    }

    @Test("A session that the accessory side ends and a lost control connection are reported")
    func ends() throws {
        let side = try AccessorySide()
        let client = try #require(BusClient(host: "127.0.0.1", port: side.port))
        client.start()
        _ = client.advance()
        let control = try side.accept()
        let session = client.openSession(with: 3, protocolString: "x")
        _ = client.advance()
        let connection = try side.accept()
        close(connection.descriptor)
        guard case .ended(session, _) = try client.wait({ _ in true }) else {
            Issue.record("not ended")
            return
        }
        close(control.descriptor)
        guard case .lost = try client.wait({ _ in true }) else {
            Issue.record("not lost")
            return
        }
        #expect(client.descriptors.isEmpty)
    }

    @Test("A port without a listener is reported as a lost control connection")
    func refused() throws {
        let port = try AccessorySide().port
        let client = try #require(BusClient(host: "127.0.0.1", port: port))
        client.start()
        guard case .lost(let reason) = try client.wait({ _ in true }) else {
            Issue.record("not lost")
            return
        }
        #expect(reason.hasPrefix("connect"))
    }

    @Test("A host must be an IP address", arguments: ["", "example.org", "1.2.3", "::g"])
    func badHost(host: String) {
        #expect(BusClient(host: host, port: 1) == nil)
    }
}
