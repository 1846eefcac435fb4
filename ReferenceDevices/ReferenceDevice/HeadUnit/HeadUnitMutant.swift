/// Mistakes that head units make.
public enum HeadUnitMutant: String, DeviceMutant {
    // Declaration and sessions (MSP-12).
    case undeclaredMultisession = "undeclared-multisession"
    case misspeltMultisession = "misspelt-multisession"
    case refusesMultisession = "refuses-multisession"
    case endsFormerMultisession = "ends-former-multisession"
    case secondMultisessionRefused = "second-multisession-refused"
    case thirdMultisessionRefused = "third-multisession-refused"
    case eighthMultisessionRefused = "eighth-multisession-refused"
    case multisessionEndsDedicated = "multisession-ends-dedicated"
    case endOfOneEndsAll = "end-of-one-ends-all"
    case unregistersAll = "unregisters-all"
    case endServiceEndsOthers = "end-service-ends-others"
    case levelToFirstApp = "level-to-first-app"
    case forgetsSecondPhone = "forgets-second-phone"
    case indexOnMultisession = "index-on-multisession"

    // The hub strategy (MSP-13).
    case undeclaredHub = "undeclared-hub"
    case undeclaredDedicated = "undeclared-dedicated"
    case tellsNoIndex = "tells-no-index"
    case tellsZero = "tells-zero"
    case tellsUndeclaredIndex = "tells-undeclared-index"
    case tellsSameIndex = "tells-same-index"
    case tellsTwoBytes = "tells-two-bytes"
    case tellsTwice = "tells-twice"
    case hubOnce = "hub-once"
    case neverFreesIndex = "never-frees-index"
    case hubWithoutMultisessions = "hub-without-multisessions"
    case refusesDedicated = "refuses-dedicated"
    case muteDedicated = "mute-dedicated"

    // Sessions and registration (SDL protocol 4, RPC specification).
    case sessionZero = "session-zero"
    case higherVersion = "higher-version"
    case silentHeartbeat = "silent-heartbeat"
    case silentEnd = "silent-end"
    case servesUnregistered = "serves-unregistered"
    case refusesPlainRegistration = "refuses-plain-registration"
    case refusesAccessoryRegistration = "refuses-accessory-registration"
    case tellsNoStatus = "tells-no-status"

    // The protocol itself (SDL protocol specification, RPC specification).
    case silentOnOtherServices = "silent-on-other-services"
    case answersAsRPCService = "answers-as-rpc-service"
    case sameSessionAgain = "same-session-again"
    case fiveForFormerApps = "five-for-former-apps"
    case saysFormerVersion = "says-former-version"
    case speaksOwnVersion = "speaks-own-version"
    case breaksStatus = "breaks-status"
    case answersInSessionZero = "answers-in-session-zero"
    case servesUnknownSessions = "serves-unknown-sessions"
    case countsByItself = "counts-by-itself"
    case takesNegativeIDs = "takes-negative-ids"
    case onlyFirstHeartbeat = "only-first-heartbeat"
    case talksAfterEnd = "talks-after-end"
    case anyHashEnds = "any-hash-ends"
    case namesNoParameter = "names-no-parameter"
    case refusedEndEnds = "refused-end-ends"
    case transportUpdateForAll = "transport-update-for-all"
    case readsBySegments = "reads-by-segments"
    case registersAgain = "registers-again"
    case servesAfterUnregistering = "serves-after-unregistering"
    case registersOnlyOnce = "registers-only-once"
    case silentAboutUnknown = "silent-about-unknown"
    case takesIncompleteRegistrations = "takes-incomplete-registrations"
    case anyLanguageIsFine = "any-language-is-fine"
    case refusesOtherLanguages = "refuses-other-languages"
    case dropsLongMessages = "drops-long-messages"
    case takesCorruptedFiles = "takes-corrupted-files"
    case silentAboutUnsupported = "silent-about-unsupported"
    case servesIncompleteRequests = "serves-incomplete-requests"
    case deafAfterMalformed = "deaf-after-malformed"
    case silentOnReservedServices = "silent-on-reserved-services"
    case echoesVersion = "echoes-version"
    case longFramesForFormerApps = "long-frames-for-former-apps"
    case talksAfterOwnEnd = "talks-after-own-end"
    case servesWrongValues = "serves-wrong-values"
    case servesLongTexts = "serves-long-texts"
    case servesNumbersOutOfRange = "serves-numbers-out-of-range"
    case servesUnknownWords = "serves-unknown-words"
    case servesNull = "serves-null"
    case silentAboutWrongTypes = "silent-about-wrong-types"
    case exitsOnWrongTypes = "exits-on-wrong-types"
    case exitsOnLongTexts = "exits-on-long-texts"
    case exitsOnLongLists = "exits-on-long-lists"
    case exitsOnNumbersOutOfRange = "exits-on-numbers-out-of-range"
    case exitsOnUnknownWords = "exits-on-unknown-words"
    case exitsOnIncompleteRequests = "exits-on-incomplete-requests"
    case crashesOnNull = "unit-crashes-on-null"
    case crashesOnMalformed = "unit-crashes-on-malformed"
    case hangsOnWrongTypes = "hangs-on-wrong-types"
    case hangsOnMalformed = "unit-hangs-on-malformed"
    case endsOthersOnMalformed = "ends-others-on-malformed"
    case unregistersOthersOnWrongValues = "unregisters-others-on-wrong-values"
    case silentAboutNull = "silent-about-null"
    case silentAboutLongTexts = "silent-about-long-texts"
    case silentAboutNumbers = "silent-about-numbers"
    case answersTwice = "answers-twice"
    case refusesWithSuccess = "refuses-with-success"
    case spinsAfterWrongValues = "spins-after-wrong-values"
    case keepsWrongValues = "unit-keeps-wrong-values"
    case keepsDescriptors = "unit-keeps-descriptors"
    case refusesChangeOfLanguage = "refuses-change-of-language"
    case silentAboutLanguage = "silent-about-language"
    case comparesFormerLanguage = "compares-former-language"

