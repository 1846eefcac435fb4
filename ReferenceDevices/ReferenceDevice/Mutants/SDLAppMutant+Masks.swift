extension SDLAppMutant {
    /// The requirements whose situation cannot arise because of the mistake.
    ///
    /// A case about them cannot reach its point.
    public var masks: [String] {
        switch self {
        case .neverChanges, .asksWithDefaultLanguage:
            ["CRM-7", "CRM-8", "CRM-9", "CRM-10", "CRM-11"]
        // A message that is sent in one frame has no consecutive frames to number.
        case .ignoresMTU: ["SPX-19"]
        // A head unit accepts an empty hash like any other, and the delegate is notified.
        case .sendsEmptyHash: ["RHM-4"]
        case .setsDataBack:
            // The developer's later data differs from the stored data, which is still being sent.
            ["RHM-5", "RHM-6", "RHM-7", "RHM-11"]
        // An app that resends stored data breaks requirements that rely on its not being sent.
        case .resendsOneMatch: ["RHM-4", "RHM-6"]
        case .sendsAll: ["RHM-4", "RHM-6", "RHM-7"]
        case .sendsAllWhenDifferent: ["RHM-5", "RHM-7"]
        case .ignoresDifference: ["RHM-7"]
        case .resendsAfterReconnection: ["RHM-7", "RHM-11"]
        case .storesFirstLifeOnly: ["RHM-11"]
        case .forgetsTextFields, .forgetsMediaTrack, .forgetsGraphics, .forgetsAlignment,
            .forgetsMetadataTypes, .forgetsSoftButtons, .forgetsMenu, .forgetsVoiceCommands,
            .forgetsChoices:
            ["RHM-1", "RHM-4", "RHM-5", "RHM-6", "RHM-7", "RHM-8"]
        case .dropsWaitingData: ["RHM-10", "RHM-1"]
        case .tellsDelegateAlways: ["RHM-8"]
        case .ignoresClearedText: ["RHM-11"]
        // The cells that it resends are refused.
        case .resendsMenuWithText: ["RHM-1", "RHM-11"]
        // A choice that is presented also calls its handler.
        case .callsHandlersTwice: ["RHM-7"]
        case .comparesOnce: ["CRM-3"]
        case .changesByResultCode: ["CRM-7", "CRM-8", "CRM-10"]
        case .anyLanguage: ["CRM-2", "CRM-10"]
        case .appLanguageInChange, .forgetsAppName, .keepsLanguage: ["CRM-10"]
        case .comparesDisplayLanguage: ["CRM-2"]
        case .closesWhenRefused: ["CRM-8"]
        default: accessoryMasks
        }
    }

    /// The carriers on which the mistake never becomes visible on the wire.
    ///
    /// iAP2 refers to strings by their numbers in the accessory's identification, so a string that
    /// is not declared there cannot be requested.
    public var hidingCarriers: [CarrierKind] {
        switch self {
        case .opensUndeclaredLegacy, .opensForeignString, .opensUndeclaredChannel,
            .opensChannelOfAnother, .matchesByPrefix, .matchesWithoutCase, .matchesTrimmed,
            .matchesLastPart:
            [.iap2]
        default: []
        }
    }

    /// The masked requirements about sessions with accessories.
    private var accessoryMasks: [String] {
        switch self {
        case .skipsMultisession: ["MSP-2", "MSP-6", "MSP-8", "MSP-9", "MSP-10"]
        case .controlBeforeMultisession, .hubRoundTrip: ["MSP-5", "MSP-6"]
        case .skipsHub: ["MSP-2", "MSP-5", "MSP-7", "MSP-9", "MSP-14"]
        case .keepsControlSession, .closesControlLate, .opensNextChannel, .opensPreviousChannel,
            .dataOverControlString:
            // No attempt over the hub is completed.
            ["MSP-9", "MSP-14"]
        case .skipsLegacy, .hubOnLegacy:
            ["MSP-1", "MSP-2", "MSP-5", "MSP-6", "MSP-7", "MSP-8", "MSP-9"]
        case .prefersControl: ["MSP-6"]
        case .prefersLegacy, .picksByDeclaration:
            ["MSP-1", "MSP-2", "MSP-3", "MSP-6", "MSP-11", "MSP-14"]
        case .legacyBeforeControl: ["MSP-2", "MSP-3", "MSP-6", "MSP-14"]
        case .searchesFirstAccessoryOnly, .opensUndeclaredLegacy, .opensForeignString: ["MSP-2"]
        case .deafAfterNothing:
            // Nothing was connected before the notification.
            ["MSP-1", "MSP-2", "MSP-3", "MSP-4", "MSP-5"]
        case .keepsCounter:
            // The search before the notification was the only attempt.
            ["MSP-1", "MSP-2", "MSP-3", "MSP-4", "MSP-5", "MSP-6", "MSP-7"]
        // If attempts end early, no further one is made.
        case .retriesOnceTooSeldom: ["MSP-5", "MSP-14", "MSP-15"]
        case .indexResetsCounter: ["MSP-14"]
        // The next accessory is not tried.
        case .searchesGoneAccessories: ["MSP-5", "MSP-8"]
        case .retriesOnceTooOften, .neverStopsRetrying, .countsOpenedSessions, .restartsByItself,
            .restartsLate:
            ["MSP-6", "MSP-7", "MSP-8", "MSP-14"]
        case .givesUpWhenRefused: ["MSP-5", "MSP-6", "MSP-7", "MSP-8", "MSP-15"]
        case .deafAfterExhaustion: ["MSP-6", "MSP-7"]
        case .triesNotifiedOnly: ["MSP-7"]
        // The remaining accessory has a session before the search.
        case .departureBeginsSetup: ["MSP-7"]
        case .givesUpWhenDropped: ["MSP-5", "MSP-8", "MSP-15"]
        case .opensIndexZero: ["MSP-3"]
        // A message that breaks its specification fails the step that expects it.
        case .registersWithoutName: ["SPX-9", "SPX-12", "SPX-19", "CRM-7"]
        case .negatesCorrelationIDs: ["SPX-9", "SPX-19"]
        // Images never arrive.
        case .checksumOfAnotherFile: ["RHM-4", "RHM-5", "RHM-6", "RHM-7", "RHM-8", "RHM-11"]
        case .numbersAfter255From0: ["RHM-5", "RHM-11"]
        case .registersTwice: ["RHM-9", "CRM-7"]
        case .returnsWithoutNames: ["CRM-7"]
        case .asksBeforeRegistration: ["RHM-4", "RHM-5", "RHM-6", "RHM-11"]
        case .goesOnUnregistered, .staysUnregistered: ["RHM-1"]
        case .needsMTU: ["SPX-3", "SPX-9", "SPX-12", "SPX-34", "SPX-40"]
        // An app that has ended, or stays away, cannot be measured.
        case _ where requirements.first == "SPX-62": ["SPX-64"]
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
