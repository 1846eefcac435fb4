/// The mistakes of the SDL app.
///
/// Each is a slip that a developer could make at one place; the place is in `RegistrationRules`, in
/// `ResumptionRules` or in `ConnectionRules`.
public enum SDLAppMutant: String, Mutant {
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

    // What a suite of few languages and head units does not see.
    case comparesTongues = "compares-tongues"
    case changesByResultCode = "changes-by-result-code"
    case comparesDisplayLanguage = "compares-display-language"
    case supportsTongues = "supports-tongues"
    case needsNames = "needs-names"
    case forgetsRefusedLanguage = "forgets-refused-language"
    case changesOnNotification = "changes-on-notification"
    case keepsFirstNames = "keeps-first-names"
    case changesToEachOnce = "changes-to-each-once"
    case comparesWithLastHeadUnit = "compares-with-last-head-unit"
    case speaksNamesAsText = "speaks-names-as-text"
    case namesInASCII = "names-in-ascii"

    // MARK: Resumption (SDL-0183)

    // What is stored, and when.
    case forgetsOnStop = "forgets-on-stop"
    case forgetsOnLinkLoss = "forgets-on-link-loss"
    case forgetsOnUnregistration = "forgets-on-unregistration"
    case storesOnConnect = "stores-on-connect"
    // What the registration carries.
    case neverSendsHash = "never-sends-hash"
    case sendsEmptyHash = "sends-empty-hash"
    // What an accepted hash does.
    case setsDataBack = "sets-data-back"
    case noDelegate = "no-delegate"
    // What setting the same does.
    case resendsOneMatch = "resends-one-match"
    case sendsAll = "sends-all"
    case losesCallback = "loses-callback"
    case losesButtonCallback = "loses-button-callback"
    case losesVoiceCallback = "loses-voice-callback"
    // What setting something else does.
    case sendsAllWhenDifferent = "sends-all-when-different"
    case ignoresDifference = "ignores-difference"
    case keepsRemovedCell = "keeps-removed-cell"
    case ignoresOrder = "ignores-order"
    case ignoresImageNames = "ignores-image-names"
    // Which choices are the same.
    case matchesChoicesByText = "matches-choices-by-text"
    case matchesChoicesWithoutImages = "matches-choices-without-images"
    case matchesChoicesWithoutVoiceCommands = "matches-choices-without-voice-commands"
    case resendsChoices = "resends-choices"
    // What a refused hash does.
    case noResendAfterRefusal = "no-resend-after-refusal"
    case resendsAllButChoices = "resends-all-but-choices"
    case keepsRefusedHash = "keeps-refused-hash"
    // What the archive is.
    case keepsInMemory = "keeps-in-memory"
    case crashesOnTruncatedArchive = "crashes-on-truncated-archive"
    case crashesOnUnreadableArchive = "crashes-on-unreadable-archive"
    case trustsFutureVersion = "trusts-future-version"
    case salvagesTruncatedArchive = "salvages-truncated-archive"
    // Which hash is stored.
    case sendsFirstHash = "sends-first-hash"
    case sendsHashBeforeLast = "sends-hash-before-last"
    // Which data is stored.
    case forgetsTextFields = "forgets-text-fields"
    case forgetsMediaTrack = "forgets-media-track"
    case forgetsGraphics = "forgets-graphics"
    case forgetsAlignment = "forgets-alignment"
    case forgetsMetadataTypes = "forgets-metadata-types"
    case forgetsSoftButtons = "forgets-soft-buttons"
    case forgetsMenu = "forgets-menu"
    case forgetsVoiceCommands = "forgets-voice-commands"
    case forgetsChoices = "forgets-choices"
    // Whose data it is.
    case usesOtherAppsData = "uses-other-apps-data"
    case usesOtherHeadUnitsData = "uses-other-head-units-data"

    // What a suite of few states and differences does not see.
    case storesFirstLifeOnly = "stores-first-life-only"
    case trimsHash = "trims-hash"
    case dropsWaitingData = "drops-waiting-data"
    case tellsDelegateAlways = "tells-delegate-always"
    case takesWarningsForRefusal = "takes-warnings-for-refusal"
    case resendsAfterReconnection = "resends-after-reconnection"
    case losesCallbackAfterReconnection = "loses-callback-after-reconnection"
    case ignoresLetterCase = "ignores-letter-case"
    case ignoresClearedText = "ignores-cleared-text"
    case ignoresTextField4 = "ignores-text-field-4"
    case ignoresMediaTrack = "ignores-media-track"
    case ignoresAlignment = "ignores-alignment"
    case ignoresMetadataTypes = "ignores-metadata-types"
    case ignoresSecondaryGraphic = "ignores-secondary-graphic"
    case ignoresButtonState = "ignores-button-state"
    case ignoresButtonOrder = "ignores-button-order"
    case ignoresCellVoiceCommands = "ignores-cell-voice-commands"
    case ignoresSubCells = "ignores-sub-cells"
    case comparesFirstSynonym = "compares-first-synonym"
    case comparesFirstChoiceSynonym = "compares-first-choice-synonym"
    case ignoresSecondChoice = "ignores-second-choice"
    case keepsTextsAfterRefusal = "keeps-texts-after-refusal"
    case keepsVoiceCommandsAfterRefusal = "keeps-voice-commands-after-refusal"
    case keepsFilesAfterRefusal = "keeps-files-after-refusal"
    case losesCallbackAfterRefusal = "loses-callback-after-refusal"
    case storesRefusedItems = "stores-refused-items"
    case storesClearedText = "stores-cleared-text"
    case callsHandlersTwice = "calls-handlers-twice"
    case ignoresBlanks = "ignores-blanks"
    case resendsMenuWithText = "resends-menu-with-text"

