import BuiltInProtocols
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("A head unit's connections and settings") struct HeadUnitConnectionTests {
    @Test("the device's FIN is answered by closing, and the connection is removed")
    func deviceCloses() throws {
        var bench = try HeadUnitBench.started()
        try bench.show(.fin)
        #expect(bench.otherCommands == [.close(bench.connection)])
        #expect(try bench.request("ListFiles").isEmpty)
        let error = #expect(throws: PeerError.self) {
            try bench.send("sdl.OnHMIStatus.notification")
        }
        #expect(error?.code == .noConnection)
    }

    @Test("a reset by either side ends the connection", arguments: [true, false])
    func resetEnds(_ byPeer: Bool) throws {
        var bench = try HeadUnitBench.started()
        try bench.show(.rst, sentByPeer: byPeer)
        #expect(bench.otherCommands.isEmpty)
        #expect(throws: PeerError.self) { _ = try bench.peer.perform("close", arguments: .null) }
    }

    @Test("a new connection from the same port begins without the old one's sessions")
    func samePort() throws {
        var bench = try HeadUnitBench.started()
        try bench.show(.fin)
        try bench.show(.syn)
        #expect(try bench.request("ListFiles").isEmpty)
        let answer = try bench.startSession(offering: "5.4.0")
        #expect(answer["params.hashId"] == 0x2_0001)
    }

    @Test("close and reset act on the latest open connection", arguments: ["close", "reset"])
    func latestConnection(_ action: String) throws {
        var bench = try HeadUnitBench()
        let first = bench.connection
        try bench.show(.syn)
        bench.connection = PeerConnection(address: .loopback, port: 40_001)
        try bench.show(.syn)
        let second = bench.connection
        let expected = [second, first].map {
            action == "close" ? [PeerCommand.close($0)] : [PeerCommand.reset($0)]
        }
        #expect(try bench.peer.perform(action, arguments: .null) == expected[0])
        #expect(try bench.peer.perform(action, arguments: .null) == expected[1])
        let error = #expect(throws: PeerError.self) {
            _ = try bench.peer.perform(action, arguments: .null)
        }
        #expect(error?.code == .noConnection)
    }

    @Test("close does not act on a connection without a session")
    func carryingConnection() throws {
        var bench = try HeadUnitBench.started()
        let first = bench.connection
        bench.connection = PeerConnection(address: .loopback, port: 40_001)
        try bench.show(.syn)
        #expect(bench.peer.latestConnection == first)
        #expect(try bench.peer.perform("close", arguments: .null) == [.close(first)])
        #expect(bench.peer.latestConnection == bench.connection)
    }

    @Test("after closing a connection the head unit answers nothing on it")
    func ownClose() throws {
        var bench = try HeadUnitBench.started()
        _ = try bench.peer.perform("close", arguments: .null)
        #expect(try bench.request("ListFiles").isEmpty)
    }

    struct Mistake: Sendable {
        let settings: Value
        let code: PeerError.Code
        let text: String

        init(_ settings: Value, _ code: PeerError.Code, _ text: String) {
            self.settings = settings
            self.code = code
            self.text = text
        }
    }

    static let mistakes: [Mistake] = [
        Mistake(["langauge": "EN-US"], .unknownSetting, "did you mean \"language\"?"),
        Mistake(["language": "EN-UZ"], .badSetting, "did you mean \"EN-US\"?"),
        Mistake(["hmiLevel": "FUL"], .badSetting, "did you mean \"FULL\"?"),
        Mistake(["protocol": "6.0.0"], .badSetting, "1 to 5"),
        Mistake(["protocol": "5.x"], .badSetting, "1 to 5"),
        Mistake(["mtu": 12], .badSetting, "13 to 131084"),
        Mistake(["sessionId": 0], .badSetting, "1 to 255"),
        Mistake(["notifications": "yes"], .badSetting, "true or false"),
        Mistake(["registerAppInterface": 1], .badSetting, "an object"),
        Mistake(
            ["silent": ["sdl.Shw.request"]], .badSetting, "did you mean \"sdl.Show.request\"?"),
        Mistake(["silent": "sdl.Show.request"], .badSetting, "a list"),
        Mistake([1], .badSetting, "expected an object"),
        Mistake(["vehicle": "Conform"], .badSetting, "an object"),
        Mistake(["resumption": "refused"], .badSetting, "did you mean \"refuse\"?"),
    ]

    @Test("a mistake in the settings is an error with the correct form", arguments: mistakes)
    func settingMistake(_ mistake: Mistake) throws {
        let error = try #require(
            #expect(throws: PeerError.self) { _ = try HeadUnitBench(mistake.settings) })
        #expect(error.code == mistake.code)
        #expect("\(error)".contains(mistake.text), "\(error)")
        var bench = try HeadUnitBench()
        #expect(throws: error) {
            _ = try bench.peer.perform("configure", arguments: mistake.settings)
        }
    }

    @Test("every setting that a suite may name is accepted")
    func everySetting() throws {
        let values: [String: Value] = [
            "protocol": "4.0.0", "language": "DE-DE", "hmiDisplayLanguage": "DE-DE",
            "hmiLevel": "FULL", "mtu": 1500, "sessionId": 3, "hashId": 5,
            "registerAppInterface": ["info": "x"], "notifications": false,
            "silent": ["sdl.*"], "port": 12_345, "vehicle": ["make": "Conform"],
            "resumption": "refuse", "hashChanges": "all", "checksRequests": false,
            "refuses": ["sdl.Show.request"], "keepsFiles": true, "hashes": "digits",
            "answers": [["message": "sdl.*", "after": "100ms"]],
        ]
        let kind = HeadUnitPeer.kind
        for setting in kind.settings.map(\.path) + ["port"] {
            let value = try #require(values[setting], "the test has no value for \(setting)")
            _ = try HeadUnitBench(.object([.init(setting, value)]))
        }
    }

    @Test("every action that a suite may name exists, and others are errors with a suggestion")
    func actions() throws {
        let kind = HeadUnitPeer.kind
        for action in kind.actions where !LinkImpairment.actions.contains(action.name) {
            var bench = try HeadUnitBench.started()
            let arguments: Value = action.argument == nil ? .null : ["language": "DE-DE"]
            _ = try bench.peer.perform(action.name, arguments: arguments)
        }
        var bench = try HeadUnitBench.started()
        let error = #expect(throws: PeerError.self) {
            _ = try bench.peer.perform("clsoe", arguments: .null)
        }
        #expect(error?.code == .unknownAction)
        #expect(error?.advice == "did you mean \"close\"?")
        #expect(throws: PeerError.self) { _ = try bench.peer.perform("close", arguments: 1) }
        #expect(throws: PeerError.self) {
            _ = try bench.peer.perform("configure", arguments: .null)
        }
    }

    @Test("the factory makes every kind that suites may declare, and no others")
    func factory() throws {
        let position = SourcePosition(file: "test.yaml", line: 1, column: 1)
        for kind in PeerFactory.builtIn.kinds where !kind.livesOnAir {
            let peer = try PeerFactory.builtIn.make(
                PeerDeclaration(
                    name: "x", kind: kind, settings: .object([]), position: position))
            #expect(peer.kind == kind)
            #expect(peer.name == "x")
        }
        let unknown = PeerKind(
            name: "sdl.headunit", summary: "", protocolName: "sdl", defaultPort: 0, settings: [],
            actions: [])
        let error = #expect(throws: PeerError.self) {
            _ = try PeerFactory.builtIn.make(
                PeerDeclaration(
                    name: "x", kind: unknown, settings: .object([]), position: position))
        }
        #expect(error?.code == .unknownKind)
        #expect(error?.advice == "did you mean \"sdl.head-unit\"?")
    }
}
