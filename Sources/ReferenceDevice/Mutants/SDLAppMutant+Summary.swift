extension SDLAppMutant {
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
        case .forgetsOnStop:
            "Stores nothing when it is stopped, only when the connection is lost."
        case .forgetsOnLinkLoss:
            "Stores nothing when the connection is lost, only when it is stopped."
        case .forgetsOnUnregistration:
            "Stores nothing when the head unit unregisters it."
        case .storesOnConnect:
            "Stores when the managers connect instead of when they disconnect."
        case .neverSendsHash:
            "Leaves it to the developer to send the stored hash, and so never sends it."
        case .sendsEmptyHash:
            "Sends an empty hash where it has none."
        case .setsDataBack:
            "Sets the stored data on the managers, which send all of it, when the hash is accepted."
        case .noDelegate:
            "Does not tell the delegate that data waits."
        case .resendsOneMatch:
            "Sends the first menu cell again although it matches what is stored."
        case .sendsAll:
            "Sends all that the developer sets, whatever is stored."
        case .losesCallback:
            "Does not call the handler of a resumed menu cell."
        case .losesButtonCallback:
            "Does not call the handler of a resumed soft button."
        case .losesVoiceCallback:
            "Does not call the handler of a resumed voice command."
        case .sendsAllWhenDifferent:
            "Sends a whole kind of data again when a part of it differs."
        case .ignoresDifference:
            "Takes whatever the developer sets for what is stored."
        case .keepsRemovedCell:
            "Does not delete what the developer no longer sets."
        case .ignoresOrder:
            "Takes a menu in another order for the same menu."
        case .ignoresImageNames:
            "Takes a menu cell with another image for the same cell."
        case .matchesChoicesByText:
            "Takes choices of the same text for the same choice."
        case .matchesChoicesWithoutImages:
            "Takes choices of the same text and voice commands for the same choice."
        case .matchesChoicesWithoutVoiceCommands:
            "Takes choices of the same text and images for the same choice."
        case .resendsChoices:
            "Sends preloaded choices again although they match."
        case .noResendAfterRefusal:
            "Goes on as if the hash had been accepted when the head unit refuses it."
        case .resendsAllButChoices:
            "Sends all again but the choices when the hash is refused."
        case .keepsRefusedHash:
            "Keeps a refused hash and sends it again when it gets no other."
        case .keepsInMemory:
            "Keeps hash and data in its memory only."
        case .crashesOnTruncatedArchive:
            "Crashes on an archive that cannot be understood."
        case .crashesOnUnreadableArchive:
            "Crashes on an archive that cannot be read."
        case .trustsFutureVersion:
            "Does not look at the version of the archive."
        case .salvagesTruncatedArchive:
            "Sends the hash of an archive whose rest is lost."
        case .sendsFirstHash:
            "Stores the first hash of a session instead of the last."
        case .sendsHashBeforeLast:
            "Stores the hash before the last."
        case .forgetsTextFields:
            "Does not store the text fields."
        case .forgetsMediaTrack:
            "Does not store the media track."
        case .forgetsGraphics:
            "Does not store the graphics."
        case .forgetsAlignment:
            "Does not store the text alignment."
        case .forgetsMetadataTypes:
            "Does not store the metadata types."
        case .forgetsSoftButtons:
            "Does not store the soft buttons."
        case .forgetsMenu:
            "Does not store the menu."
        case .forgetsVoiceCommands:
            "Does not store the voice commands."
        case .forgetsChoices:
            "Does not store the preloaded choices."
        case .usesOtherAppsData:
            "Uses the stored data of whatever app was registered last."
        case .usesOtherHeadUnitsData:
            "Uses the stored data of whatever head unit was connected last."
        }
    }
}
