/// The mistakes of the SDL app.
///
/// Each is a slip that a developer could make in one place of `RegistrationRules`,
/// `ResumptionRules` or `ConnectionRules`.
public enum SDLAppMutant: String, DeviceMutant {
    // When the languages are compared.
    case changeBeforeResponse = """
        CRM-1: Does not wait for a registration response that takes longer than 250 ms and changes \
        to its first other supported language.
        """
    case changeAfterRefusedRegistration = """
        CRM-1: Compares the languages before it checks for success, so a refused registration is \
        changed too.
        """
    case comparesOnce = "CRM-10: Compares the languages on the first connection only."
    // Whether they differ.
    case changesWhenEqual = """
        CRM-2: Compares with the language of its last change, which does not exist at first, and \
        so changes although the languages are equal.
        """
    case comparesWithFirstLanguage = """
        CRM-10 CRM-2: Keeps comparing with the language that it was started with, not with the one \
        that it changed to.
        """
    case neverChanges = "CRM-3: Never compares the languages."
    // Whether and how the delegate is called.
    case anyLanguage = "CRM-4: Does not check whether the head unit's language is supported."
    case withoutDelegate =
        "CRM-5: Changes the language although the delegate method is not implemented."
    case asksWithDefaultLanguage =
        "CRM-3: Calls the delegate with its own default language instead of the head unit's."
    // What follows from the delegate's answer.
    case delegateNothingStillSends =
        "CRM-6: Treats a delegate that returns nothing as one that returns an update without names."
    case delegateNothingChangesLanguage = """
        CRM-6: Sends nothing when the delegate returns nothing, but adopts the head unit's \
        language in its configuration.
        """
    // The content of the change.
    case appLanguageInChange =
        "CRM-7: Sends its own language, not the head unit's, in ChangeRegistration."
    case forgetsHMIDisplayLanguage = "CRM-7: Leaves hmiDisplayLanguage out of ChangeRegistration."
    case forgetsAppName = "CRM-7: Leaves the update's app name out of ChangeRegistration."
    case forgetsTTSName = "CRM-7: Leaves the update's spoken name out of ChangeRegistration."
    case forgetsShortName = "CRM-7: Leaves the update's short name out of ChangeRegistration."
    case forgetsVRSynonyms =
        "CRM-7: Leaves the update's voice-command names out of ChangeRegistration."
    case appliesNullFields = """
        CRM-7: Applies the null members of an update too: sends them empty and loses the \
        configured values.
        """
    // Changes of the configuration.
    case keepsNames =
        "CRM-7: Sends the update's names but does not adopt them in its configuration."
    case keepsLanguage =
        "CRM-8: Sends the head unit's language but does not adopt it in its configuration."
    // How often it is sent.
    case sendsTwice = "CRM-9: Sends each ChangeRegistration twice."
    case changesAgainAfterHMIStatus =
        "CRM-9: Sends ChangeRegistration again when its HMI level becomes FULL."
    case retriesWhenRefused = "CRM-9: Sends a refused ChangeRegistration once more."
    // The effect of a refusal.
    case unregistersWhenRefused =
        "CRM-11: Unregisters and exits when ChangeRegistration is refused."
    case closesWhenRefused = "CRM-11: Closes the connection when ChangeRegistration is refused."
    case crashesWhenRefused = "CRM-11: Crashes when ChangeRegistration is refused."

