import ExternalAccessory
import Foundation
import System
import Testing

@testable import conform_device

@Suite("Loop on a real socket", .serialized)
struct AppLoopTests {
    /// An app that runs in its own thread, with pipes for its standard streams.
    private final class RunningApp {
        private let input = Pipe()
        private let output = Pipe()
        let lines: DeviceLines

        init(_ configuration: LifecycleConfiguration, port: UInt16) throws {
            signal(SIGPIPE, SIG_IGN)
            lines = DeviceLines(output)
            let address = try #require(NumericAddress(host: "127.0.0.1", port: port))
            let reading = input.fileHandleForReading.fileDescriptor
            let writing = output.fileHandleForWriting.fileDescriptor
            let ended = output.fileHandleForWriting
            Thread.detachNewThread {
                var loop = AppLoop(
                    SDLAppLifecycle(configuration: configuration), address: address,
                    input: reading, output: writing)
                _ = loop.run()
                try? ended.close()
            }
        }

        func control(_ line: String) {
            input.fileHandleForWriting.write(Data("\(line)\n".utf8))
        }
    }

    private var configuration: LifecycleConfiguration {
        .multilingual.with { $0.reconnectDelay = 20 }
    }

    @Test("An app connects when the port opens, changes, is dropped, comes back and is stopped")
    func wholeLife() throws {
        let headUnit = try SocketHeadUnit()
        let app = try RunningApp(configuration, port: headUnit.port)
        try app.lines.wait(for: "connectRefused")
        headUnit.open()
        #expect(try headUnit.register(language: "DE-DE")["languageDesired"] == "EN-US")
        let change = try headUnit.next()
        #expect(change.name == "sdl.ChangeRegistration.request")
        try headUnit.answer(change, ["success": true, "resultCode": "SUCCESS"])
        headUnit.drop()

        #expect(try headUnit.register(language: "DE-DE")["languageDesired"] == "DE-DE")
        #expect(try headUnit.activate().name == "sdl.Show.request")
        app.control(#"{"jsonrpc":"2.0","id":1,"method":"stop"}"#)
        let leave = try headUnit.next()
        #expect(leave.name == "sdl.UnregisterAppInterface.request")
        try headUnit.answer(leave, ["success": true, "resultCode": "SUCCESS"])
        let end = try headUnit.next()
        #expect(end.name == "sdl.EndService")
        #expect(end.fields["params"] == ["hashId": 5])
        headUnit.send(.endServiceACK)
        #expect(headUnit.isClosedByApp())

        let lines = try app.lines.untilTheEnd()
        let events = lines.compactMap { $0["event"]?.stringValue }
        #expect(events.prefix(3) == ["started", "connecting", "connectRefused"])
        #expect(events.count { $0 == "ready" } == 2)
        #expect(lines.contains(["jsonrpc": "2.0", "id": 1, "result": true]))
        #expect(lines.last == ["event": "exited", "code": 0])
    }

    @Test("An app reaches a head unit over the accessory bus and its hub, and is stopped")
    func accessoryBus() throws {
        let headUnit = try SocketHeadUnit()
        headUnit.open()
        let app = try RunningApp(configuration.with { $0.transport = .iap }, port: headUnit.port)
        #expect(try headUnit.acceptBusConnection() == "EA-BUS/1 control")
        let accessory = ExternalAccessory.Accessory(
            id: 1, name: "Hub",
            protocols: ["com.smartdevicelink.prot0", "com.smartdevicelink.prot3"])
        headUnit.send(
            raw: ExternalAccessory.BusLine.accessory(accessory) + ExternalAccessory.BusLine.ready)
        #expect(
            try headUnit.acceptBusConnection() == "EA-BUS/1 session 1 com.smartdevicelink.prot0")
        headUnit.send(raw: ExternalAccessory.BusLine.opened(session: 1) + [3])
        #expect(headUnit.isClosedByApp())
        headUnit.drop()
        #expect(
            try headUnit.acceptBusConnection() == "EA-BUS/1 session 1 com.smartdevicelink.prot3")
        headUnit.send(raw: ExternalAccessory.BusLine.opened(session: 2))
        #expect(try headUnit.registerHere(language: "EN-US")["appName"] == "Weather")
        #expect(try headUnit.activate().name == "sdl.Show.request")
        app.control(#"{"jsonrpc":"2.0","id":1,"method":"stop"}"#)
        try headUnit.answer(try headUnit.next(), ["success": true, "resultCode": "SUCCESS"])
        #expect(try headUnit.next().name == "sdl.EndService")
        headUnit.send(.endServiceACK)
        #expect(headUnit.isClosedByApp())
        let lines = try app.lines.untilTheEnd()
        let requested = lines.filter { $0["event"] == "sessionAsked" }
        #expect(
            requested.compactMap { $0["session"]?.stringValue } == ["control", "data"])
        #expect(lines.last == ["event": "exited", "code": 0])
    }

    @Test("Neither a silent head unit nor the end of standard input delays a stop")
    func silentHeadUnit() throws {
        let headUnit = try SocketHeadUnit()
        headUnit.open()
        let app = try RunningApp(configuration, port: headUnit.port)
        _ = try headUnit.register(language: "EN-US")
        #expect(try headUnit.activate().name == "sdl.Show.request")
        let start = ContinuousClock.now
        app.control(#"{"jsonrpc":"2.0","id":1,"method":"stop"}"#)
        #expect(try headUnit.next().name == "sdl.UnregisterAppInterface.request")
        #expect(try headUnit.next().name == "sdl.EndService")
        #expect(headUnit.isClosedByApp())
        let duration = ContinuousClock.now - start
        #expect(duration > .seconds(1.9) && duration < .seconds(4))
        #expect(try app.lines.untilTheEnd().last == ["event": "exited", "code": 0])
    }
}
