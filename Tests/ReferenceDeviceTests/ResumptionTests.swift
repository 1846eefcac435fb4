import SDL
import Testing
import Wire

@testable import conform_device

@Suite("Resumption, golden (SDL-0183)")
struct ResumptionTests {
    private func resumed(
        _ data: ManagersData = .everything, then: ManagersData? = nil,
        delegate: ResumptionDelegate? = nil
    ) -> ResumptionRig {
        var life = ResumptionRig(data)
        life.session()
        life.lifeAfterLoss(then, delegate: delegate)
        life.session()
        return life
    }

    @Test("The waiting data is reported to the delegate and can be inspected")
    func inspection() throws {
        var delegate = ResumptionDelegate()
        delegate.set = ManagersData()
        delegate.inspect = ["textField1", "menu[0].title", "nothing.there"].compactMap(
            FieldPath.init)
        var life = resumed(delegate: delegate)
        #expect(life.rig.events.contains(.dataDidResume))
        #expect(
            life.requests.map { Request($0) } == [
                Request("Alert", ["alertText1": "one", "alertText2": "About", "alertText3": ""])
            ])
        life.rig.feed(.controlLine(#"{"jsonrpc":"2.0","id":1,"method":"state"}"#))
        let state = try #require(life.rig.answers.last?["result"]?["resumption"])
        #expect(state["isWaiting"] == true)
        #expect(state["waiting"]?["textField4"] == "four")
        #expect(state["hashID"]?.stringValue == life.hash)
    }

    @Test("Data that is set no longer waits; other data keeps waiting and is stored again")
    func twoDisconnects() {
        var life = resumed(then: .screen([.textField1: .text("one")]))
        #expect(life.functions.isEmpty)
        #expect(life.rig.app.screen.waiting.screen[.textField1] == nil)
        #expect(life.rig.app.screen.waiting.menu?.count == 3)
        life.lifeAfterLoss(.everything)
        life.session()
        #expect(life.sentHash?.stringValue == life.hash)
        #expect(life.functions.isEmpty)
    }

    @Test("A disconnect before the registration is answered leaves the archive unchanged")
    func disconnectWhileRegistering() {
        var life = ResumptionRig(.everything)
        life.session()
        life.lifeAfterLoss()
        let archives = life.rig.archives
        life.rig.startSession(model: "Bench")
        life.loseLink()
        #expect(life.rig.archives == archives)
    }

    @Test("A hash that comes while the app ends the session is stored")
    func hashWhileStopping() {
        var life = ResumptionRig(.everything)
        life.session()
        life.rig.feed(.terminate)
        life.tellHash("late")
        life.restart()
        life.open()
        #expect(life.sentHash == "late")
    }

    @Test(
        "RESUME_FAILED, or WRONG_LANGUAGE in its place, means that the data is not restored",
        arguments: ["RESUME_FAILED", "WRONG_LANGUAGE"])
    func refusals(resultCode: String) {
        var life = ResumptionRig(.everything)
        life.session()
        life.lifeAfterLoss()
        #expect(life.rig.archives.count == 1)
        life.open(resultCode: resultCode)
        #expect(life.rig.archives.isEmpty)
        #expect(!life.rig.events.contains(.dataDidResume))
    }

    @Test("A resumed session uses numbers that the head unit does not have")
    func numbers() {
        let more = [MenuCell].stations + [MenuCell(title: "More")]
        let life = resumed(.menu(.stations), then: .menu(more))
        #expect(life.functions == ["AddCommand"])
        #expect(life.number("AddCommand", "cmdID") == 6)
    }

    @Test("A different handler is not a difference")
    func handlers() {
        var life = resumed(.menu(.stations), then: ManagersData.menu(.stations).withHandlers)
        #expect(life.functions.isEmpty)
        life.rig.notify("OnCommand", ["cmdID": 3, "triggerSource": "MENU"])
        #expect(life.functions == ["Alert"])
    }

    @Test("Before the developer sets the data, no handler is called")
    func noHandlerYet() {
        var delegate = ResumptionDelegate()
        delegate.set = ManagersData()
        var life = resumed(ManagersData.everything.withHandlers, delegate: delegate)
        life.rig.notify("OnCommand", ["cmdID": 1, "triggerSource": "MENU"])
        #expect(life.functions.isEmpty)
        #expect(life.rig.events.last == .handlerMissing)
    }

    @Test("A resumed choice can be presented and reaches its handler")
    func resumedChoice() {
        let data = ManagersData.choices([.one, ChoiceCell(text: "Two")]).withHandlers
        var life = resumed(data)
        #expect(life.functions.isEmpty)
        life.rig.feed(
            .controlLine(
                #"{"jsonrpc":"2.0","id":1,"method":"present","params":{"choices":["One"]}}"#))
        #expect(life.parameters("PerformInteraction").first?["interactionChoiceSetIDList"] == [1])
        life.rig.answer(
            "PerformInteraction", ["success": true, "resultCode": "SUCCESS", "choiceID": 1])
        #expect(life.functions.last == "Alert")
    }

    @Test("A head unit that does not identify itself is recognised by its address")
    func address() {
        let named = ArchiveKey(
            appID: "a", acknowledgement: ["make": "M", "hashId": 1], address: "192.0.2.1")
        #expect(named.headUnit == [.init("make", "M")])
        let unnamed = ArchiveKey(
            appID: "a", acknowledgement: ["hashId": 1], address: "192.0.2.1")
        #expect(unnamed.headUnit == [.init("address", "192.0.2.1")])
        #expect(named.fileName != unnamed.fileName)
    }

    @Test("Switching the app between sessions stores data for the one that was registered")
    func switchedApp() {
        var life = ResumptionRig(.everything)
        life.session()
        life.rig.feed(
            .controlLine(#"{"jsonrpc":"2.0","id":1,"method":"set","params":{"appID":"other"}}"#))
        life.loseLink()
        #expect(life.rig.archives.keys.map(\.appID) == ["app"])
    }
}