    // The data kept of apps (RPC specification, hashID).
    case tellsNoHash = "tells-no-hash"
    case refusesEveryHash = "refuses-every-hash"
    case acceptsWithoutData = "accepts-without-data"
    case forgetsWithTheLink = "forgets-with-the-link"
    case takesAnyHash = "takes-any-hash"
    case refusesUnknownHashes = "refuses-unknown-hashes"
    case keepsAfterUnregistering = "keeps-after-unregistering"
    case forgetsLevel = "forgets-level"
    case keepsOnce = "keeps-once"
    case keepsSixteenItems = "keeps-sixteen-items"
    case forgetsWithTheIgnition = "forgets-with-the-ignition"
    case keepsOverOneIgnition = "keeps-over-one-ignition"

    /// A head unit.
    public static let kind = DeviceKind.headUnit

    /// The requirements that it breaks; the one that it was written for comes first.
    public var requirements: [String] {
        switch self {
        case .undeclaredMultisession, .misspeltMultisession, .refusesMultisession,
            .indexOnMultisession, .forgetsSecondPhone:
            ["MSP-12"]
        case .endsFormerMultisession, .secondMultisessionRefused, .thirdMultisessionRefused,
            .eighthMultisessionRefused, .multisessionEndsDedicated, .endOfOneEndsAll,
            .unregistersAll, .levelToFirstApp:
            ["MSP-10"]
        case .endServiceEndsOthers: ["MSP-10", "SPX-36"]
        case .undeclaredHub, .undeclaredDedicated, .tellsNoIndex, .tellsZero,
            .tellsUndeclaredIndex, .tellsSameIndex, .tellsTwoBytes, .tellsTwice, .hubOnce,
            .neverFreesIndex,
            .hubWithoutMultisessions, .refusesDedicated, .muteDedicated:
            ["MSP-13"]
        case .sessionZero: ["SDL-1", "SPX-5"]
        case .higherVersion: ["SDL-1", "SPX-8"]
        case .silentHeartbeat: ["SDL-4", "SPX-34"]
        case .silentEnd: ["SDL-3", "SPX-36"]
        case .servesUnregistered: ["SDL-5", "SPX-44"]
        case .refusesPlainRegistration: ["SDL-2"]
        case .refusesAccessoryRegistration: ["SDL-2", "MSP-12", "MSP-13"]
        case .tellsNoStatus: ["SDL-2"]
        default: protocolRequirements
        }
    }

