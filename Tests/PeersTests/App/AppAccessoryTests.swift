import ExternalAccessory
import SDL
import SuiteLanguage
import Testing
import Wire

@testable import BluetoothPeers
@testable import PeerKit

@Suite("An app's sessions by protocol string")
struct AppAccessoryTests {
    private static let multisession = ExternalAccessory.multisessionString
    private static let hub = ExternalAccessory.controlString

    private func bench(
        _ settings: Value = .object([]), declaring protocols: [String]
    ) throws -> AppBench {
        var bench = try AppBench(settings.merging(["transport": "iap"]))
        _ = try bench.perform("connect")
        _ = try bench.accept()
        _ = bench.show(
            .accessory(ExternalAccessory.Accessory(id: 4, name: "HU", protocols: protocols)))
        return bench
    }

    @Test(
        "connect finds accessories, open requests a session, and SDL begins once it is open")
    func opens() throws {
        var bench = try bench(declaring: [Self.multisession])
        #expect(bench.lines == ["EA-BUS/1 control\n"])
        _ = bench.show(.ready)
        #expect(bench.commands == [.connect])
        _ = try bench.perform("open", .string(Self.multisession))
        #expect(try bench.accept().isEmpty)
        #expect(bench.lines.last == "EA-BUS/1 session 4 \(Self.multisession)\n")
        let opened = ExternalAccessory.Session(
            accessoryID: 4, protocolString: Self.multisession, id: 1)
        #expect(bench.show(.opened(opened)).names == ["sdl.StartService"])
    }

    @Test("On the hub the app sends nothing, and the index received gives the dedicated string")
    func dedicated() throws {
        var bench = try bench(declaring: [Self.hub])
        _ = try bench.perform("open", .string(Self.hub))
        _ = try bench.accept()
        let hub = bench.connection
        let session = ExternalAccessory.Session(accessoryID: 4, protocolString: Self.hub, id: 1)
        #expect(bench.show(.opened(session)).isEmpty)
        #expect(throws: PeerError.self) { try bench.peer.perform("open", arguments: "dedicated") }
        _ = bench.show(.data(session, [12]))
        _ = try bench.perform("end", .string(Self.hub))
        #expect(bench.commands.last == .close(hub))
        _ = try bench.perform("open", "dedicated")
        _ = try bench.accept()
        #expect(bench.lines.last == "EA-BUS/1 session 4 com.smartdevicelink.prot12\n")
    }

    @Test(
        "An automatic app prefers multisession from system 9 on, then the hub, then legacy",
        arguments: [
            ("9.0", ["com.ford.sync.prot0", hub, multisession], multisession),
            ("8.4", ["com.ford.sync.prot0", hub, multisession], hub),
            ("16", ["com.ford.sync.prot0", hub], hub),
            ("16", ["com.ford.sync.prot0"], "com.ford.sync.prot0"),
            ("16", ["com.example"], nil),
        ])
    func chooses(system: String, declared: [String], chosen: String?) throws {
        var bench = try bench(
            ["string": "automatic", "systemVersion": .string(system)], declaring: declared)
        _ = bench.show(.ready)
        guard let chosen else {
            #expect(bench.commands == [.connect])
            return
        }
        #expect(bench.commands == [.connect, .connect])
        _ = try bench.accept()
        #expect(bench.lines.last == "EA-BUS/1 session 4 \(chosen)\n")
    }

    @Test("An automatic app changes from the hub to the dedicated string by itself")
    func negotiates() throws {
        var bench = try bench(["string": "automatic"], declaring: [Self.hub])
        _ = bench.show(.ready)
        _ = try bench.accept()
        let session = ExternalAccessory.Session(accessoryID: 4, protocolString: Self.hub, id: 1)
        _ = bench.show(.opened(session))
        _ = bench.show(.data(session, [3]))
        #expect(bench.commands.suffix(2) == [.close(bench.connection), .connect])
        _ = try bench.accept()
        #expect(bench.lines.last == "EA-BUS/1 session 4 com.smartdevicelink.prot3\n")
    }

    @Test("The accessory of a connect notification takes precedence over the others")
    func notified() throws {
        var bench = try bench(["string": "automatic"], declaring: [])
        _ = bench.show(.ready)
        let found = ExternalAccessory.Accessory(id: 9, name: "Other", protocols: [Self.hub])
        _ = bench.show(.connected(found))
        _ = try bench.accept()
        #expect(bench.lines.last == "EA-BUS/1 session 9 \(Self.hub)\n")
    }
}
