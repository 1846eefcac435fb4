import Protocols

/// A named mistake that the reference device makes on purpose, golden in all else.
///
/// Each is a slip that a developer could make at one place; the place is in `RegistrationRules`.
public enum Mutant: String, CaseIterable, Sendable, Hashable {
    // When the languages are compared.
    case changeBeforeResponse = "change-before-response"
    case changeAfterRefusedRegistration = "change-after-refused-registration"
    case comparesOnce = "compares-once"
    // Whether they differ.
    case changesWhenEqual = "changes-when-equal"
    case comparesWithFirstLanguage = "compares-with-first-language"
    case neverChanges = "never-changes"
    // Whether and how the delegate is asked.
    case anyLanguage = "any-language"
    case withoutDelegate = "without-delegate"
    case asksWithDefaultLanguage = "asks-with-default-language"
    // What follows from its answer.
    case delegateNothingStillSends = "delegate-nothing-still-sends"
    case delegateNothingChangesLanguage = "delegate-nothing-changes-language"
    // What the change carries.
    case appLanguageInChange = "app-language-in-change"
    case forgetsHMIDisplayLanguage = "forgets-hmi-display-language"
    case forgetsAppName = "forgets-app-name"
    case forgetsTTSName = "forgets-tts-name"
    case forgetsShortName = "forgets-short-name"
    case forgetsVRSynonyms = "forgets-vr-synonyms"
    case appliesNullFields = "applies-null-fields"
    // What becomes of the configuration.
    case keepsNames = "keeps-names"
    case keepsLanguage = "keeps-language"
    // How often it is sent.
    case sendsTwice = "sends-twice"
    case changesAgainAfterHMIStatus = "changes-again-after-hmi-status"
    case retriesWhenRefused = "retries-when-refused"
    // What a refusal does.
    case unregistersWhenRefused = "unregisters-when-refused"
    case closesWhenRefused = "closes-when-refused"
    case crashesWhenRefused = "crashes-when-refused"

    /// The requirements that it breaks, by their numbers in the catalogue; the one that it is
    /// made for comes first.
    public var requirements: [String] {
        switch self {
        case .changeBeforeResponse, .changeAfterRefusedRegistration: ["CRM-1"]
        case .changesWhenEqual: ["CRM-2"]
        case .neverChanges, .asksWithDefaultLanguage: ["CRM-3"]
        case .anyLanguage: ["CRM-4"]
        case .withoutDelegate: ["CRM-5"]
        case .delegateNothingStillSends, .delegateNothingChangesLanguage: ["CRM-6"]
        case .appLanguageInChange, .forgetsHMIDisplayLanguage, .forgetsAppName, .forgetsTTSName,
            .forgetsShortName, .forgetsVRSynonyms, .appliesNullFields, .keepsNames:
            ["CRM-7"]
        case .keepsLanguage: ["CRM-8"]
        case .sendsTwice, .changesAgainAfterHMIStatus, .retriesWhenRefused: ["CRM-9"]
        case .comparesOnce: ["CRM-10"]
        case .comparesWithFirstLanguage: ["CRM-10", "CRM-2"]
        case .unregistersWhenRefused, .closesWhenRefused, .crashesWhenRefused: ["CRM-11"]
        }
    }

    /// The requirements whose situation it does not let arise, so that a case about them cannot
    /// reach its point.
    public var masks: [String] {
        switch self {
        case .neverChanges, .asksWithDefaultLanguage:
            ["CRM-7", "CRM-8", "CRM-9", "CRM-10", "CRM-11"]
        default: []
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .changeBeforeResponse:
            "Does not wait for a registration response that takes longer than "
                + "\(RegistrationRules.patience) ms and changes to its first other supported "
                + "language."
        case .changeAfterRefusedRegistration:
            "Compares the languages before it looks at success, so a refused registration is "
                + "changed too."
        case .comparesOnce:
            "Compares the languages on the first connection only."
        case .changesWhenEqual:
            "Compares with the language of its last change, which is none at first, and so "
                + "changes although the languages are equal."
        case .comparesWithFirstLanguage:
            "Goes on comparing with the language that it was started with, not with the one that "
                + "it changed to."
        case .neverChanges:
            "Never compares the languages."
        case .anyLanguage:
            "Does not look whether the head unit's language is supported."
        case .withoutDelegate:
            "Changes the language although the delegate method is not implemented."
        case .asksWithDefaultLanguage:
            "Asks the delegate about its own default language instead of the head unit's."
        case .delegateNothingStillSends:
            "Takes a delegate that returns nothing for an update without names and changes."
        case .delegateNothingChangesLanguage:
            "Sends nothing when the delegate returns nothing, but takes the head unit's language "
                + "into its configuration."
        case .appLanguageInChange:
            "Sends the language that it has, not the head unit's, in ChangeRegistration."
        case .forgetsHMIDisplayLanguage:
            "Leaves hmiDisplayLanguage out of ChangeRegistration."
        case .forgetsAppName:
            "Leaves the update's app name out of ChangeRegistration."
        case .forgetsTTSName:
            "Leaves the update's spoken name out of ChangeRegistration."
        case .forgetsShortName:
            "Leaves the update's short name out of ChangeRegistration."
        case .forgetsVRSynonyms:
            "Leaves the update's voice-command names out of ChangeRegistration."
        case .appliesNullFields:
            "Applies the null members of an update too: sends them empty and loses the configured "
                + "values."
        case .keepsNames:
            "Sends the update's names but does not take them into its configuration."
        case .keepsLanguage:
            "Sends the head unit's language but does not take it into its configuration."
        case .sendsTwice:
            "Sends each ChangeRegistration twice."
        case .changesAgainAfterHMIStatus:
            "Sends ChangeRegistration again when its HMI level becomes FULL."
        case .retriesWhenRefused:
            "Sends a refused ChangeRegistration once more."
        case .unregistersWhenRefused:
            "Unregisters and ends when ChangeRegistration is refused."
        case .closesWhenRefused:
            "Closes the connection when ChangeRegistration is refused."
        case .crashesWhenRefused:
            "Crashes when ChangeRegistration is refused."
        }
    }

    /// The kind of device that makes the mistake.
    public var role: String { SDLAppLifecycle.role }

    /// The mutant as `conform-device mutants` lists it.
    public var value: Value {
        [
            "name": .string(rawValue),
            "role": .string(role),
            "requirements": .array(requirements.map(Value.string)),
            "masks": .array(masks.map(Value.string)),
            "summary": .string(summary),
        ]
    }
}