    // Mistakes that a suite with few languages and head units does not detect.
    case comparesLanguageCodes =
        "CRM-3: Compares the first two letters of languages, so that EN-GB counts as EN-US."
    case changesByResultCode =
        "CRM-3 CRM-2: Relies on WRONG_LANGUAGE and does not compare the languages."
    case comparesDisplayLanguage = "CRM-3: Compares with the language of the head unit's screen."
    case supportsLanguageCodes =
        "CRM-4: Looks for the first two letters of the language in languagesSupported."
    case needsNames = "CRM-7: Changes nothing when the delegate's update has no names."
    case forgetsRefusedLanguage = "CRM-8: Returns to the old language when the change is refused."
    case changesOnNotification = "CRM-9: Changes the registration again at OnLanguageChange."
    case keepsFirstNames = "CRM-10: Sends every further head unit the names that the first one got."
    case changesToEachOnce = "CRM-10: Does not change to a language that it has changed to before."
    case comparesWithLastHeadUnit =
        "CRM-10 CRM-2: Compares with the language of the previous head unit."
    case speaksNamesAsText = "CRM-7: Sends each part of a spoken name as plain text."
    case namesInASCII = "CRM-7: Sends non-ASCII letters of names as question marks."
    // Mistakes that a suite with one change, and with apps without data, does not detect.
    case skipsResumedRegistration =
        "CRM-3: Does not compare the languages when its hash was accepted."
    case skipsRefusedHash = "CRM-3: Does not compare the languages when its hash was refused."
    case keepsLanguageOnce =
        "CRM-8: Keeps the language of a change for only one further registration."
    case keepsFirstChange = """
        CRM-8 CRM-10: Adopts the language of its first change in its configuration, but of no \
        other change.
        """
    case remembersRefusal = "CRM-10: Does not call the delegate again once it has returned nothing."
    case deafWhenRefused = "CRM-11: Calls no handler after a refused ChangeRegistration."

    // MARK: Resumption (SDL-0183)

    // What is stored, and when.
    case forgetsOnStop =
        "RHM-1: Stores nothing when it is stopped, only when the connection is lost."
    case forgetsOnLinkLoss =
        "RHM-1: Stores nothing when the connection is lost, only when it is stopped."
    case forgetsOnUnregistration = "RHM-1: Stores nothing when the head unit unregisters it."
    case storesOnConnect =
        "RHM-1: Stores when the managers connect instead of when they disconnect."
    // The content of the registration.
    case neverSendsHash =
        "RHM-2 RHM-1: Leaves it to the developer to send the stored hash, so it is never sent."
    case sendsEmptyHash = "RHM-3 RHM-9: Sends an empty hash when it has none."
    case sendsHashTwice = "RHM-2 RHM-1: Sends no hash from the third session of a process on."
    // The effect of an accepted hash.
    case setsDataBack = """
        RHM-4: Sets the stored data on the managers, which send all of it, when the hash is \
        accepted.
        """
    case noDelegate = "RHM-4: Does not notify the delegate that there is data to resume."
    // The effect of setting the same data.
    case resendsOneMatch = "RHM-5: Resends the first menu cell although it matches the stored one."
    case sendsAll = "RHM-5: Sends everything that the developer sets, whatever is stored."
    case losesCallback = "RHM-5: Does not call the handler of a resumed menu cell."
    case losesButtonCallback = "RHM-5: Does not call the handler of a resumed soft button."
    case losesVoiceCallback = "RHM-5: Does not call the handler of a resumed voice command."
    // The effect of setting other data.
    case sendsAllWhenDifferent = "RHM-6: Resends a whole kind of data when a part of it differs."
    case ignoresDifference =
        "RHM-6: Treats whatever the developer sets as equal to the stored data."
    case keepsRemovedCell = "RHM-6: Does not delete what the developer no longer sets."
    case ignoresOrder = "RHM-6: Treats a menu in another order as the same menu."
    case ignoresImageNames = "RHM-6: Treats a menu cell with another image as the same cell."
    // Which choices are the same.
    case matchesChoicesByText = "RHM-7: Treats choices with the same text as the same choice."
    case matchesChoicesWithoutImages =
        "RHM-7: Treats choices with the same text and voice commands as the same choice."
    case matchesChoicesWithoutVoiceCommands =
        "RHM-7: Treats choices with the same text and images as the same choice."
    case resendsChoices = "RHM-7: Resends preloaded choices although they match."
    // The effect of a refused hash.
    case noResendAfterRefusal =
        "RHM-8: Continues as if the hash had been accepted when the head unit refuses it."
    case resendsAllButChoices =
        "RHM-8: Resends everything but the choices when the hash is refused."
    case keepsRefusedHash = "RHM-8: Keeps a refused hash and resends it when it gets no other."
    // The storage of the archive.
    case keepsInMemory = "RHM-9 RHM-1: Keeps hash and data in its memory only."
    case crashesOnTruncatedArchive = "RHM-9: Crashes on a damaged archive."
    case crashesOnUnreadableArchive = "RHM-9: Crashes on an archive that cannot be read."
    case trustsFutureVersion = "RHM-9: Does not check the version of the archive."
    case salvagesTruncatedArchive = "RHM-9: Sends the hash of an archive whose rest is lost."
    // Which hash is stored.
    case sendsFirstHash = "RHM-10: Stores the first hash of a session instead of the last."
    case sendsHashBeforeLast = "RHM-10: Stores the second to last hash of a session."
    // Which data is stored.
    case forgetsTextFields = "RHM-11: Does not store the text fields."
    case forgetsMediaTrack = "RHM-11: Does not store the media track."
    case forgetsGraphics = "RHM-11: Does not store the graphics."
    case forgetsAlignment = "RHM-11: Does not store the text alignment."
    case forgetsMetadataTypes = "RHM-11: Does not store the metadata types."
    case forgetsSoftButtons = "RHM-11: Does not store the soft buttons."
    case forgetsMenu = "RHM-11: Does not store the menu."
    case forgetsVoiceCommands = "RHM-11: Does not store the voice commands."
    case forgetsChoices = "RHM-11: Does not store the preloaded choices."
    // The app and the head unit of the data.
    case usesOtherAppsData = "RHM-12: Uses the stored data of whatever app was registered last."
    case usesOtherHeadUnitsData =
        "RHM-12: Uses the stored data of whatever head unit was connected last."