    // MARK: Sessions with accessories (document 000)

    // Which string, by version.
    case skipsMultisession = "skips-multisession"
    case comparesVersionsAsText = "compares-versions-as-text"
    case multisessionAboveNine = "multisession-above-nine"
    case controlBeforeMultisession = "control-before-multisession"
    case ignoresVersion = "ignores-version"
    case multisessionFromEight = "multisession-from-eight"
    case stopsBelowNine = "stops-below-nine"
    // What the hub is for.
    case skipsHub = "skips-hub"
    case keepsControlSession = "keeps-control-session"
    case closesControlLate = "closes-control-late"
    case opensNextChannel = "opens-next-channel"
    case opensPreviousChannel = "opens-previous-channel"
    case writesIndexInHex = "writes-index-in-hex"
    case dataOverControlString = "data-over-control-string"
    // Which string, by preference.
    case skipsLegacy = "skips-legacy"
    case hubOnLegacy = "hub-on-legacy"
    case prefersControl = "prefers-control"
    case prefersLegacy = "prefers-legacy"
    case legacyBeforeControl = "legacy-before-control"
    case remembersString = "remembers-string"
    case picksByDeclaration = "picks-by-declaration"
    case fallsToHub = "falls-to-hub"
    case matchesByPrefix = "matches-by-prefix"
    case matchesWithoutCase = "matches-without-case"
    case matchesLastPart = "matches-last-part"
    // Which accessory.
    case ignoresNotified = "ignores-notified"
    case takesBetterStringElsewhere = "takes-better-string-elsewhere"
    case triesNotifiedOnly = "tries-notified-only"
    case searchesAccessoryFirst = "searches-accessory-first"
    case searchesFirstAccessoryOnly = "searches-first-accessory-only"
    case searchesGoneAccessories = "searches-gone-accessories"
    // What nothing compatible does.
    case opensUndeclaredLegacy = "opens-undeclared-legacy"
    case opensForeignString = "opens-foreign-string"
    case deafAfterNothing = "deaf-after-nothing"
    // How often, and when again.
    case retriesOnceTooOften = "retries-once-too-often"
    case retriesOnceTooSeldom = "retries-once-too-seldom"
    case neverStopsRetrying = "never-stops-retrying"
    case countsOpenedSessions = "counts-opened-sessions"
    case indexResetsCounter = "index-resets-counter"
    case givesUpWhenRefused = "gives-up-when-refused"
    case givesUpWhenDropped = "gives-up-when-dropped"
    case waitsForSessionForever = "waits-for-session-forever"
    case deafAfterExhaustion = "deaf-after-exhaustion"
    case keepsCounter = "keeps-counter"
    case restartsByItself = "restarts-by-itself"
    case restartsLate = "restarts-late"
    case triesSevenTimes = "tries-seven-times"
    case openedSessionResetsCounter = "opened-session-resets-counter"
    // What another app does.
    case yieldsToOtherApp = "yields-to-other-app"
    case yieldsToNewcomer = "yields-to-newcomer"
    // What multisession saves.
    case hubRoundTrip = "hub-round-trip"
    // What a failing hub does.
    case opensUndeclaredChannel = "opens-undeclared-channel"
    case opensIndexZero = "opens-index-zero"
    case opensIndexAboveRange = "opens-index-above-range"
    case masksIndex = "masks-index"
    case readsIndexAsDigit = "reads-index-as-digit"
    case opensChannelOfAnother = "opens-channel-of-another"
    case legacyAfterBadIndex = "legacy-after-bad-index"
    case waitsForAnotherIndex = "waits-for-another-index"
    case givesUpOnBadIndex = "gives-up-on-bad-index"
    case givesUpWhenControlEnds = "gives-up-when-control-ends"
    case waitsForIndexForever = "waits-for-index-forever"

    // The protocol below.
    case startsInVersion5 = "starts-in-version-5"
    case startsWithSession1 = "starts-with-session-1"
    case writesShortVersion = "writes-short-version"
    case keepsOwnVersion = "keeps-own-version"
    case negatesCorrelationIDs = "negates-correlation-ids"
    case ignoresMTU = "ignores-mtu"
    case keepsSession1 = "keeps-session-1"
    case needsMTU = "needs-mtu"
    case needsHashID = "needs-hash-id"
    case registersWhenRefused = "registers-when-refused"
    case registersTwice = "registers-twice"
    case asksBeforeRegistration = "asks-before-registration"
    case asksWhenNotRegistered = "asks-when-not-registered"
    case ignoresHeartbeat = "ignores-heartbeat"
    case registersWithoutName = "registers-without-name"
    case needsWholeFrames = "needs-whole-frames"
    case goesOnUnregistered = "goes-on-unregistered"
    case splitsAtTwiceMTU = "splits-at-twice-mtu"
    case numbersAfter255From0 = "numbers-after-255-from-0"
    case checksumOfAnotherFile = "checksum-of-another-file"
    case endsWithoutSession = "ends-without-session"
    case endsWithAnotherHash = "ends-with-another-hash"
    case silentAboutEnd = "silent-about-end"
    case leavesOnUnknown = "leaves-on-unknown"
    case leavesOnNewParameter = "leaves-on-new-parameter"

    /// The SDL app.
    public static let kind = DeviceKind.sdlApp
}