    /// The requirements of the protocol itself that it breaks.
    private var protocolRequirements: [String] {
        switch self {
        case .silentOnOtherServices, .answersAsRPCService, .silentOnReservedServices: ["SPX-4"]
        case .sameSessionAgain: ["SPX-5"]
        case .fiveForFormerApps: ["SPX-6"]
        case .saysFormerVersion: ["SPX-7", "SPX-12", "SDL-1"]
        case .echoesVersion: ["SPX-8"]
        case .speaksOwnVersion: ["SPX-9"]
        case .breaksStatus: ["SPX-12"]
        case .longFramesForFormerApps: ["SPX-13", "SPX-12"]
        case .answersInSessionZero: ["SPX-22", "SPX-12"]
        case .servesUnknownSessions: ["SPX-22"]
        case .countsByItself: ["SPX-30", "SPX-45"]
        case .takesNegativeIDs: ["SPX-32"]
        case .onlyFirstHeartbeat: ["SPX-34"]
        case .talksAfterEnd, .namesNoParameter, .refusedEndEnds: ["SPX-36"]
        case .anyHashEnds: ["SPX-36", "SDL-3"]
        case .transportUpdateForAll: ["SPX-37", "SPX-12"]
        case .readsBySegments: ["SPX-42"]
        case .registersAgain: ["SPX-43"]
        case .servesAfterUnregistering, .registersOnlyOnce: ["SPX-44"]
        case .silentAboutUnknown: ["SPX-45"]
        case .takesIncompleteRegistrations: ["SPX-46"]
        case .anyLanguageIsFine, .refusesOtherLanguages: ["SPX-47"]
        case .dropsLongMessages: ["SPX-19"]
        case .takesCorruptedFiles: ["SPX-48"]
        case .silentAboutUnsupported, .silentAboutWrongTypes, .silentAboutNull,
            .silentAboutLongTexts, .silentAboutNumbers, .answersTwice:
            ["SPX-53"]
        case .servesIncompleteRequests, .servesWrongValues, .servesLongTexts,
            .servesNumbersOutOfRange, .servesUnknownWords, .servesNull, .refusesWithSuccess:
            ["SPX-54"]
        case .deafAfterMalformed, .endsOthersOnMalformed, .unregistersOthersOnWrongValues:
            ["SPX-55"]
        case .exitsOnWrongTypes, .exitsOnLongTexts, .exitsOnLongLists, .exitsOnNumbersOutOfRange,
            .exitsOnUnknownWords, .exitsOnIncompleteRequests, .crashesOnNull, .crashesOnMalformed,
            .hangsOnWrongTypes, .hangsOnMalformed:
            ["SPX-55"]
        case .spinsAfterWrongValues, .keepsWrongValues, .keepsDescriptors: ["SPX-64"]
        case .tellsNoHash, .refusesEveryHash, .acceptsWithoutData, .forgetsWithTheLink,
            .keepsOnce, .keepsSixteenItems:
            ["SPX-49"]
        case .takesAnyHash, .refusesUnknownHashes: ["SPX-50"]
        case .keepsAfterUnregistering: ["SPX-51"]
        case .forgetsLevel: ["SPX-52"]
        case .talksAfterOwnEnd: ["SPX-58"]
        case .refusesChangeOfLanguage: ["SPX-59"]
        case .silentAboutLanguage, .comparesFormerLanguage: ["SPX-60"]
        case .forgetsWithTheIgnition, .keepsOverOneIgnition: ["SPX-61"]
        default: []
        }
    }

    private static let sessions = [
        "SDL-1", "SDL-2", "SDL-3", "SDL-4", "SDL-5", "MSP-10", "MSP-12", "MSP-13",
    ]

