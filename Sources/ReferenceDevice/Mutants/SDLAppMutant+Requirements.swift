extension SDLAppMutant {
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
        case .setsDataBack:
            // What is set later is not the same as what is stored, which is still being sent.
            ["RHM-5", "RHM-6", "RHM-7", "RHM-11"]
        default: []
        }
    }
}

extension SDLAppMutant {
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
