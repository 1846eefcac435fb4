import Foundation
import System
import Testing
import Wire

@testable import conform_device

@Suite("Session client on a real socket", .serialized)
struct SessionLoopTests {
    /// A client that runs in its own thread at ten times real speed, with pipes for its streams.
    ///
    /// It gives a busy machine six seconds for each answer. Its waits between attempts are 10 s
    /// long, which is one second.
    private final class RunningClient {
        private let input = Pipe()
        private let output = Pipe()
        let lines: DeviceLines

        private static let configuration = {
            var configuration = SessionConfiguration()
            configuration.connectionTimeout = 60_000
            configuration.pingTimeout = 60_000
            configuration.strategy.increment = 10_000
            configuration.strategy.maximum = 10_000
            configuration.strategy.resetAfter = 1_000_000
            return configuration
        }()

        init(port: UInt16) throws {
            signal(SIGPIPE, SIG_IGN)
            lines = DeviceLines(output)
            let address = try #require(NumericAddress(host: "127.0.0.1", port: port))
            let scale = try #require(ClockRate("10"))
            let reading = input.fileHandleForReading.fileDescriptor
            let writing = output.fileHandleForWriting.fileDescriptor
            let ended = output.fileHandleForWriting
            Thread.detachNewThread {
                let client = SessionClient(
                    configuration: Self.configuration, host: address.authority, seed: 7)
                var loop = DeviceLoop(
                    client, input: reading, output: writing, scale: scale
                ) { _ in address }
                _ = loop.run()
                try? ended.close()
            }
        }

        func control(_ method: String) {
            let line = #"{"jsonrpc":"2.0","method":"\#(method)"}"#
            input.fileHandleForWriting.write(Data("\(line)\n".utf8))
        }
    }

    @Test("A client opens a session, pings, reconnects, resumes, pauses, comes back and is stopped")
    func wholeLife() throws {
        let server = try SocketSessionServer()
        let client = try RunningClient(port: server.port)
        #expect(try server.open(.ok) == nil)
        try server.answerPing()
        server.reset()
        #expect(try server.open(.reconnected) == String(repeating: "T", count: 24))
        try server.answerPing()

        client.control("background")
        try client.lines.wait(for: "applicationInBackground")
        // A client in the background learns only on its return what happened to its connection.
        server.reset()
        client.control("foreground")
        #expect(try server.open(.unknownSession) != nil)
        #expect(try server.open(.ok) == nil)
        client.control("stop")
        while try server.next().name != "diffusion.close" {}
        #expect(try server.next().name == "websocket.close")

        let lines = try client.lines.untilTheEnd()
        let states = lines.filter { $0["event"] == "sessionStateChange" }
            .compactMap { $0["to"]?.stringValue }
        #expect(
            states.prefix(5) == [
                "Connecting", "Connected Active", "Failing", "Recovering Reconnect",
                "Connected Active",
            ])
        #expect(
            states.suffix(4) == [
                "Closed By Server", "Connecting", "Connected Active", "Closed By Client",
            ])
        #expect(lines.last == ["event": "exited", "code": 0])
    }

    @Test("A wait takes a tenth of its time when time runs ten times as fast, and never less")
    func scaledWait() throws {
        let server = try SocketSessionServer()
        let client = try RunningClient(port: server.port)
        _ = try server.open(.ok)
        server.reset()
        _ = try server.open(.reconnected)
        let loseConnection = ContinuousClock.now
        server.reset()
        _ = try server.open(.reconnected)
        let elapsed = ContinuousClock.now - loseConnection
        #expect(elapsed >= .seconds(1) && elapsed < .seconds(5))
        client.control("stop")
        #expect(try client.lines.untilTheEnd().last == ["event": "exited", "code": 0])
    }
}
