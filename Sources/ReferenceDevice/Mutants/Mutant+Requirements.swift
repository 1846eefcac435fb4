extension Mutant {
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
        case .forgetsOnStop, .forgetsOnLinkLoss, .forgetsOnUnregistration, .storesOnConnect:
            ["RHM-1"]
        case .neverSendsHash:
            ["RHM-2", "RHM-1"]
        case .sendsEmptyHash:
            ["RHM-3"]
        case .setsDataBack, .noDelegate:
            ["RHM-4"]
        case .resendsOneMatch, .sendsAll, .losesCallback, .losesButtonCallback,
            .losesVoiceCallback:
            ["RHM-5"]
        case .sendsAllWhenDifferent, .ignoresDifference, .keepsRemovedCell, .ignoresOrder,
            .ignoresImageNames:
            ["RHM-6"]
        case .matchesChoicesByText, .matchesChoicesWithoutImages,
            .matchesChoicesWithoutVoiceCommands, .resendsChoices:
            ["RHM-7"]
        case .noResendAfterRefusal, .resendsAllButChoices, .keepsRefusedHash:
            ["RHM-8"]
        case .keepsInMemory:
            ["RHM-9", "RHM-1"]
        case .crashesOnTruncatedArchive, .crashesOnUnreadableArchive, .trustsFutureVersion,
            .salvagesTruncatedArchive:
            ["RHM-9"]
        case .sendsFirstHash, .sendsHashBeforeLast:
            ["RHM-10"]
        case .forgetsTextFields, .forgetsMediaTrack, .forgetsGraphics, .forgetsAlignment,
            .forgetsMetadataTypes, .forgetsSoftButtons, .forgetsMenu, .forgetsVoiceCommands,
            .forgetsChoices:
            ["RHM-11"]
        case .usesOtherAppsData, .usesOtherHeadUnitsData:
            ["RHM-12"]
        }
    }

    /// The requirements whose situation it does not let arise, so that a case about them cannot
    /// reach its point.
    public var masks: [String] {
        switch self {
        case .neverChanges, .asksWithDefaultLanguage:
            ["CRM-7", "CRM-8", "CRM-9", "CRM-10", "CRM-11"]
        case .forgetsOnStop, .forgetsOnLinkLoss, .forgetsOnUnregistration, .storesOnConnect,
            .neverSendsHash, .keepsInMemory, .sendsFirstHash, .sendsHashBeforeLast:
            // No registration that carries a hash which the head unit knows.
            Mutant.resumption
        case .sendsEmptyHash: ["RHM-8", "RHM-9", "RHM-12"]
        case .setsDataBack, .sendsAll, .resendsOneMatch, .resendsChoices:
            // Nothing that is set, or not all of it, counts as the same.
            ["RHM-4", "RHM-5", "RHM-6", "RHM-7", "RHM-11"]
        case .sendsAllWhenDifferent, .ignoresDifference: ["RHM-7"]
        case _ where forgottenKind != nil:
            // Nothing of that kind is there to be the same or to differ.
            ["RHM-4", "RHM-5", "RHM-6", "RHM-7"]
        default: []
        }
    }

    /// The requirements about a registration that carries a stored hash.
    private static let resumption = [
        "RHM-1", "RHM-2", "RHM-4", "RHM-5", "RHM-6", "RHM-7", "RHM-8", "RHM-9", "RHM-10",
        "RHM-11", "RHM-12",
    ]
}

extension Mutant {
    /// The kind of data that it does not store.
    var forgottenKind: DataKind? {
        switch self {
        case .forgetsTextFields: .textFields
        case .forgetsMediaTrack: .mediaTrack
        case .forgetsGraphics: .graphics
        case .forgetsAlignment: .alignment
        case .forgetsMetadataTypes: .metadataTypes
        case .forgetsSoftButtons: .softButtons
        case .forgetsMenu: .menu
        case .forgetsVoiceCommands: .voiceCommands
        case .forgetsChoices: .choices
        default: nil
        }
    }
}