    // Mistakes that a suite with few states and differences does not detect.
    case storesFirstLifeOnly =
        "RHM-1: Stores the data of the first session, but only the hash of later ones."
    case trimsHash = "RHM-10: Cuts off blanks at the ends of the hash."
    case dropsWaitingData = "RHM-4: Does not store data that waited through a whole session."
    case tellsDelegateAlways = "RHM-4: Notifies the delegate of data even if none was resumed."
    case takesWarningsForRefusal =
        "RHM-4: Treats a hash that was answered with WARNINGS as refused."
    case resendsAfterReconnection =
        "RHM-5: Treats nothing as resumed after a reconnection of the same process."
    case losesCallbackAfterReconnection = """
        RHM-5: Does not connect the handlers of resumed cells after a reconnection of the same \
        process.
        """
    case ignoresLetterCase = "RHM-6: Treats texts that differ in letter case as equal."
    case ignoresClearedText = "RHM-6: Does not clear a stored text."
    case ignoresTextField4 = "RHM-6: Does not notice a different text in field 4."
    case ignoresMediaTrack = "RHM-6: Does not notice a different media track."
    case ignoresAlignment = "RHM-6: Does not notice a different alignment."
    case ignoresMetadataTypes = "RHM-6: Does not notice a different metadata type."
    case ignoresSecondaryGraphic = "RHM-6: Does not notice a different secondary graphic."
    case ignoresButtonState = "RHM-6: Does not notice that a soft button is in another state."
    case ignoresButtonOrder = "RHM-6: Does not notice that soft buttons have changed places."
    case ignoresCellVoiceCommands =
        "RHM-6: Does not notice different voice commands of a menu cell."
    case ignoresSubCells = "RHM-6: Does not notice different cells of a sub menu."
    case comparesFirstSynonym = "RHM-6: Compares voice commands by their first word."
    case comparesFirstChoiceSynonym =
        "RHM-7: Compares choices by the first of their voice commands."
    case ignoresSecondChoice = "RHM-7: Compares only the first of several choices."
    case keepsTextsAfterRefusal =
        "RHM-8: Treats text fields 2 to 4 as shown although the hash was refused."
    case keepsVoiceCommandsAfterRefusal =
        "RHM-8: Treats voice commands as known although the hash was refused."
    case keepsFilesAfterRefusal = "RHM-8: Treats images of refused data as uploaded."
    case losesCallbackAfterRefusal = "RHM-8: Does not connect handlers after a refused hash."
    case storesRefusedItems = "RHM-11: Stores items that the head unit has refused."
    case storesClearedText = "RHM-11: Keeps a text that was cleared in the archive."
    case callsHandlersTwice = "RHM-5: Calls each handler twice."
    case ignoresBlanks = "RHM-6: Treats texts that differ in blanks at their ends as equal."
    case resendsMenuWithText = "RHM-6: Resends the menu when a field that is shown differs."
    // Mistakes that a suite that does each thing once does not detect.
    case forgetsOnEndOfService = "RHM-1: Stores nothing when the head unit ends the service."
    case sendsEmptyHashOnDamage = "RHM-9: Sends an empty hash when the archive is damaged."
    case showsNothing = "RHM-5: Sends an empty Show when everything that is set is already shown."
    case losesCallbackBesideDifference =
        "RHM-5: Calls no handler once data was set that differs from the stored data."
    case ignoresLaterData = "RHM-6: Sends nothing that the developer sets later in a session."
    case matchesFormerData =
        "RHM-6: Treats a stored text as still shown after it was changed in the same session."
    case trustsLaterHashes =
        "RHM-8: Treats every hash as accepted once one was accepted in the same process."
    case usesDataOfSameModel = """
        RHM-12: Treats head units of the same make and model as one, whatever the year and the \
        trim.
        """

