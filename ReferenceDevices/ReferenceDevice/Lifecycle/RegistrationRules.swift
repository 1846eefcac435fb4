import Wire

/// The decisions of the registration-language negotiation (SDL-0054, "Proposed solution").
///
/// Each decision is in one place, together with the mistakes that mutants make there. They are made
/// in the order of the functions; the life cycle acts on them.
struct RegistrationRules: Sendable, Hashable {
    /// How long `changeBeforeResponse` waits for a registration response, in milliseconds.
    ///
    /// It is longer than any prompt head unit needs, and shorter than a suite would delay the
    /// response.
    static let patience = 250
    /// Longer, in milliseconds, than anything that was sent earlier can still be in transit.
    static let reaction = 700

    let mutant: SDLAppMutant?
    /// The language of the configuration that the device was started with.
    let firstLanguage: String
    /// The language of the last change; `nil` before the first.
    private var lastChange: String?
    /// The languages that were changed to.
    private var changes: Set<String> = []
    /// The update of the first change.
    private var firstUpdate: LifecycleUpdate?
    /// The language of the previous head unit; `nil` for the first one.
    private var lastHeadUnit: String?
    /// Whether the delegate has returned nothing.
    private var hasDeclined = false

    init(mutant: SDLAppMutant?, configuration: LifecycleConfiguration) {
        self.mutant = mutant
        self.firstLanguage = configuration.language
    }

    // MARK: 1. When the languages are compared (CRM-1, CRM-10)

    /// Returns the language to change to without the registration response.
    ///
    /// Returns `nil` for an app that waits for the response.
    func guessBeforeResponse(_ configuration: LifecycleConfiguration) -> String? {
        guard mutant == .changeBeforeResponse else { return nil }
        return configuration.languagesSupported.first { $0 != configuration.language }
    }

    /// Whether the languages are compared after the n-th registration, counted from 1.
    func compares(
        registration: Int, succeeded: Bool, hash: ResumptionManager.Outcome
    ) -> Bool {
        switch mutant {
        case .neverChanges: false
        case .skipsResumedRegistration: succeeded && hash != .accepted
        case .skipsRefusedHash: succeeded && hash != .refused
        case .comparesOnce: succeeded && registration == 1
        case .changeAfterRefusedRegistration: true
        default: succeeded
        }
    }

    // MARK: 2. Whether they differ (CRM-2)

    /// The language fields of a registration response.
    struct Answer {
        let language: String
        let display: String?
        let resultCode: String?
    }

    mutating func differs(_ answer: Answer, from configuration: LifecycleConfiguration) -> Bool {
        defer { lastHeadUnit = answer.language }
        let headUnit = answer.language
        return switch mutant {
        case .changesWhenEqual: headUnit != lastChange
        case .comparesWithFirstLanguage: headUnit != firstLanguage
        case .comparesLanguageCodes: headUnit.prefix(2) != configuration.language.prefix(2)
        case .changesByResultCode: answer.resultCode == "WRONG_LANGUAGE"
        case .comparesDisplayLanguage: answer.display != configuration.language
        case .comparesWithLastHeadUnit: headUnit != lastHeadUnit ?? configuration.language
        case .changesToEachOnce:
            headUnit != configuration.language && !changes.contains(headUnit)
        default: headUnit != configuration.language
        }
    }

    // MARK: 3. Whether the delegate is called, and for which language (CRM-3, CRM-4, CRM-5)

    func supports(_ headUnit: String, _ configuration: LifecycleConfiguration) -> Bool {
        switch mutant {
        case .anyLanguage: true
        case .changesWhenEqual where headUnit == configuration.language: true
        case .supportsLanguageCodes:
            configuration.languagesSupported.contains { $0.prefix(2) == headUnit.prefix(2) }
        default: configuration.languagesSupported.contains(headUnit)
        }
    }

    func asks(_ delegate: LifecycleDelegate) -> Bool {
        delegate.isImplemented || mutant == .withoutDelegate
    }

    func languageAsked(_ headUnit: String, _ configuration: LifecycleConfiguration) -> String {
        mutant == .asksWithDefaultLanguage ? configuration.language : headUnit
    }

    // MARK: 4. What follows from the delegate's answer (CRM-6)

    /// Returns the update to make; `nil` for none.
    mutating func update(
        answered answer: LifecycleUpdate?, to headUnit: String,
        _ configuration: LifecycleConfiguration
    ) -> LifecycleUpdate? {
        if mutant == .needsNames, answer == LifecycleUpdate() { return nil }
        hasDeclined = hasDeclined || answer == nil
        if mutant == .remembersRefusal, hasDeclined { return nil }
        if mutant == .keepsFirstNames, answer != nil, let firstUpdate { return firstUpdate }
        if let answer { return answer }
        let changesAnyway =
            switch mutant {
            case .delegateNothingStillSends: true
            case .withoutDelegate: !configuration.delegate.isImplemented
            case .anyLanguage: !configuration.languagesSupported.contains(headUnit)
            case .changesWhenEqual: headUnit == configuration.language
            default: false
            }
        return changesAnyway ? LifecycleUpdate() : nil
    }

    /// Leaves the configuration unchanged because there is no update.
    func applyNothing(of headUnit: String, to configuration: inout LifecycleConfiguration) {
        if mutant == .delegateNothingChangesLanguage { configuration.language = headUnit }
    }

