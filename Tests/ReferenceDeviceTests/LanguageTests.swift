import SDL
import Testing
import Wire

@testable import conform_device

@Suite("Registration language, golden (SDL-0054)")
struct LanguageTests {
    @Test("Nothing is compared before the response; the ready handler comes first (CRM-1)")
    func afterReady() throws {
        var rig = AppRig(.multilingual)
        rig.startSession()
        rig.enter(level: "NONE")
        #expect(rig.names == ["StartService", "RegisterAppInterface.request"])
        rig.acceptRegistration("DE-DE")
        let ready = try #require(rig.events.firstIndex(of: .ready))
        let requested = try #require(rig.events.firstIndex(of: .delegateAsked))
        #expect(ready < requested)
        #expect(rig.names.last == "ChangeRegistration.request")
    }

    @Test("A response to another request is not used as the registration's (CRM-1)")
    func otherCorrelationID() {
        var rig = AppRig(.multilingual)
        rig.startSession()
        rig.send(
            .response, "RegisterAppInterface", id: 77,
            ["success": true, "resultCode": "SUCCESS", "language": "DE-DE"])
        #expect(rig.changes.isEmpty)
        #expect(!rig.events.contains(.ready))
    }

    @Test("Equal languages: the delegate is not asked (CRM-2)")
    func equal() {
        var rig = AppRig(.multilingual)
        rig.register(with: "EN-US")
        #expect(rig.events.suffix(2) == [.ready, .languagesEqual])
        #expect(rig.changes.isEmpty)
    }

    @Test(
        "The delegate is asked with the head unit's language (CRM-3)",
        arguments: ["DE-DE", "FR-CA"])
    func requested(language: String) {
        var rig = AppRig(.multilingual)
        rig.register(with: language)
        let requested = LogLine<LifecycleEvent>(
            .delegateAsked, [Value.Member("language", .string(language))])
        #expect(rig.actions.contains(.log(requested)))
        #expect(rig.changes.count == 1)
    }

    @Test("A response with WRONG_LANGUAGE is a success like any other (CRM-3)")
    func wrongLanguage() {
        var rig = AppRig(.multilingual)
        rig.startSession()
        rig.answer(
            "RegisterAppInterface",
            ["success": true, "resultCode": "WRONG_LANGUAGE", "language": "DE-DE"])
        #expect(rig.changes.count == 1)
    }

    @Test("A response without a language is not compared")
    func noLanguage() {
        var rig = AppRig(.multilingual)
        rig.startSession()
        rig.answer("RegisterAppInterface", ["success": true, "resultCode": "SUCCESS"])
        #expect(rig.events.last == .languageUnknown)
        #expect(rig.changes.isEmpty)
    }

    @Test("The delegate is not asked about an unsupported language (CRM-4)")
    func unsupported() {
        var rig = AppRig(.multilingual)
        rig.register(with: "JA-JP")
        #expect(rig.events.last == .languageNotSupported)
        #expect(!rig.events.contains(.delegateAsked))
    }

    @Test("Without the delegate method nothing is sent (CRM-5)")
    func notImplemented() {
        var rig = AppRig(.multilingual.with { $0.delegate = .notImplemented })
        rig.register(with: "DE-DE")
        #expect(rig.events.last == .delegateNotImplemented)
        #expect(rig.changes.isEmpty)
    }

    @Test("A delegate that returns nothing leaves the configuration as it is (CRM-6)")
    func nothing() {
        let configuration = LifecycleConfiguration.multilingual.with {
            $0.delegate = .implemented(["FR-CA": .german])
        }
        var rig = AppRig(configuration)
        rig.register(with: "DE-DE")
        #expect(rig.changes.isEmpty)
        #expect(rig.app.configuration == configuration)
    }

    @Test("An update without any name still changes the language (CRM-7, CRM-8)")
    func emptyUpdate() {
        var rig = AppRig(
            .multilingual.with { $0.delegate = .implemented(["DE-DE": LifecycleUpdate()]) })
        rig.register(with: "DE-DE")
        #expect(rig.changes == [["language": "DE-DE", "hmiDisplayLanguage": "DE-DE"]])
        #expect(rig.app.configuration.language == "DE-DE")
        #expect(rig.app.configuration.appName == "Weather")
    }

    @Test("The languages are compared once for each registration (CRM-9)")
    func onlyOnce() {
        var rig = AppRig(.multilingual)
        rig.register(with: "DE-DE")
        rig.acceptRegistration("FR-CA")
        rig.notify("OnLanguageChange", ["language": "FR-CA", "hmiDisplayLanguage": "FR-CA"])
        #expect(rig.changes.count == 1)
    }

    @Test("A refused change is logged, and the app continues with its new configuration (CRM-11)")
    func refused() {
        var rig = AppRig(.multilingual)
        rig.register(with: "DE-DE")
        rig.answerChange(success: false)
        #expect(rig.events.last == .changeRegistrationRefused)
        #expect(rig.isAlive)
        #expect(rig.app.configuration.language == "DE-DE")
    }
}