    // MARK: Sessions with accessories (document 000)

    // Which string, by version.
    case skipsMultisession =
        "MSP-1 MSP-5 MSP-7 MSP-11: Does not support multisession and uses the next string."
    case comparesVersionsAsText = "MSP-2 MSP-1: Compares versions as text, so that 10 is below 9."
    case multisessionAboveNine =
        "MSP-2 MSP-1: Opens multisession only above version 9, not in version 9 itself."
    case controlBeforeMultisession = """
        MSP-1 MSP-11: Opens a control session, and closes it at once, before it opens \
        multisession.
        """
    case ignoresVersion = "MSP-2: Opens multisession whatever the system's version is."
    case multisessionFromEight = "MSP-2: Opens multisession from version 8 on."
    case stopsBelowNine =
        "MSP-2: Opens nothing when multisession is declared and the version is too low."
    // The use of the hub.
    case skipsHub = "MSP-3: Opens the first dedicated channel without asking the hub."
    case keepsControlSession = "MSP-3: Leaves the control session open when it has the index."
    case closesControlLate = "MSP-3: Closes the control session only when the data session is open."
    case opensNextChannel = "MSP-3: Opens the channel above the one that the hub names."
    case opensPreviousChannel = "MSP-3: Opens the channel below the one that the hub names."
    case writesIndexInHex = "MSP-3: Writes the index in the protocol string in hexadecimal."
    case dataOverControlString = "MSP-3: Opens the data session over the hub's own string."
    // Which string, by preference.
    case skipsLegacy = "MSP-4: Does not support the legacy string."
    case hubOnLegacy = "MSP-4: Treats the legacy string as a hub and waits for an index on it."
    case prefersControl = "MSP-5 MSP-1 MSP-7 MSP-11: Prefers the hub to multisession."
    case prefersControlWhenNotified =
        "MSP-5 MSP-1: Prefers the hub of a notified accessory to its multisession."
    case prefersLegacy = "MSP-5 MSP-1 MSP-7: Prefers legacy to anything else."
    case legacyBeforeControl = "MSP-5 MSP-7: Prefers legacy to the hub."
    case remembersString = """
        MSP-5 MSP-6 MSP-7: Opens its sessions under the string of the accessory that it tried \
        first.
        """
    case picksByDeclaration = "MSP-5 MSP-7: Uses whichever string the accessory declares first."
    case fallsToHub = "MSP-5: Uses the hub after a session over multisession has failed."
    case matchesByPrefix =
        "MSP-5 MSP-1: Treats a longer string that begins like multisession as multisession."
    case matchesWithoutCase =
        "MSP-5 MSP-1: Treats multisession in other letter case as multisession."
    case matchesTrimmed =
        "MSP-5 MSP-1: Treats multisession with blanks before or after it as multisession."
    case matchesLastPart =
        "MSP-5 MSP-1: Treats any string that ends in .multisession as multisession."
    // Which accessory.
    case ignoresNotified = "MSP-6: Searches all accessories although a notification names one."
    case takesBetterStringElsewhere =
        "MSP-6: Prefers an accessory with a better string to the notified one."
    case triesNotifiedOnly =
        "MSP-6: Does not search when the notified accessory offers nothing compatible."
    case searchesAccessoryFirst =
        "MSP-7: Takes the first accessory with any usable string, and its best string."
    case searchesFirstAccessoryOnly = "MSP-7: Examines only the first accessory."
    case searchesGoneAccessories = "MSP-7: Also searches accessories that are disconnected."
    // The effect of finding nothing compatible.
    case opensUndeclaredLegacy = "MSP-8: Tries legacy although no accessory declares it."
    case opensForeignString =
        "MSP-8: Opens a session over an unknown string when it finds nothing else."
    case deafAfterNothing =
        "MSP-8: Does not end a setup that has found nothing, so no notification begins another."
    case departureBeginsSetup =
        "MSP-8: Begins another setup when an accessory without a session is disconnected."
    // The number of attempts, and when they begin again.
    case retriesOnceTooOften = "MSP-9: Makes one attempt more than allowed."
    case retriesOnceTooSeldom = "MSP-9: Makes one attempt fewer than allowed, but at least one."
    case neverStopsRetrying = "MSP-9: Makes attempts for ever."
    case countsOpenedSessions = "MSP-9: Counts an attempt only when its data session is open."
    case indexResetsCounter = "MSP-9: Resets its counter when the hub has sent an index."
    case givesUpWhenRefused = "MSP-9: Makes no other attempt when a session is refused."
    case givesUpWhenDropped = "MSP-9: Makes no other attempt when its data session ends."
    case waitsForSessionForever = "MSP-9: Waits without limit for a session to open."
    case leavesSilentSessionOpen = "MSP-9: Does not end a session that has not opened in time."
    case deafAfterExhaustion = """
        MSP-8 MSP-9: Does not end a setup whose attempts are used up, so no notification begins \
        another.
        """
    case keepsCounter =
        "MSP-9 MSP-8: Does not reset its counter when a notification begins another setup."
    case restartsByItself = "MSP-9: Begins another setup by itself when the attempts are used up."
    case restartsLate = "MSP-9: Begins another setup three seconds after the attempts are used up."
    case triesAtLeastOnce = "MSP-9: Makes one attempt although none is allowed."
    case triesSevenTimes = "MSP-9: Makes at most seven attempts, whatever is configured."
    case openedSessionResetsCounter =
        "MSP-9: Resets its counter when a data session opens, even if it ends at once."
    // The effect of another app.
    case yieldsToOtherApp = "MSP-10: Ends its session when another app opens one."
    case yieldsToNewcomer = "MSP-10: Ends its session when another accessory is connected."
    // The steps that multisession saves.
    case hubRoundTrip =
        "MSP-11 MSP-1: Asks the hub for an index although it then opens multisession."
    // The effect of a failing hub.
    case opensUndeclaredChannel =
        "MSP-14: Opens the channel that the hub names although it is not declared."
    case opensIndexZero =
        "MSP-14: Accepts index 0 and so opens a data session over the hub's string."
    case opensIndexAboveRange = "MSP-14: Accepts an index above 29 if such a string is declared."
    case masksIndex = "MSP-14: Uses only the low five bits of an index."
    case readsIndexAsDigit = "MSP-14: Reads the bytes 0x30 to 0x39 as digits."
    case readsIndexOfTwoBytes = "MSP-14: Reads an index of two bytes when two arrive at once."
    case opensChannelOfAnother =
        "MSP-14: Opens a channel that any of the connected accessories declares."
    case legacyAfterBadIndex = "MSP-14: Opens legacy when the hub names a bad channel."
    case waitsForAnotherIndex = "MSP-14: Waits for another index when the hub names a bad channel."
    case givesUpOnBadIndex = "MSP-14: Makes no other attempt when the hub names a bad channel."
    case givesUpWhenControlEnds =
        "MSP-14: Makes no other attempt when the control session ends without an index."
    case waitsForIndexForever = "MSP-14: Waits without limit for the index."

