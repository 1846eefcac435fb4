import SDL
import TCPIP
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("A head unit's memory of apps") struct HeadUnitResumptionTests {
    /// Returns a head unit with a registered app that has a command, and the hash for it.
    private static func withCommand(
        _ settings: Value = .object([])
    ) throws -> (bench: HeadUnitBench, hash: Value) {
        var bench = try HeadUnitBench.started(settings)
        let answers = try bench.request("AddCommand", .command(1, "Stations"))
        #expect(answers.names == ["sdl.AddCommand.response", "sdl.OnHashChange.notification"])
        return (bench, try #require(answers.last?["params.hashID"]))
    }

    @Test(
        "a known hash restores the data and is followed by a new hash",
        arguments: [TCPEvent.Kind.fin, .rst])
    func accepted(_ end: TCPEvent.Kind) throws {
        var (bench, hash) = try Self.withCommand()
        let answers = try bench.comeBack(after: end, hash: hash)
        #expect(answers.first?["params.resultCode"] == "SUCCESS")
        #expect(answers.first?["params.info"] != nil)
        #expect(answers.last?.name == "sdl.OnHashChange.notification")
        #expect(answers.last?["params.hashID"] != hash)
        let again = try bench.request("AddCommand", .command(1, "Stations"))
        #expect(again.names == ["sdl.AddCommand.response"])
        #expect(again.first?["params.resultCode"] == "INVALID_ID")
        #expect(again.first?["params.success"] == false)
    }

    @Test("with an accepted hash the languages are not compared")
    func languages() throws {
        var (bench, hash) = try Self.withCommand()
        try bench.show(.fin)
        let answers = try bench.register(
            .registration.with("hashID", hash).with("languageDesired", "DE-DE"))
        #expect(answers.first?["params.resultCode"] == "SUCCESS")
    }

    @Test(
        "each form of hashes resumes, and no hash comes twice",
        arguments: HeadUnitSettings.HashForm.allCases)
    func forms(_ form: HeadUnitSettings.HashForm) throws {
        var (bench, hash) = try Self.withCommand(["hashes": .string(form.rawValue)])
        let text = try #require(hash.stringValue)
        switch form {
        case .letters: #expect(text.count == 32)
        case .digits: #expect(text.allSatisfy(\.isNumber) && text.hasPrefix("0"))
        case .short: #expect(text == "1")
        case .longest: #expect(text.count == 100)
        case .unicode: #expect(!text.utf8.allSatisfy { $0 < 0x80 })
        }
        #expect(Set((1...1_000).map { NotificationParameters.hash($0, form) }).count == 1_000)
        let answers = try bench.comeBack(after: .fin, hash: hash)
        #expect(answers.first?["params.resultCode"] == "SUCCESS")
        #expect(answers.anomalies.isEmpty)
        #expect(answers.last?["params.hashID"] != hash)
    }

    @Test("the end of the session by EndService keeps the data")
    func endService() throws {
        var (bench, hash) = try Self.withCommand()
        let ended = try bench.control(.endService, parameters: ["hashId": 65_537])
        #expect(ended.names == ["sdl.EndServiceACK"])
        #expect(
            try bench.register(.registration.with("hashID", hash))
                .first?["params.resultCode"] == "SUCCESS")
    }

    @Test("an app that unregisters leaves only its persistent files")
    func unregistered() throws {
        var (bench, hash) = try Self.withCommand()
        _ = try bench.putFile("kept.png", persistent: true)
        _ = try bench.putFile("lost.png", persistent: false)
        _ = try bench.request("UnregisterAppInterface")
        let answers = try bench.comeBack(after: .fin, hash: hash)
        #expect(answers.first?["params.resultCode"] == "RESUME_FAILED")
        #expect(answers.first?["params.success"] == true)
        #expect(
            try bench.request("ListFiles").first?["params.filenames"] == ["kept.png"])
        #expect(
            try bench.request("AddCommand", .command(1, "Stations")).first?["params.success"]
                == true)
    }

    @Test("an unknown hash, an outdated hash and a registration without a hash start anew")
    func refused() throws {
        for stated in ["0123456789abcdef", "old"] {
            var (bench, hash) = try Self.withCommand()
            _ = try bench.request("AddCommand", .command(2, "About"))
            let answers = try bench.comeBack(
                after: .fin, hash: stated == "old" ? hash : .string(stated))
            #expect(answers.first?["params.resultCode"] == "RESUME_FAILED")
            #expect(answers.names.contains("sdl.OnHashChange.notification") == false)
            #expect(
                try bench.request("DeleteCommand", ["cmdID": 1]).first?["params.resultCode"]
                    == "INVALID_ID")
        }
        var (bench, hash) = try Self.withCommand()
        #expect(try bench.comeBack(after: .fin, hash: nil).first?["params.info"] == nil)
        #expect(
            try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"]
                == "RESUME_FAILED")
    }

    @Test("apps and vehicles are distinguished")
    func identity() throws {
        var (bench, hash) = try Self.withCommand()
        try bench.show(.fin)
        let other = Value.registration.with("hashID", hash).with("appID", "4711")
        #expect(try bench.register(other).first?["params.resultCode"] == "RESUME_FAILED")
        try bench.show(.fin)
        let vehicle: Value = ["vehicle": ["make": "Other", "model": "One"]]
        #expect(try bench.peer.perform("configure", arguments: vehicle).isEmpty)
        let answers = try bench.comeBack(after: .fin, hash: hash)
        #expect(answers.first?["params.resultCode"] == "RESUME_FAILED")
        #expect(answers.first?["params.vehicleType.make"] == "Other")
        #expect(answers.first?["params.vehicleType.trim"] == nil)
        let first: Value = ["vehicle": HeadUnitCapabilities.vehicleType]
        #expect(try bench.peer.perform("configure", arguments: first).isEmpty)
        #expect(
            try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"] == "SUCCESS")
    }

    @Test("StartServiceACK contains the vehicle from 5.4.0 on")
    func vehicle() throws {
        var bench = try HeadUnitBench(["vehicle": ["make": "Other", "model": "One"]])
        let answer = try bench.startSession(offering: "5.4.0")
        #expect(answer["sdl.make"] ?? answer["params.make"] == "Other")
    }

    @Test("forget drops all hashes, and files at the end of the session")
    func forget() throws {
        var (bench, hash) = try Self.withCommand()
        _ = try bench.putFile("a.png", persistent: true)
        #expect(try bench.peer.perform("forget", arguments: .null).isEmpty)
        #expect(
            try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"]
                == "RESUME_FAILED")
        #expect(try bench.request("ListFiles").first?["params.filenames"] == nil)
    }

    @Test("refuse rejects known hashes, none sends no hash, and all sends one at any change")
    func settings() throws {
        var (bench, hash) = try Self.withCommand(["resumption": "refuse"])
        #expect(
            try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"]
                == "RESUME_FAILED")
        var silent = try HeadUnitBench.started(["hashChanges": "none"])
        #expect(try silent.request("AddCommand", .command(1, "A")).count == 1)
        var all = try HeadUnitBench.started(["hashChanges": "all"], registered: false)
        #expect(
            try all.request("RegisterAppInterface", .registration).last?.name
                == "sdl.OnHashChange.notification")
        let show: Value = ["mainField1": "Hello"]
        #expect(try all.request("Show", show).count == 2)
        #expect(try all.request("Show", show).count == 1)
        let stated = try #require(try all.request("Show", ["mainField2": "World"]).last)
        _ = try all.comeBack(after: .fin, hash: stated["params.hashID"])
        #expect(try all.request("Show", show).count == 1)
    }

    @Test("a resumption is refused when an image of a restored item is missing")
    func missingImage() throws {
        for isPersistent in [true, false] {
            var bench = try HeadUnitBench.started()
            _ = try bench.putFile("icon.png", persistent: isPersistent)
            let icon: Value = ["value": "icon.png", "imageType": "DYNAMIC"]
            let answers = try bench.request(
                "AddCommand", .command(1, "Stations").with("cmdIcon", icon))
            #expect(answers.first?["params.resultCode"] == "SUCCESS")
            let hash = try #require(answers.last?["params.hashID"])
            #expect(
                try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"]
                    == (isPersistent ? "SUCCESS" : "RESUME_FAILED"))
        }
    }

    @Test("a head unit that keeps files has the images of restored items, until forget")
    func keptFiles() throws {
        for forgets in [false, true] {
            var bench = try HeadUnitBench.started(["keepsFiles": true])
            _ = try bench.putFile("icon.png", persistent: false)
            let icon: Value = ["value": "icon.png", "imageType": "DYNAMIC"]
            let answers = try bench.request(
                "AddCommand", .command(1, "Stations").with("cmdIcon", icon))
            let hash = try #require(answers.last?["params.hashID"])
            if forgets { _ = try bench.peer.perform("forget", arguments: .null) }
            #expect(
                try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"]
                    == (forgets ? "RESUME_FAILED" : "SUCCESS"))
            #expect(
                try bench.request("ListFiles").first?["params.filenames"]
                    == (forgets ? nil : ["icon.png"]))
        }
    }

    @Test("a refused request changes nothing and sends no hash")
    func refuses() throws {
        var bench = try HeadUnitBench.started(["refuses": ["sdl.AddCommand.request"]])
        let refused = try bench.request("AddCommand", .command(1, "Stations"))
        #expect(refused.names == ["sdl.AddCommand.response"])
        #expect(refused.first?["params.resultCode"] == "REJECTED")
        #expect(refused.first?["params.success"] == false)
        _ = try bench.peer.perform("configure", arguments: ["refuses": []])
        let taken = try bench.request("AddCommand", .command(1, "Stations"))
        #expect(taken.first?["params.resultCode"] == "SUCCESS")
    }

    @Test("ignitionOff unregisters every app and then closes the connection")
    func ignitionOff() throws {
        var (bench, hash) = try Self.withCommand()
        let stated = try bench.consume(bench.peer.perform("ignitionOff", arguments: .null))
        #expect(stated.names == ["sdl.OnAppInterfaceUnregistered.notification"])
        #expect(stated.first?["params.reason"] == "IGNITION_OFF")
        #expect(bench.otherCommands == [.close(bench.connection)])
        #expect(
            try bench.comeBack(after: .fin, hash: hash).first?["params.resultCode"] == "SUCCESS")
    }

    @Test("a hash that a suite sent is the known one")
    func toldHash() throws {
        var (bench, _) = try Self.withCommand()
        _ = try bench.send("sdl.OnHashChange.notification", [("params.hashID", "chosen")])
        #expect(
            try bench.comeBack(after: .fin, hash: "chosen").first?["params.resultCode"]
                == "SUCCESS")
    }

    @Test("the user's choices in a suite's messages are by default items that the app has")
    func defaults() throws {
        var (bench, _) = try Self.withCommand()
        let buttons: Value = [
            ["type": "TEXT", "text": "Like", "softButtonID": 7, "systemAction": "DEFAULT_ACTION"]
        ]
        _ = try bench.request("Show", ["softButtons": buttons])
        #expect(try bench.send("sdl.OnCommand.notification").first?["params.cmdID"] == 1)
        #expect(
            try bench.send("sdl.OnButtonPress.notification").first?["params.customButtonID"] == 7)
        _ = try bench.request(
            "CreateInteractionChoiceSet",
            ["interactionChoiceSetID": 3, "choiceSet": [["choiceID": 9, "menuName": "One"]]])
        let interaction: Value = [
            "initialText": "?", "interactionMode": "MANUAL_ONLY",
            "interactionChoiceSetIDList": [3],
        ]
        #expect(
            try bench.request("PerformInteraction", interaction).first?["params.choiceID"] == 9)
    }
}

extension HeadUnitBench {
    /// Starts a session and registers with it.
    fileprivate mutating func register(_ registration: Value) throws -> [SDL.Message] {
        try show(.syn)
        _ = try startSession(offering: "5.4.0")
        return try request("RegisterAppInterface", registration)
    }

    /// Ends the connection and registers on a new one.
    fileprivate mutating func comeBack(
        after end: TCPEvent.Kind, hash: Value?
    ) throws -> [SDL.Message] {
        try show(end)
        return try register(hash.map { .registration.with("hashID", $0) } ?? .registration)
    }

    fileprivate mutating func putFile(
        _ name: String, persistent: Bool
    ) throws -> [SDL.Message] {
        let file = try #require(
            SDL.RPC(
                .request, "PutFile", correlationID: Int32(name.utf8.count + 9000),
                parameters: [
                    "syncFileName": .string(name), "fileType": "GRAPHIC_PNG",
                    "persistentFile": .bool(persistent),
                ], bulk: [1, 2, 3]))
        return try request(file)
    }
}
