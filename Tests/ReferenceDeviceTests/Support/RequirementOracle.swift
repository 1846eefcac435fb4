import Wire

@testable import conform_device

/// A situation for one requirement, and whether an app meets the requirement in it.
///
/// It is judged only by what the app sends.
struct Situation: Sendable {
    let requirement: String
    let title: String
    let isKept: @Sendable (SDLAppMutant?) -> Bool

    static let all = language + resumption + accessories

    private static let language: [Situation] = [
        Situation(requirement: "CRM-1", title: "the response is late") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.startSession()
            rig.fireIfStarted(.response)
            let early = rig.changes.count
            rig.acceptRegistration("DE-DE")
            return early == 0
        },
        Situation(requirement: "CRM-1", title: "the registration is refused") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.startSession()
            rig.answer(
                "RegisterAppInterface",
                ["success": false, "resultCode": "DISALLOWED", "language": "DE-DE"])
            return rig.changes.isEmpty
        },
        Situation(requirement: "CRM-2", title: "the languages are equal from the start") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "EN-US")
            return rig.changes.isEmpty
        },
        Situation(requirement: "CRM-2", title: "the languages are equal after a change") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.reconnect()
            rig.register(with: "DE-DE")
            return !rig.asks(for: "DE-DE") || rig.changesInLastSession == 0
        },
        Situation(requirement: "CRM-3", title: "another supported language") { mutant in
            var rig = AppRig(.multilingual.withoutEnglishUpdate, mutant: mutant)
            rig.register(with: "DE-DE")
            return !rig.changes.isEmpty
        },
        Situation(requirement: "CRM-4", title: "an unsupported language") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "JA-JP")
            return rig.changes.isEmpty
        },
        Situation(requirement: "CRM-5", title: "no delegate method") { mutant in
            var rig = AppRig(.multilingual.with { $0.delegate = .notImplemented }, mutant: mutant)
            rig.register(with: "DE-DE")
            return rig.changes.isEmpty
        },
        Situation(requirement: "CRM-6", title: "the delegate returns nothing") { mutant in
            var rig = AppRig(.multilingual.with { $0.delegate = .implemented([:]) }, mutant: mutant)
            rig.register(with: "DE-DE")
            let sentNothing = rig.changes.isEmpty
            rig.reconnect()
            rig.startSession()
            return sentNothing && rig.asks(for: "EN-US")
        },
        Situation(requirement: "CRM-7", title: "an update with every name") { mutant in
            var rig = AppRig(.multilingual.withoutEnglishUpdate, mutant: mutant)
            rig.register(with: "DE-DE")
            let expected: Value = [
                "language": "DE-DE", "hmiDisplayLanguage": "DE-DE", "appName": "Wetter",
                "ttsName": [["text": "Wetter", "type": "TEXT"]],
                "ngnMediaScreenAppName": "Wttr", "vrSynonyms": ["Wetter", "Vorhersage"],
            ]
            return rig.changes.last == expected
                && rig.nextRegistration { registration in
                    registration["appName"] == "Wetter"
                        && registration["ttsName"] == [["text": "Wetter", "type": "TEXT"]]
                        && registration["ngnMediaScreenAppName"] == "Wttr"
                        && registration["vrSynonyms"] == ["Wetter", "Vorhersage"]
                }
        },
        Situation(requirement: "CRM-7", title: "an update with some names") { mutant in
            var rig = AppRig(.multilingual.withoutEnglishUpdate, mutant: mutant)
            rig.register(with: "FR-CA")
            let expected: Value = [
                "language": "FR-CA", "hmiDisplayLanguage": "FR-CA", "appName": "Météo",
            ]
            return rig.changes.last == expected
                && rig.nextRegistration { registration in
                    registration["appName"] == "Météo"
                        && registration["ttsName"] == [["text": "weather", "type": "TEXT"]]
                        && registration["ngnMediaScreenAppName"] == "Wthr"
                        && registration["vrSynonyms"] == ["weather", "forecast"]
                }
        },
        Situation(requirement: "CRM-8", title: "the registration after a change") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.reconnect()
            rig.startSession()
            return rig.asks(for: "DE-DE")
        },
        Situation(requirement: "CRM-9", title: "the change is accepted") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.answerChange(success: true)
            for level in ["NONE", "FULL", "LIMITED", "FULL"] { rig.enter(level: level) }
            return rig.changes.count <= 1
        },
        Situation(requirement: "CRM-9", title: "the change is refused") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.answerChange(success: false)
            return rig.changes.count <= 1
        },
        Situation(requirement: "CRM-10", title: "another head unit in a third language") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.reconnect()
            rig.register(with: "FR-CA")
            return rig.changesInLastSession > 0
        },
        Situation(requirement: "CRM-10", title: "another head unit in the first language") {
            mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.reconnect()
            rig.register(with: "EN-US")
            return rig.asks(for: "EN-US") || rig.changesInLastSession > 0
        },
        Situation(requirement: "CRM-11", title: "the change is refused") { mutant in
            var rig = AppRig(.multilingual, mutant: mutant)
            rig.register(with: "DE-DE")
            rig.answerChange(success: false)
            rig.enter(level: "FULL")
            return rig.isAlive && rig.names.contains("Show.request")
                && !rig.names.contains("UnregisterAppInterface.request")
        },
    ]
}

extension AppRig {
    fileprivate mutating func fireIfStarted(_ timer: LifecycleTimer) {
        let isStarted = actions.contains {
            if case .startTimer(timer, _) = $0 { true } else { false }
        }
        if isStarted { feed(.timerFired(timer)) }
    }

    /// Whether the last registration asks for a language in both its parameters.
    fileprivate func asks(for language: String) -> Bool {
        registrations.last?["languageDesired"] == .string(language)
            && registrations.last?["hmiDisplayLanguageDesired"] == .string(language)
    }

    fileprivate var changesInLastSession: Int {
        names.reversed().prefix { $0 != "RegisterAppInterface.request" }
            .count { $0 == "ChangeRegistration.request" }
    }

    fileprivate mutating func nextRegistration(_ isRight: (Value) -> Bool) -> Bool {
        reconnect()
        startSession()
        return registrations.count == 2 && registrations.last.map(isRight) == true
    }
}

extension LifecycleConfiguration {
    fileprivate var withoutEnglishUpdate: LifecycleConfiguration {
        with {
            $0.delegate = .implemented([
                "DE-DE": .german, "FR-CA": LifecycleUpdate(appName: "Météo"),
            ])
        }
    }
}