    /// The requirements whose situation cannot arise because of the mistake.
    public var masks: [String] {
        switch self {
        case .sessionZero, .refusesPlainRegistration:
            Self.sessions + (4...64).map { "SPX-\($0)" }
        case .tellsNoStatus, .higherVersion: Self.sessions
        // Without a hash, an app has nothing to resume with.
        case .tellsNoHash: ["SPX-50", "SPX-51", "SPX-61"]
        case .takesAnyHash, .refusesUnknownHashes: ["SPX-51"]
        case .forgetsWithTheLink: ["SPX-52", "SPX-61"]
        case .refusesEveryHash, .acceptsWithoutData: ["SPX-61"]
        // Frames of another version have other limits and other fields.
        case .speaksOwnVersion: ["SPX-12", "SPX-13"]
        // An answer in another session counts as no answer.
        case .answersInSessionZero: ["SPX-36"]
        case .countsByItself: ["SPX-53", "SPX-54", "SPX-64"]
        // Each response to a registration contains wrong languages.
        case .anyLanguageIsFine: ["SPX-60"]
        case .refusesOtherLanguages: ["SPX-59", "SPX-60"]
        // The app that ends its service waits for the answer.
        case .silentEnd: ["MSP-10"]
        // The session belongs to an app of an earlier version, whatever its answer contains.
        case .fiveForFormerApps: ["SPX-9"]
        case .undeclaredMultisession, .misspeltMultisession, .refusesMultisession,
            .undeclaredHub, .muteDedicated, .refusesDedicated, .refusesAccessoryRegistration,
            .indexOnMultisession:
            ["SDL-2", "MSP-10"]
        default: robustnessMasks
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .undeclaredMultisession: "Does not declare the multisession string."
        case .misspeltMultisession: "Declares the multisession string with a capital S."
        case .refusesMultisession: "Declares multisession but opens no session under it."
        case .endsFormerMultisession:
            "Ends the session of the previous app when another opens one under multisession."
        case .secondMultisessionRefused: "Opens at most one session under multisession at a time."
        case .thirdMultisessionRefused: "Opens at most two sessions under multisession at a time."
        case .eighthMultisessionRefused:
            "Opens at most seven sessions under multisession at a time."
        case .multisessionEndsDedicated:
            "Ends the sessions under dedicated strings when one under multisession is opened."
        case .endOfOneEndsAll: "Ends every session under multisession when one of them ends."
        case .unregistersAll: "Unregisters every app when one of them unregisters."
        case .endServiceEndsOthers: "Ends the services of all apps when one of them ends its own."
        case .levelToFirstApp: "Sends the levels of all apps to the first one."
        case .forgetsSecondPhone: "Declares multisession to the first phone only."
        case .indexOnMultisession: "Sends an index in sessions under multisession, as on the hub."
        case .undeclaredHub: "Does not declare the hub's string."
        case .undeclaredDedicated: "Declares the hub but none of the dedicated strings."
        case .tellsNoIndex: "Opens sessions on the hub but sends nothing in them."
        case .tellsZero: "Sends the index 0, which is that of the hub."
        case .tellsUndeclaredIndex: "Sends an index whose dedicated string it does not declare."
        case .tellsSameIndex: "Sends every app the index that it sent first."
        case .tellsTwoBytes: "Sends the index as a number of two bytes."
        case .tellsTwice: "Sends the index twice."
        case .hubOnce: "Opens the hub for one app only."
        case .neverFreesIndex: "Never reuses an index that an app has used."
        case .hubWithoutMultisessions:
            "Does not open the hub while an app holds a session under multisession."
        case .refusesDedicated:
            "Opens no session under the dedicated string whose index it has sent."
        case .muteDedicated: "Answers no service start under dedicated strings."
        case .sessionZero: "Assigns the session id 0."
        case .higherVersion: "Answers with its own version although the app offers a lower one."
        case .silentHeartbeat: "Does not answer heartbeats."
        case .silentEnd: "Does not answer the end of a service."
        case .servesUnregistered: "Serves apps that have not registered."
        case .refusesPlainRegistration: "Refuses registrations over plain TCP."
        case .refusesAccessoryRegistration: "Refuses registrations in sessions by protocol string."
        case .tellsNoStatus: "Sends no OnHMIStatus after a registration."
        default: protocolSummary
        }
    }

