extension SDLAppMutant {
    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .changeBeforeResponse:
            "Does not wait for a registration response that takes longer than "
                + "\(RegistrationRules.patience) ms and changes to its first other supported "
                + "language."
        case .changeAfterRefusedRegistration:
            "Compares the languages before it checks for success, so a refused registration is "
                + "changed too."
        case .comparesOnce: "Compares the languages on the first connection only."
        case .changesWhenEqual:
            "Compares with the language of its last change, which does not exist at first, and so "
                + "changes although the languages are equal."
        case .comparesWithFirstLanguage:
            "Keeps comparing with the language that it was started with, not with the one that "
                + "it changed to."
        case .comparesLanguageCodes:
            "Compares the first two letters of languages, so that EN-GB counts as EN-US."
        case .changesByResultCode:
            "Relies on WRONG_LANGUAGE and does not compare the languages."
        case .comparesDisplayLanguage: "Compares with the language of the head unit's screen."
        case .supportsLanguageCodes:
            "Looks for the first two letters of the language in languagesSupported."
        case .needsNames: "Changes nothing when the delegate's update has no names."
        case .forgetsRefusedLanguage: "Returns to the old language when the change is refused."
        case .changesOnNotification: "Changes the registration again at OnLanguageChange."
        case .keepsFirstNames: "Sends every further head unit the names that the first one got."
        case .changesToEachOnce: "Does not change to a language that it has changed to before."
        case .comparesWithLastHeadUnit: "Compares with the language of the previous head unit."
        case .speaksNamesAsText: "Sends each part of a spoken name as plain text."
        case .namesInASCII: "Sends non-ASCII letters of names as question marks."
        case .skipsResumedRegistration:
            "Does not compare the languages when its hash was accepted."
        case .skipsRefusedHash: "Does not compare the languages when its hash was refused."
        case .keepsLanguageOnce:
            "Keeps the language of a change for only one further registration."
        case .keepsFirstChange:
            "Adopts the language of its first change in its configuration, but of no other change."
        case .remembersRefusal: "Does not call the delegate again once it has returned nothing."
        case .deafWhenRefused: "Calls no handler after a refused ChangeRegistration."
        case .forgetsOnEndOfService: "Stores nothing when the head unit ends the service."
        case .sendsEmptyHashOnDamage: "Sends an empty hash when the archive is damaged."
        case .showsNothing: "Sends an empty Show when everything that is set is already shown."
        case .losesCallbackBesideDifference:
            "Calls no handler once data was set that differs from the stored data."
        case .ignoresLaterData: "Sends nothing that the developer sets later in a session."
        case .matchesFormerData:
            "Treats a stored text as still shown after it was changed in the same session."
        case .trustsLaterHashes:
            "Treats every hash as accepted once one was accepted in the same process."
        case .usesDataOfSameModel:
            "Treats head units of the same make and model as one, whatever the year and the trim."
        case .callsHandlersTwice: "Calls each handler twice."
        case .ignoresBlanks: "Treats texts that differ in blanks at their ends as equal."
        case .resendsMenuWithText: "Resends the menu when a field that is shown differs."
        case .storesFirstLifeOnly:
            "Stores the data of the first session, but only the hash of later ones."
        case .trimsHash: "Cuts off blanks at the ends of the hash."
        case .dropsWaitingData: "Does not store data that waited through a whole session."
        case .tellsDelegateAlways: "Notifies the delegate of data even if none was resumed."
        case .takesWarningsForRefusal: "Treats a hash that was answered with WARNINGS as refused."
        case .resendsAfterReconnection:
            "Treats nothing as resumed after a reconnection of the same process."
        case .losesCallbackAfterReconnection:
            "Does not connect the handlers of resumed cells after a reconnection of the "
                + "same process."
        case .ignoresLetterCase: "Treats texts that differ in letter case as equal."
        case .ignoresClearedText: "Does not clear a stored text."
        case .ignoresTextField4: "Does not notice a different text in field 4."
        case .ignoresMediaTrack: "Does not notice a different media track."
        case .ignoresAlignment: "Does not notice a different alignment."
        case .ignoresMetadataTypes: "Does not notice a different metadata type."
        case .ignoresSecondaryGraphic: "Does not notice a different secondary graphic."
        case .ignoresButtonState: "Does not notice that a soft button is in another state."
        case .ignoresButtonOrder: "Does not notice that soft buttons have changed places."
        case .ignoresCellVoiceCommands: "Does not notice different voice commands of a menu cell."
        case .ignoresSubCells: "Does not notice different cells of a sub menu."
        case .comparesFirstSynonym: "Compares voice commands by their first word."
        case .comparesFirstChoiceSynonym: "Compares choices by the first of their voice commands."
        case .ignoresSecondChoice: "Compares only the first of several choices."
        case .keepsTextsAfterRefusal:
            "Treats text fields 2 to 4 as shown although the hash was refused."
        case .keepsVoiceCommandsAfterRefusal:
            "Treats voice commands as known although the hash was refused."
        case .keepsFilesAfterRefusal: "Treats images of refused data as uploaded."
        case .losesCallbackAfterRefusal: "Does not connect handlers after a refused hash."
        case .storesRefusedItems: "Stores items that the head unit has refused."
        case .storesClearedText: "Keeps a text that was cleared in the archive."
        case .neverChanges: "Never compares the languages."
        case .anyLanguage: "Does not check whether the head unit's language is supported."
        case .withoutDelegate:
            "Changes the language although the delegate method is not implemented."
        case .asksWithDefaultLanguage:
            "Calls the delegate with its own default language instead of the head unit's."
        case .delegateNothingStillSends:
            "Treats a delegate that returns nothing as one that returns an update without names."
        case .delegateNothingChangesLanguage:
            "Sends nothing when the delegate returns nothing, but adopts the head unit's language "
                + "in its configuration."
        case .appLanguageInChange:
            "Sends its own language, not the head unit's, in ChangeRegistration."
        case .forgetsHMIDisplayLanguage: "Leaves hmiDisplayLanguage out of ChangeRegistration."
        case .forgetsAppName: "Leaves the update's app name out of ChangeRegistration."
        case .forgetsTTSName: "Leaves the update's spoken name out of ChangeRegistration."
        case .forgetsShortName: "Leaves the update's short name out of ChangeRegistration."
        case .forgetsVRSynonyms:
            "Leaves the update's voice-command names out of ChangeRegistration."
        case .appliesNullFields:
            "Applies the null members of an update too: sends them empty and loses the configured "
                + "values."
        case .keepsNames: "Sends the update's names but does not adopt them in its configuration."
        case .keepsLanguage:
            "Sends the head unit's language but does not adopt it in its configuration."
        case .sendsTwice: "Sends each ChangeRegistration twice."
        case .changesAgainAfterHMIStatus:
            "Sends ChangeRegistration again when its HMI level becomes FULL."
        case .retriesWhenRefused: "Sends a refused ChangeRegistration once more."
        case .unregistersWhenRefused: "Unregisters and exits when ChangeRegistration is refused."
        case .closesWhenRefused: "Closes the connection when ChangeRegistration is refused."
        case .crashesWhenRefused: "Crashes when ChangeRegistration is refused."
        case .forgetsOnStop: "Stores nothing when it is stopped, only when the connection is lost."
        case .forgetsOnLinkLoss:
            "Stores nothing when the connection is lost, only when it is stopped."
        case .forgetsOnUnregistration: "Stores nothing when the head unit unregisters it."
        case .storesOnConnect: "Stores when the managers connect instead of when they disconnect."
        case .neverSendsHash:
            "Leaves it to the developer to send the stored hash, so it is never sent."
        case .sendsEmptyHash: "Sends an empty hash when it has none."
        case .sendsHashTwice: "Sends no hash from the third session of a process on."
        case .setsDataBack:
            "Sets the stored data on the managers, which send all of it, when the hash is accepted."
        case .noDelegate: "Does not notify the delegate that there is data to resume."
        case .resendsOneMatch: "Resends the first menu cell although it matches the stored one."
        case .sendsAll: "Sends everything that the developer sets, whatever is stored."
        case .losesCallback: "Does not call the handler of a resumed menu cell."
        case .losesButtonCallback: "Does not call the handler of a resumed soft button."
        case .losesVoiceCallback: "Does not call the handler of a resumed voice command."
        case .sendsAllWhenDifferent: "Resends a whole kind of data when a part of it differs."
        case .ignoresDifference: "Treats whatever the developer sets as equal to the stored data."
        case .keepsRemovedCell: "Does not delete what the developer no longer sets."
        case .ignoresOrder: "Treats a menu in another order as the same menu."
        case .ignoresImageNames: "Treats a menu cell with another image as the same cell."
        case .matchesChoicesByText: "Treats choices with the same text as the same choice."
        case .matchesChoicesWithoutImages:
            "Treats choices with the same text and voice commands as the same choice."
        case .matchesChoicesWithoutVoiceCommands:
            "Treats choices with the same text and images as the same choice."
        case .resendsChoices: "Resends preloaded choices although they match."
        case .noResendAfterRefusal:
            "Continues as if the hash had been accepted when the head unit refuses it."
        case .resendsAllButChoices: "Resends everything but the choices when the hash is refused."
        case .keepsRefusedHash: "Keeps a refused hash and resends it when it gets no other."
        case .keepsInMemory: "Keeps hash and data in its memory only."
        case .crashesOnTruncatedArchive: "Crashes on a damaged archive."
        case .crashesOnUnreadableArchive: "Crashes on an archive that cannot be read."
        case .trustsFutureVersion: "Does not check the version of the archive."
        case .salvagesTruncatedArchive: "Sends the hash of an archive whose rest is lost."
        case .sendsFirstHash: "Stores the first hash of a session instead of the last."
        case .sendsHashBeforeLast: "Stores the second to last hash of a session."
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
        case .skipsMultisession: "Does not support multisession and uses the next string."
        case .comparesVersionsAsText: "Compares versions as text, so that 10 is below 9."
        case .multisessionAboveNine:
            "Opens multisession only above version 9, not in version 9 itself."
        case .controlBeforeMultisession:
            "Opens a control session, and closes it at once, before it opens multisession."
        case .ignoresVersion: "Opens multisession whatever the system's version is."
        case .multisessionFromEight: "Opens multisession from version 8 on."
        case .stopsBelowNine:
            "Opens nothing when multisession is declared and the version is too low."
        case .skipsHub: "Opens the first dedicated channel without asking the hub."
        case .keepsControlSession: "Leaves the control session open when it has the index."
        case .closesControlLate: "Closes the control session only when the data session is open."
        case .opensNextChannel: "Opens the channel above the one that the hub names."
        case .opensPreviousChannel: "Opens the channel below the one that the hub names."
        case .writesIndexInHex: "Writes the index in the protocol string in hexadecimal."
        case .dataOverControlString: "Opens the data session over the hub's own string."
        case .skipsLegacy: "Does not support the legacy string."
        case .hubOnLegacy: "Treats the legacy string as a hub and waits for an index on it."
        case .prefersControl: "Prefers the hub to multisession."
        case .prefersControlWhenNotified:
            "Prefers the hub of a notified accessory to its multisession."
        case .prefersLegacy: "Prefers legacy to anything else."
        case .remembersString:
            "Opens its sessions under the string of the accessory that it tried first."
        case .legacyBeforeControl: "Prefers legacy to the hub."
        case .picksByDeclaration: "Uses whichever string the accessory declares first."
        case .fallsToHub: "Uses the hub after a session over multisession has failed."
        case .matchesByPrefix:
            "Treats a longer string that begins like multisession as multisession."
        case .matchesWithoutCase: "Treats multisession in other letter case as multisession."
        case .matchesTrimmed: "Treats multisession with blanks before or after it as multisession."
        case .matchesLastPart: "Treats any string that ends in .multisession as multisession."
        case .ignoresNotified: "Searches all accessories although a notification names one."
        case .takesBetterStringElsewhere:
            "Prefers an accessory with a better string to the notified one."
        case .triesNotifiedOnly:
            "Does not search when the notified accessory offers nothing compatible."
        case .searchesAccessoryFirst:
            "Takes the first accessory with any usable string, and its best string."
        case .searchesFirstAccessoryOnly: "Examines only the first accessory."
        case .opensUndeclaredLegacy: "Tries legacy although no accessory declares it."
        case .opensForeignString:
            "Opens a session over an unknown string when it finds nothing else."
        case .deafAfterNothing:
            "Does not end a setup that has found nothing, so no notification begins another."
        case .departureBeginsSetup:
            "Begins another setup when an accessory without a session is disconnected."
        case .retriesOnceTooOften: "Makes one attempt more than allowed."
        case .retriesOnceTooSeldom: "Makes one attempt fewer than allowed, but at least one."
        case .neverStopsRetrying: "Makes attempts for ever."
        case .countsOpenedSessions: "Counts an attempt only when its data session is open."
        case .indexResetsCounter: "Resets its counter when the hub has sent an index."
        case .givesUpWhenRefused: "Makes no other attempt when a session is refused."
        case .givesUpWhenDropped: "Makes no other attempt when its data session ends."
        case .waitsForSessionForever: "Waits without limit for a session to open."
        case .leavesSilentSessionOpen: "Does not end a session that has not opened in time."
        case .deafAfterExhaustion:
            "Does not end a setup whose attempts are used up, so no notification begins another."
        case .keepsCounter: "Does not reset its counter when a notification begins another setup."
        case .restartsByItself: "Begins another setup by itself when the attempts are used up."
        case .restartsLate: "Begins another setup three seconds after the attempts are used up."
        case .triesAtLeastOnce: "Makes one attempt although none is allowed."
        case .triesSevenTimes: "Makes at most seven attempts, whatever is configured."
        case .openedSessionResetsCounter:
            "Resets its counter when a data session opens, even if it ends at once."
        case .searchesGoneAccessories: "Also searches accessories that are disconnected."
        case .yieldsToNewcomer: "Ends its session when another accessory is connected."
        case .yieldsToOtherApp: "Ends its session when another app opens one."
        case .hubRoundTrip: "Asks the hub for an index although it then opens multisession."
        case .opensUndeclaredChannel:
            "Opens the channel that the hub names although it is not declared."
        case .opensIndexZero: "Accepts index 0 and so opens a data session over the hub's string."
        case .opensIndexAboveRange: "Accepts an index above 29 if such a string is declared."
        case .masksIndex: "Uses only the low five bits of an index."
        case .readsIndexAsDigit: "Reads the bytes 0x30 to 0x39 as digits."
        case .readsIndexOfTwoBytes: "Reads an index of two bytes when two arrive at once."
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