    // MARK: 5. The content of the change (CRM-7)

    /// Returns the parameters of ChangeRegistration for the configuration before the update.
    func changeParameters(
        _ update: LifecycleUpdate, to headUnit: String, from configuration: LifecycleConfiguration
    ) -> Value {
        let language = mutant == .appLanguageInChange ? configuration.language : headUnit
        var members = [Value.Member("language", .string(language))]
        if mutant != .forgetsHMIDisplayLanguage {
            members.append(Value.Member("hmiDisplayLanguage", .string(language)))
        }
        for name in Name.allCases where mutant != name.forgottenBy {
            if let value = name.value(in: altered(update)) {
                members.append(Value.Member(name.rawValue, value))
            } else if mutant == .appliesNullFields {
                members.append(Value.Member(name.rawValue, name.empty))
            }
        }
        return .object(members)
    }

    /// Returns the update with the names as a mutant alters them.
    private func altered(_ update: LifecycleUpdate) -> LifecycleUpdate {
        var update = update
        switch mutant {
        case .speaksNamesAsText: update.ttsName = update.ttsName?.map { TTSChunk(text: $0.text) }
        case .namesInASCII:
            update.appName = update.appName?.inASCII
            update.shortAppName = update.shortAppName?.inASCII
        default: break
        }
        return update
    }

    /// The names that an update may contain, by their RPC parameters.
    private enum Name: String, CaseIterable {
        case appName, ttsName, ngnMediaScreenAppName, vrSynonyms

        func value(in update: LifecycleUpdate) -> Value? {
            switch self {
            case .appName: update.appName.map(Value.string)
            case .ttsName: update.ttsName.map { .array($0.map(\.value)) }
            case .ngnMediaScreenAppName: update.shortAppName.map(Value.string)
            case .vrSynonyms:
                update.voiceRecognitionCommandNames.map { .array($0.map(Value.string)) }
            }
        }

        var forgottenBy: SDLAppMutant {
            switch self {
            case .appName: .forgetsAppName
            case .ttsName: .forgetsTTSName
            case .ngnMediaScreenAppName: .forgetsShortName
            case .vrSynonyms: .forgetsVRSynonyms
            }
        }

        var empty: Value {
            switch self {
            case .appName, .ngnMediaScreenAppName: ""
            case .ttsName, .vrSynonyms: []
            }
        }
    }

    // MARK: 6. Changes of the configuration (CRM-7, CRM-8)

    /// Applies the members of the update, and the head unit's language.
    mutating func apply(
        _ update: LifecycleUpdate, to headUnit: String,
        in configuration: inout LifecycleConfiguration
    ) {
        let isFirst = lastChange == nil
        lastChange = headUnit
        changes.insert(headUnit)
        firstUpdate = firstUpdate ?? update
        if mutant != .keepsLanguage, mutant != .keepsFirstChange || isFirst {
            configuration.language = headUnit
        }
        guard mutant != .keepsNames else { return }
        let appliesNull = mutant == .appliesNullFields
        configuration.appName = update.appName ?? (appliesNull ? "" : configuration.appName)
        configuration.shortAppName =
            update.shortAppName ?? (appliesNull ? nil : configuration.shortAppName)
        configuration.ttsName = update.ttsName ?? (appliesNull ? nil : configuration.ttsName)
        configuration.voiceRecognitionCommandNames =
            update.voiceRecognitionCommandNames
            ?? (appliesNull ? nil : configuration.voiceRecognitionCommandNames)
    }

    /// Restores the first language after that many registrations, if the mutant does that.
    func restore(after registrations: Int, in configuration: inout LifecycleConfiguration) {
        guard mutant == .keepsLanguageOnce, registrations > 1 else { return }
        configuration.language = firstLanguage
    }

    // MARK: 7. How often it is sent (CRM-9)

    /// The number of requests for one change.
    var requestsPerChange: Int { mutant == .sendsTwice ? 2 : 1 }

    /// Whether the change of this session is sent again when the head unit's language changes.
    var changesAgainOnNotification: Bool { mutant == .changesOnNotification }

    /// Whether the change of this session is sent again when the level becomes FULL.
    var changesAgainWhenFull: Bool { mutant == .changesAgainAfterHMIStatus }

    // MARK: 8. The effect of a refusal (CRM-11)

    /// Restores `language` after a refused change, if the mutant does that.
    func undo(to language: String?, in configuration: inout LifecycleConfiguration) {
        guard mutant == .forgetsRefusedLanguage, let language else { return }
        configuration.language = language
    }

    /// The app's reaction to a refused change.
    enum Reaction {
        case continues, sendsAgain, unregisters, closes, crashes, callsNoHandler
    }

    /// Returns the reaction to the n-th refusal in a session, counted from 1.
    func reaction(toRefusal count: Int) -> Reaction {
        switch mutant {
        case .retriesWhenRefused where count == 1: .sendsAgain
        case .unregistersWhenRefused: .unregisters
        case .closesWhenRefused: .closes
        case .crashesWhenRefused: .crashes
        case .deafWhenRefused: .callsNoHandler
        default: .continues
        }
    }
}

extension String {
    /// The text with a question mark in place of each non-ASCII character.
    fileprivate var inASCII: String { String(map { $0.isASCII ? $0 : "?" }) }
}