    private var protocolSummary: String {
        switch self {
        case .silentOnOtherServices:
            "Does not answer the start of a service that it does not offer."
        case .answersAsRPCService: "Refuses any service under the number of the RPC service."
        case .sameSessionAgain: "Gives each session of a connection the same id."
        case .fiveForFormerApps: "Answers an app that has stated no version in version 5."
        case .saysFormerVersion: "States protocolVersion 4.0.0 in answers of version 5."
        case .speaksOwnVersion: "Continues in version 5, whatever version was agreed."
        case .breaksStatus: "Sends OnHMIStatus with a level that does not exist."
        case .answersInSessionZero: "Sends RPCs in session 0."
        case .servesUnknownSessions: "Answers requests of sessions that it has not assigned."
        case .countsByItself: "Numbers its responses with correlation ids of its own."
        case .takesNegativeIDs: "Serves requests with negative correlation ids."
        case .onlyFirstHeartbeat: "Answers only the first heartbeat of each connection."
        case .talksAfterEnd: "Sends OnHMIStatus after it has acknowledged the end of the service."
        case .anyHashEnds: "Ends the service regardless of the hash."
        case .namesNoParameter: "Refuses an EndService with a wrong hash without naming hashId."
        case .refusedEndEnds: "Forgets the session although it refuses to end it."
        case .transportUpdateForAll: "Sends TransportEventUpdate to every app."
        case .readsBySegments: "Treats the bytes of each read as whole frames."
        case .registersAgain: "Registers an app that is already registered."
        case .servesAfterUnregistering: "Serves apps that have unregistered."
        case .registersOnlyOnce: "Does not register an app again after it has unregistered."
        case .silentAboutUnknown: "Does not answer requests of functions that do not exist."
        case .takesIncompleteRegistrations: "Registers apps that leave out mandatory parameters."
        case .anyLanguageIsFine:
            "Registers an app with another language as if the languages were the same."
        case .refusesOtherLanguages: "Refuses apps with another language."
        case .dropsLongMessages: "Ignores messages of more than 255 frames."
        case .takesCorruptedFiles: "Accepts files with a wrong checksum."
        case .silentAboutUnsupported: "Does not answer requests of functions that it lacks."
        case .servesIncompleteRequests: "Serves requests that leave out mandatory parameters."
        case .deafAfterMalformed: "Starts no more sessions after a malformed message."
        case .silentOnReservedServices: "Does not answer the start of a reserved service."
        case .echoesVersion: "Answers with the version of the app although it does not support it."
        case .longFramesForFormerApps:
            "Sends frames to apps of versions 1 and 2 that are longer than these versions allow."
        case .talksAfterOwnEnd: "Sends OnAppInterfaceUnregistered after it has ended the service."
        case .servesWrongValues: "Serves requests with values that are not allowed."
        case .servesLongTexts: "Serves requests with texts that are too long."
        case .servesNumbersOutOfRange: "Serves requests with numbers that are out of range."
        case .servesUnknownWords: "Serves requests with words that an enumeration lacks."
        case .servesNull: "Serves requests with null for a parameter."
        case .silentAboutWrongTypes: "Does not answer requests with values of another type."
        case .exitsOnWrongTypes: "Exits when a request has a value of another type."
        case .exitsOnLongTexts: "Exits when a request has a text that is too long."
        case .refusesChangeOfLanguage: "Refuses ChangeRegistration."
        case .silentAboutLanguage: "Does not notify apps that its language has changed."
        case .comparesFormerLanguage: "Compares with the language that it had at first."
        case .keepsOnce: "Restores the data of an app only once."
        case .keepsSixteenItems: "Keeps only the first 16 items that an app sets."
        case .forgetsWithTheIgnition: "Keeps nothing when the ignition is switched off."
        case .keepsOverOneIgnition: "Keeps the data of apps over only one ignition cycle."
        case .tellsNoHash: "Sends no OnHashChange."
        case .refusesEveryHash: "Answers each hash with RESUME_FAILED."
        case .acceptsWithoutData: "Accepts the hash but has kept no data."
        case .forgetsWithTheLink: "Keeps nothing of apps whose connection ends."
        case .takesAnyHash: "Accepts any hash."
        case .refusesUnknownHashes: "Does not register an app with a hash that it does not know."
        case .keepsAfterUnregistering: "Keeps the data of apps that unregister."
        case .forgetsLevel: "Does not bring an app back to the foreground."
        default: robustnessSummary
        }
    }
}
