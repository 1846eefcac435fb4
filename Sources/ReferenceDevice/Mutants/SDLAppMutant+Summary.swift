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
        case .comparesOnce: "Compares the languages on the first connection only."
        case .changesWhenEqual:
            "Compares with the language of its last change, which is none at first, and so "
                + "changes although the languages are equal."
        case .comparesWithFirstLanguage:
            "Goes on comparing with the language that it was started with, not with the one that "
                + "it changed to."
        case .comparesTongues:
            "Compares the first two letters of languages, so that EN-GB counts as EN-US."
        case .changesByResultCode:
            "Takes WRONG_LANGUAGE for the difference and does not compare the languages."
        case .comparesDisplayLanguage: "Compares with the language of the head unit's screen."
        case .supportsTongues:
            "Looks for the first two letters of the language in languagesSupported."
        case .needsNames: "Changes nothing when the delegate's update has no names."
        case .forgetsRefusedLanguage: "Goes back to the old language when the change is refused."
        case .changesOnNotification: "Changes the registration again at OnLanguageChange."
        case .keepsFirstNames: "Gives every further head unit the names that the first one got."
        case .changesToEachOnce: "Does not change to a language that it has changed to before."
        case .comparesWithLastHeadUnit: "Compares with the language of the head unit before."
        case .speaksNamesAsText: "Sends each part of a spoken name as plain text."
        case .namesInASCII: "Sends letters of names beyond ASCII as question marks."
        case .skipsResumedRegistration:
            "Does not compare the languages where its hash was accepted."
        case .skipsRefusedHash: "Does not compare the languages where its hash was refused."
        case .keepsLanguageOnce: "Keeps the language of a change for one further registration."
        case .keepsFirstChange:
            "Takes the language of its first change into its configuration, and of no other."
        case .remembersRefusal: "Does not ask the delegate again once it has returned nothing."
        case .deafWhenRefused: "Calls no handler after a refused ChangeRegistration."
        case .forgetsOnEndOfService: "Stores nothing when the head unit ends the service."
        case .sendsEmptyHashOnDamage: "Sends an empty hash where the archive cannot be understood."
        case .showsNothing: "Sends an empty Show when all that is set is there already."
        case .losesCallbackBesideDifference:
            "Calls no handler once something was set that differs from what is stored."
        case .ignoresLaterData: "Sends nothing of what the developer sets later in a life."
        case .matchesFormerData:
            "Takes a text that was stored for shown also after it was changed in the same life."
        case .trustsLaterHashes:
            "Takes every later hash for accepted once one was in the same process."
        case .usesDataOfSameModel:
            "Takes head units of one make and model for one, whatever the year and the trim."
        case .callsHandlersTwice: "Calls each handler twice."
        case .ignoresBlanks: "Takes a text with other blanks at its ends for the same."
        case .resendsMenuWithText: "Sends the menu again when something that is shown differs."
        case .storesFirstLifeOnly:
            "Stores the data of the first life, and of later ones nothing but the hash."
        case .trimsHash: "Cuts off blanks at the ends of the hash."
        case .dropsWaitingData: "Does not store data that waited through a whole life."
        case .tellsDelegateAlways: "Tells the delegate of data also where none was resumed."
        case .takesWarningsForRefusal: "Takes a hash that was answered WARNINGS for refused."
        case .resendsAfterReconnection:
            "Takes nothing for resumed after a reconnection of the same process."
        case .losesCallbackAfterReconnection:
            "Does not connect the handlers of resumed cells after a reconnection of the "
                + "same process."
        case .ignoresLetterCase: "Takes a text in other letters for the same."
        case .ignoresClearedText: "Does not clear a text that is stored."
        case .ignoresTextField4: "Does not notice another text in field 4."
        case .ignoresMediaTrack: "Does not notice another media track."
        case .ignoresAlignment: "Does not notice another alignment."
        case .ignoresMetadataTypes: "Does not notice another metadata type."
        case .ignoresSecondaryGraphic: "Does not notice another secondary graphic."
        case .ignoresButtonState: "Does not notice that a soft button is in another state."
        case .ignoresButtonOrder: "Does not notice that soft buttons have changed places."
        case .ignoresCellVoiceCommands: "Does not notice other voice commands of a menu cell."
        case .ignoresSubCells: "Does not notice other cells of a sub menu."
        case .comparesFirstSynonym: "Compares voice commands by their first word."
        case .comparesFirstChoiceSynonym: "Compares choices by the first of their voice commands."
        case .ignoresSecondChoice: "Compares the first of several choices only."
        case .keepsTextsAfterRefusal:
            "Takes text fields 2 to 4 for shown although the hash was refused."
        case .keepsVoiceCommandsAfterRefusal:
            "Takes voice commands for known although the hash was refused."
        case .keepsFilesAfterRefusal: "Takes images of refused data for put."
        case .losesCallbackAfterRefusal: "Does not connect handlers after a refused hash."
        case .storesRefusedItems: "Stores what the head unit has refused as if it had it."
        case .storesClearedText: "Keeps a text that was cleared in the archive."
        case .neverChanges: "Never compares the languages."
        case .anyLanguage: "Does not look whether the head unit's language is supported."
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
        case .forgetsHMIDisplayLanguage: "Leaves hmiDisplayLanguage out of ChangeRegistration."
        case .forgetsAppName: "Leaves the update's app name out of ChangeRegistration."
        case .forgetsTTSName: "Leaves the update's spoken name out of ChangeRegistration."
        case .forgetsShortName: "Leaves the update's short name out of ChangeRegistration."
        case .forgetsVRSynonyms:
            "Leaves the update's voice-command names out of ChangeRegistration."
        case .appliesNullFields:
            "Applies the null members of an update too: sends them empty and loses the configured "
                + "values."
        case .keepsNames: "Sends the update's names but does not take them into its configuration."
        case .keepsLanguage:
            "Sends the head unit's language but does not take it into its configuration."
        case .sendsTwice: "Sends each ChangeRegistration twice."
        case .changesAgainAfterHMIStatus:
            "Sends ChangeRegistration again when its HMI level becomes FULL."
        case .retriesWhenRefused: "Sends a refused ChangeRegistration once more."
        case .unregistersWhenRefused: "Unregisters and ends when ChangeRegistration is refused."
        case .closesWhenRefused: "Closes the connection when ChangeRegistration is refused."
        case .crashesWhenRefused: "Crashes when ChangeRegistration is refused."
        case .forgetsOnStop: "Stores nothing when it is stopped, only when the connection is lost."
        case .forgetsOnLinkLoss:
            "Stores nothing when the connection is lost, only when it is stopped."
        case .forgetsOnUnregistration: "Stores nothing when the head unit unregisters it."
        case .storesOnConnect: "Stores when the managers connect instead of when they disconnect."
        case .neverSendsHash:
            "Leaves it to the developer to send the stored hash, and so never sends it."
        case .sendsEmptyHash: "Sends an empty hash where it has none."
        case .sendsHashTwice: "Sends a hash from the third session of a process on no more."
        case .setsDataBack:
            "Sets the stored data on the managers, which send all of it, when the hash is accepted."
        case .noDelegate: "Does not tell the delegate that data waits."
        case .resendsOneMatch: "Sends the first menu cell again although it matches what is stored."
        case .sendsAll: "Sends all that the developer sets, whatever is stored."
        case .losesCallback: "Does not call the handler of a resumed menu cell."
        case .losesButtonCallback: "Does not call the handler of a resumed soft button."
        case .losesVoiceCallback: "Does not call the handler of a resumed voice command."
        case .sendsAllWhenDifferent: "Sends a whole kind of data again when a part of it differs."
        case .ignoresDifference: "Takes whatever the developer sets for what is stored."
        case .keepsRemovedCell: "Does not delete what the developer no longer sets."
        case .ignoresOrder: "Takes a menu in another order for the same menu."
        case .ignoresImageNames: "Takes a menu cell with another image for the same cell."
        case .matchesChoicesByText: "Takes choices of the same text for the same choice."
        case .matchesChoicesWithoutImages:
            "Takes choices of the same text and voice commands for the same choice."
        case .matchesChoicesWithoutVoiceCommands:
            "Takes choices of the same text and images for the same choice."
        case .resendsChoices: "Sends preloaded choices again although they match."
        case .noResendAfterRefusal:
            "Goes on as if the hash had been accepted when the head unit refuses it."
        case .resendsAllButChoices: "Sends all again but the choices when the hash is refused."
        case .keepsRefusedHash: "Keeps a refused hash and sends it again when it gets no other."
        case .keepsInMemory: "Keeps hash and data in its memory only."
        case .crashesOnTruncatedArchive: "Crashes on an archive that cannot be understood."
        case .crashesOnUnreadableArchive: "Crashes on an archive that cannot be read."
        case .trustsFutureVersion: "Does not look at the version of the archive."
        case .salvagesTruncatedArchive: "Sends the hash of an archive whose rest is lost."
        case .sendsFirstHash: "Stores the first hash of a session instead of the last."
        case .sendsHashBeforeLast: "Stores the hash before the last."
        case .forgetsTextFields: "Does not store the text fields."
        case .forgetsMediaTrack: "Does not store the media track."
        case .forgetsGraphics: "Does not store the graphics."
        case .forgetsAlignment: "Does not store the text alignment."
        case .forgetsMetadataTypes: "Does not store the metadata types."
        case .forgetsSoftButtons: "Does not store the soft buttons."
        case .forgetsMenu: "Does not store the menu."
        case .forgetsVoiceCommands: "Does not store the voice commands."
        case .forgetsChoices: "Does not store the preloaded choices."
        case .usesOtherAppsData: "Uses the stored data of whatever app was registered last."
        case .usesOtherHeadUnitsData:
            "Uses the stored data of whatever head unit was connected last."
        case .skipsMultisession: "Knows no multisession and takes the next string."
        case .comparesVersionsAsText: "Compares versions as text, so that 10 is below 9."
        case .multisessionAboveNine: "Opens multisession only above version 9, not from it on."
        case .controlBeforeMultisession:
            "Opens a control session, and closes it at once, before it opens multisession."
        case .ignoresVersion: "Opens multisession whatever the system's version is."
        case .multisessionFromEight: "Opens multisession from version 8 on."
        case .stopsBelowNine:
            "Opens nothing where multisession is declared and the version is too low."
        case .skipsHub: "Opens the first dedicated channel without asking the hub."
        case .keepsControlSession: "Leaves the control session open when it has the index."
        case .closesControlLate: "Closes the control session only when the data session is open."
        case .opensNextChannel: "Opens the channel above the one that the hub names."
        case .opensPreviousChannel: "Opens the channel below the one that the hub names."
        case .writesIndexInHex: "Writes the index in the protocol string in hexadecimal."
        case .dataOverControlString: "Opens the data session over the hub's own string."
        case .skipsLegacy: "Knows no legacy string."
        case .hubOnLegacy: "Takes the legacy string for a hub and waits for an index on it."
        case .prefersControl: "Takes the hub before multisession."
        case .prefersControlWhenNotified:
            "Takes the hub of a notified accessory before its multisession."
        case .prefersLegacy: "Takes legacy before anything else."
        case .remembersString:
            "Opens its sessions under the string of the accessory that it tried first."
        case .legacyBeforeControl: "Takes legacy before the hub."
        case .picksByDeclaration: "Takes whichever string the accessory declares first."
        case .fallsToHub: "Takes the hub after a session over multisession has failed."
        case .matchesByPrefix: "Takes a longer string that begins like multisession for it."
        case .matchesWithoutCase: "Takes multisession in other letter case for it."
        case .matchesTrimmed: "Takes multisession with blanks before or after it for it."
        case .matchesLastPart: "Takes any string that ends in .multisession for it."
        case .ignoresNotified: "Searches all accessories although a notification names one."
        case .takesBetterStringElsewhere:
            "Leaves the notified accessory for one with a better string."
        case .triesNotifiedOnly:
            "Does not search when the notified accessory offers nothing compatible."
        case .searchesAccessoryFirst:
            "Takes the first accessory with any string, by the best that it has."
        case .searchesFirstAccessoryOnly: "Looks at the first accessory and at no other."
        case .opensUndeclaredLegacy: "Tries legacy although nobody declares it."
        case .opensForeignString:
            "Opens a session over a string that it does not know when it finds nothing "
                + "else."
        case .deafAfterNothing:
            "Does not end a setup that has found nothing, so that no notification begins "
                + "another."
        case .departureBeginsSetup:
            "Begins another setup when an accessory goes that it has no session with."
        case .retriesOnceTooOften: "Makes one attempt more than it may."
        case .retriesOnceTooSeldom: "Makes one attempt less than it may, but at least one."
        case .neverStopsRetrying: "Makes attempts for ever."
        case .countsOpenedSessions: "Counts an attempt only when its data session is open."
        case .indexResetsCounter: "Resets its counter when the hub has sent an index."
        case .givesUpWhenRefused: "Makes no other attempt when a session is refused."
        case .givesUpWhenDropped: "Makes no other attempt when its data session ends."
        case .waitsForSessionForever: "Waits without limit for a session to open."
        case .leavesSilentSessionOpen: "Does not end a session that has not opened in time."
        case .deafAfterExhaustion:
            "Does not end a setup whose attempts are used up, so that no notification "
                + "begins another."
        case .keepsCounter: "Goes on counting when a notification begins another setup."
        case .restartsByItself: "Begins another setup by itself when the attempts are used up."
        case .restartsLate: "Begins another setup three seconds after the attempts are used up."
        case .triesAtLeastOnce: "Makes one attempt where none is allowed."
        case .triesSevenTimes: "Makes seven attempts at most, whatever is configured."
        case .openedSessionResetsCounter:
            "Begins counting anew when a data session opens, also if it ends at once."
        case .searchesGoneAccessories: "Searches accessories that have gone, too."
        case .yieldsToNewcomer: "Ends its session when another accessory comes."
        case .yieldsToOtherApp: "Ends its session when another app opens one."
        case .hubRoundTrip: "Asks the hub for an index although it opens multisession then."
        case .opensUndeclaredChannel:
            "Opens the channel that the hub names although it is not declared."
        case .opensIndexZero: "Takes index 0 and so opens a data session over the hub's string."
        case .opensIndexAboveRange: "Takes an index above 29 if such a string is declared."
        case .masksIndex: "Looks at the low five bits of an index only."
        case .readsIndexAsDigit: "Reads the bytes 0x30 to 0x39 as digits."
        case .readsIndexOfTwoBytes: "Takes an index of two bytes where two come at once."
        case .opensChannelOfAnother:
            "Opens a channel that any of the connected accessories declares."
        case .legacyAfterBadIndex: "Opens legacy when the hub names a bad channel."
        case .waitsForAnotherIndex: "Waits for another index when the hub names a bad channel."
        case .givesUpOnBadIndex: "Makes no other attempt when the hub names a bad channel."
        case .givesUpWhenControlEnds:
            "Makes no other attempt when the control session ends without an index."
        case .waitsForIndexForever: "Waits without limit for the index."
        default: protocolSummary
        }
    }
}
