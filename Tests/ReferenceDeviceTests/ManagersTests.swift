import Testing
import Wire

@testable import conform_device

@Suite("Managers, golden")
struct ManagersTests {
    private func session(_ data: ManagersData) -> ResumptionRig {
        var life = ResumptionRig(data)
        life.session()
        return life
    }

    @Test("Nothing is sent before the level leaves NONE")
    func level() {
        var life = ResumptionRig(.everything)
        life.open()
        life.rig.enter(level: "NONE")
        #expect(life.functions.isEmpty)
        life.rig.enter(level: "LIMITED")
        #expect(life.functions == ["Show"])
    }

    @Test("Everything is sent once, in order, each request after the previous response")
    func everything() {
        var life = session(.everything)
        #expect(
            life.functions == [
                "Show", "ListFiles", "PutFile", "PutFile", "Show", "PutFile", "Show",
                "AddCommand", "PutFile", "AddSubMenu", "AddCommand", "AddCommand", "PutFile",
                "AddCommand", "AddCommand", "AddCommand", "PutFile",
                "CreateInteractionChoiceSet", "CreateInteractionChoiceSet",
            ])
        life.rig.enter(level: "LIMITED")
        life.settle()
        #expect(life.functions.count == 19)
        #expect(life.rig.sent.flatMap(\.anomalies) == [])
    }

    @Test("Texts do not wait for images; the images are shown once they are uploaded")
    func texts() throws {
        let life = session(.everything)
        let shows = life.parameters("Show")
        try #require(shows.count == 3)
        #expect(
            shows[0] == [
                "mainField1": "one", "mainField2": "two", "mainField3": "three",
                "mainField4": "four", "mediaTrack": "track", "alignment": "LEFT_ALIGNED",
                "metadataTags": ["mainField1": ["mediaTitle"], "mainField2": ["mediaArtist"]],
            ])
        #expect(
            shows[1] == [
                "graphic": ["value": "primary.png", "imageType": "DYNAMIC"],
                "secondaryGraphic": ["value": "secondary.png", "imageType": "DYNAMIC"],
            ])
        #expect(
            shows[2] == [
                "softButtons": [
                    [
                        "type": "BOTH", "text": "Like",
                        "image": ["value": "like.png", "imageType": "DYNAMIC"],
                        "softButtonID": 1, "systemAction": "DEFAULT_ACTION",
                    ]
                ]
            ])
    }

    @Test("A Show contains only what has changed, and clears what is set to nothing")
    func partial() {
        var life = session(.everything)
        let before = life.requests.count
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"managers","params":"#
                    + #"{"textField1":"one","textField2":null,"textField3":"3"}}"#))
        life.settle()
        let new = life.requests.dropFirst(before).map { Request($0) }
        #expect(new == [Request("Show", ["mainField2": "", "mainField3": "3"])])
    }

    @Test("A sub menu is added before its cells, which name it as their parent")
    func subMenu() {
        let life = session(.menu(.stations))
        let subMenu = life.parameters("AddSubMenu").first
        #expect(
            subMenu == [
                "menuID": 2, "position": 1, "menuName": "Stations",
                "menuIcon": ["value": "stations.png", "imageType": "DYNAMIC"],
            ])
        let commands = life.parameters("AddCommand")
        #expect(
            commands[1]["menuParams"] == ["parentID": 2, "position": 0, "menuName": "Rock"])
        #expect(commands[0]["vrCommands"] == ["about"])
    }

    @Test("A change inside a sub menu leaves the rest of the menu unchanged")
    func subMenuChange() {
        var life = session(.menu(.stations))
        let before = life.requests.count
        let change =
            #"[{"title":"About","voiceCommands":["about"]},"#
            + #"{"title":"Stations","icon":"stations.png","subCells":[{"title":"Jazz"},"#
            + #"{"title":"Folk"}]},{"title":"Quit","icon":"quit.png"}]"#
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"managers","params":{"menu":\#(change)}}"#))
        life.settle()
        let new = life.requests.dropFirst(before)
        #expect(new.map(\.functionName) == ["DeleteCommand", "AddCommand"])
        #expect(
            new.last?.parameters["menuParams"]
                == ["parentID": 2, "position": 1, "menuName": "Folk"])
    }

    @Test("A removed sub menu takes its cells with it")
    func subMenuDeletion() {
        var life = session(.menu(.stations))
        let before = life.requests.count
        life.rig.feed(
            .controlLine(#"{"jsonrpc":"2.0","id":1,"method":"managers","params":{"menu":[]}}"#))
        life.settle()
        let functions = life.requests.dropFirst(before).map(\.functionName)
        #expect(functions == ["DeleteCommand", "DeleteSubMenu", "DeleteCommand"])
        #expect(life.rig.app.screen.held.menu == [])
    }

    @Test("A moved cell is the only one that is sent again")
    func moved() {
        let cells = ["a", "b", "c", "d"].map { MenuCell(title: $0) }
        var life = session(.menu(cells))
        let before = life.requests.count
        let change = #"[{"title":"b"},{"title":"c"},{"title":"a"},{"title":"d"}]"#
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"managers","params":{"menu":\#(change)}}"#))
        life.settle()
        let new = life.requests.dropFirst(before).map { Request($0) }
        #expect(
            new == [
                Request("DeleteCommand", ["cmdID": 1]),
                Request(
                    "AddCommand",
                    ["cmdID": 5, "menuParams": ["position": 2, "menuName": "a"]]),
            ])
    }

    @Test("Voice commands are deleted and added one by one, with numbers separate from the menu's")
    func voiceCommands() {
        var life = session(
            ManagersData().with {
                $0.voiceCommands = [
                    VoiceCommand(voiceCommands: ["a"]), VoiceCommand(voiceCommands: ["b", "c"]),
                ]
            })
        #expect(
            life.parameters("AddCommand") == [
                ["cmdID": 1_900_000_001, "vrCommands": ["a"]],
                ["cmdID": 1_900_000_002, "vrCommands": ["b", "c"]],
            ])
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"managers","params":"#
                    + #"{"voiceCommands":[{"voiceCommands":["b","c"]}]}}"#))
        life.settle()
        #expect(life.parameters("DeleteCommand") == [["cmdID": 1_900_000_001]])
    }

    @Test("A choice is its own choice set; presenting one names the set, and its handler is called")
    func choices() throws {
        var life = session(ManagersData.choices([.one, ChoiceCell(text: "Two")]).withHandlers)
        let sets = life.parameters("CreateInteractionChoiceSet")
        #expect(sets.compactMap { $0["interactionChoiceSetID"] } == [1, 2])
        #expect(
            sets[0]["choiceSet"] == [
                [
                    "choiceID": 1, "menuName": "One", "vrCommands": ["one"],
                    "image": ["value": "one.png", "imageType": "DYNAMIC"],
                ]
            ])
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"present","params":{"choices":["Two"]}}"#))
        let interaction = try #require(life.requests.last)
        #expect(interaction.parameters["interactionChoiceSetIDList"] == [2])
        life.rig.answer(
            "PerformInteraction", ["success": true, "resultCode": "SUCCESS", "choiceID": 2])
        #expect(
            life.requests.last.map { Request($0) } == Request("Alert", ["alertText1": "choice"]))
    }

    @Test("An item that the head unit refuses is not sent again, and does not count as present")
    func refusedItem() {
        var life = ResumptionRig(.menu([MenuCell(title: "a"), MenuCell(title: "b")]))
        life.refuses = ["AddCommand"]
        life.session()
        #expect(life.functions == ["AddCommand", "AddCommand"])
        #expect(life.rig.app.screen.held.menu == nil)
    }

    @Test("If the head unit refuses an image, the item is sent without it")
    func refusedFile() {
        var life = ResumptionRig(
            .menu([MenuCell(title: "a").with { $0.icon = Artwork(name: "a.png") }]))
        life.refuses = ["PutFile"]
        life.session()
        #expect(life.functions == ["ListFiles", "PutFile", "AddCommand"])
        #expect(life.parameters("AddCommand").first?["cmdIcon"] == nil)
    }

    @Test("A file that the head unit lists is not uploaded")
    func listedFile() {
        var life = ResumptionRig(.screen([.primaryGraphic: .artwork(Artwork(name: "a.png"))]))
        life.open()
        life.rig.enter(level: "FULL")
        life.rig.answer(
            "ListFiles", ["success": true, "resultCode": "SUCCESS", "filenames": ["a.png"]])
        #expect(life.functions == ["ListFiles", "Show"])
    }

    @Test("A file of 5 MB is sent through a small MTU in frames whose numbers wrap several times")
    func largeFile() throws {
        var artwork = Artwork(name: "large.png")
        artwork.size = 5 << 20
        var life = ResumptionRig(.screen([.primaryGraphic: .artwork(artwork)]))
        life.rig.startSession(mtu: 1500)
        life.rig.acceptRegistration("EN-US")
        life.rig.enter(level: "FULL")
        life.rig.answer("ListFiles", ["success": true, "resultCode": "SUCCESS"])
        let message = try #require(life.rig.sent.last)
        guard case .rpc(let upload) = message.content else {
            Issue.record("\(message.name) is no RPC")
            return
        }
        #expect(upload.functionName == "PutFile")
        #expect(message.header.service == .bulk)
        #expect(upload.bulk == artwork.contents)
        #expect(upload.parameters["length"] == 5_242_880)
        #expect(message.anomalies.isEmpty)
        let sent = life.rig.actions.compactMap { action -> [UInt8]? in
            if case .send(let bytes) = action { bytes } else { nil }
        }
        // 1488 bytes of payload in each frame: 3525 frames, more than 13 times 255.
        #expect((sent.last?.count ?? 0) > 5_242_880 + 3525 * 12)
    }

    @Test(
        "The checksum of a file is CRC-32, and is left out for a head unit without support for it")
    func checksum() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        let artwork = Artwork(name: "a.png")
        let new = StepRequest(.putFile(artwork), sendsChecksum: true)
        #expect(new.parameters["crc"] == .integer(Int64(CRC32.of(artwork.contents))))
        #expect(StepRequest(.putFile(artwork), sendsChecksum: false).parameters["crc"] == nil)
    }

    @Test("A pressed soft button reaches its handler, whatever its state")
    func softButton() {
        var life = session(
            ManagersData().with { $0.softButtonObjects = [SoftButtonObject.like.handled("liked")] })
        life.rig.notify(
            "OnButtonPress",
            ["buttonName": "CUSTOM_BUTTON", "buttonPressMode": "SHORT", "customButtonID": 1])
        #expect(life.parameters("Alert") == [["alertText1": "liked"]])
    }

    @Test("A button that the developer sets with another state keeps its number")
    func softButtonState() {
        var life = session(ManagersData().with { $0.softButtonObjects = [.like] })
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"managers","params":{"softButtonObjects":"#
                    + #"[{"name":"like","state":"on","states":"#
                    + #"[{"name":"off","text":"Like","artwork":"like.png"},"#
                    + #"{"name":"on","text":"Liked"}]}]}}"#))
        life.settle()
        let button = life.parameters("Show").last?["softButtons"]?.arrayValue?.first
        #expect(button?["text"] == "Liked")
        #expect(button?["softButtonID"] == 1)
    }

    @Test(
        "Impossible data is refused with the key that is wrong",
        arguments: [
            (#"{"textField5":"x"}"#, "textField5"),
            (#"{"textAlignment":"MIDDLE"}"#, "textAlignment"),
            (#"{"menu":[{"icon":"a"}]}"#, "menu[0]"),
            (#"{"menu":[{"title":"a","id":3}]}"#, "menu[0].id"),
            (#"{"menu":[{"title":"a","handler":{"Fly":{}}}]}"#, "menu[0].handler.Fly"),
            (#"{"voiceCommands":[{"voiceCommands":[]}]}"#, "voiceCommands[0].voiceCommands"),
            (#"{"softButtonObjects":[{"name":"a"}]}"#, "softButtonObjects[0]"),
            (#"{"primaryGraphic":{"name":"a","size":0}}"#, "primaryGraphic.size"),
        ])
    func badData(json: String, key: String) throws {
        let document = try Value(json: json)
        #expect {
            _ = try DocumentNode(path: "", value: document).managersData(.configuration)
        } throws: { error in
            (error as? ConfigurationError)?.key == key
        }
    }

    @Test("Data for the managers in a configuration is read back unchanged")
    func roundTrip() throws {
        var delegate = ResumptionDelegate()
        delegate.inspect = [FieldPath("menu[0].title")].compactMap { $0 }
        delegate.set = .menu(.stations)
        let configuration = ResumptionRig.configuration(.everything.withHandlers, delegate)
        let text = configuration.value.jsonText()
        #expect(try LifecycleConfiguration(document: Value(json: text)) == configuration)
    }
}