    // The underlying protocol.
    case startsInVersion5 = "SPX-1: Begins with StartService in a frame of version 5."
    case startsWithSession1 = "SPX-2: Invents a session id for its first StartService."
    case writesShortVersion = "SPX-3: States its version as two numbers."
    case keepsOwnVersion = "SPX-9: Continues in its own version, whatever the head unit uses."
    case negatesCorrelationIDs = "SPX-12 SPX-33: Gives its requests negative correlation ids."
    case ignoresMTU = "SPX-13: Does not split messages at the MTU of StartServiceACK."
    case keepsSession1 = "SPX-22: Uses session id 1, whatever the head unit assigns."
    case needsMTU = "SPX-23: Exits when StartServiceACK has no mtu."
    case needsHashID = "SPX-23: Exits when StartServiceACK has no hashId."
    case registersWhenRefused = "SPX-25: Registers although the service was refused."
    case registersTwice = "SPX-25: Sends its registration twice."
    case asksBeforeRegistration =
        "SPX-26: Requests the list of files before its registration is answered."
    case asksWhenNotRegistered =
        "SPX-26: Requests the list of files after its registration was refused."
    case ignoresHeartbeat = "SPX-34: Does not answer heartbeats."
    case registersWithoutName = "SPX-40: Leaves the mandatory appName out of its registration."
    case needsWholeFrames = "SPX-42: Discards bytes that arrive in pieces shorter than a header."
    case goesOnUnregistered =
        "SPX-41: Continues to send requests after the head unit has unregistered it."
    case splitsAtTwiceMTU =
        "SPX-13: Splits messages into frames of twice the MTU of StartServiceACK."
    case numbersAfter255From0 = "SPX-19: Gives the consecutive frame after the 255th the number 0."
    case checksumOfAnotherFile = "SPX-48: Sends the checksum of another file with each file."
    case endsWithoutSession = "SPX-22: Ends the RPC service before it has been started."
    case endsWithAnotherHash = "SPX-35: Ends the RPC service with a wrong hash."
    case silentAboutEnd = "SPX-56: Does not acknowledge the end of the service by the head unit."
    case leavesOnUnknown = "SPX-57: Ends the connection on an unknown notification."
    case leavesOnNewParameter = "SPX-57: Ends the connection on an unknown parameter."
    case leavesOnUnused = "SPX-57: Ends the connection on OnTouchEvent, which it does not use."
    case leavesOnUnknownWord = "SPX-57: Ends the connection on an unknown value of an enumeration."
    case leavesOnStrayAnswer = "SPX-57: Ends the connection on a response to no request of its own."
    case endsOnMalformed = "SPX-62: Exits when a message cannot be decoded."
    case endsOnIncomplete = "SPX-62: Exits when a notification lacks a mandatory parameter."
    case endsOnWrongValue = "SPX-62: Exits when a parameter of a notification has the wrong type."
    case endsOnLongText = "SPX-62: Exits when a text of a notification is too long."
    case endsOnLongList = "SPX-62: Exits when a list of a notification is too long."
    case endsOnNumberOutOfRange = "SPX-62: Exits when a number of a notification is out of range."
    case endsOnUnknownWord =
        "SPX-62: Exits when a notification has a word that an enumeration lacks."
    case endsOnSecondStart = "SPX-62: Exits when its service is acknowledged once more."
    case endsOnForeignSession = "SPX-62: Exits when a message belongs to another session."
    case crashesOnNull = "SPX-62: Crashes when a parameter of a notification is null."
    case hangsOnWrongValue = "SPX-62: Hangs when a parameter of a notification has the wrong type."
    case hangsOnMalformed = "SPX-62: Hangs when a message cannot be decoded."
    case staysAwayAfterMalformed =
        "SPX-62: Does not connect again after a message that cannot be decoded."
    case spinsAfterWrongValue = "SPX-64: Never waits again after a notification with a wrong value."
    case keepsWrongValues = "SPX-64: Keeps eight MiB for each notification with a wrong value."
    case keepsDescriptors =
        "SPX-64: Keeps two descriptors for each notification with a wrong value."
    case unregistersAfterEnd = "SPX-58: Unregisters after it has ended the service."
    case returnsWithoutNames =
        "SPX-63: Registers without ttsName and vrSynonyms from the second time on."
    case staysUnregistered =
        "SPX-63: Stays connected and silent after the head unit has unregistered it."

    /// The SDL app.
    public static let kind = DeviceKind.sdlApp
}
