/// Mistakes that head units make.
public enum HeadUnitMutant: String, DeviceMutant {
    // Declaration and sessions (MSP-12).
    case undeclaredMultisession = "MSP-12: Does not declare the multisession string."
    case misspeltMultisession = "MSP-12: Declares the multisession string with a capital S."
    case refusesMultisession = "MSP-12: Declares multisession but opens no session under it."
    case endsFormerMultisession =
        "MSP-10: Ends the session of the previous app when another opens one under multisession."
    case secondMultisessionRefused =
        "MSP-10: Opens at most one session under multisession at a time."
    case thirdMultisessionRefused =
        "MSP-10: Opens at most two sessions under multisession at a time."
    case eighthMultisessionRefused =
        "MSP-10: Opens at most seven sessions under multisession at a time."
    case multisessionEndsDedicated =
        "MSP-10: Ends the sessions under dedicated strings when one under multisession is opened."
    case endOfOneEndsAll = "MSP-10: Ends every session under multisession when one of them ends."
    case unregistersAll = "MSP-10: Unregisters every app when one of them unregisters."
    case endServiceEndsOthers =
        "MSP-10 SPX-36: Ends the services of all apps when one of them ends its own."
    case levelToFirstApp = "MSP-10: Sends the levels of all apps to the first one."
    case forgetsSecondPhone = "MSP-12: Declares multisession to the first phone only."
    case indexOnMultisession =
        "MSP-12: Sends an index in sessions under multisession, as on the hub."

    // The hub strategy (MSP-13).
    case undeclaredHub = "MSP-13: Does not declare the hub's string."
    case undeclaredDedicated = "MSP-13: Declares the hub but none of the dedicated strings."
    case tellsNoIndex = "MSP-13: Opens sessions on the hub but sends nothing in them."
    case tellsZero = "MSP-13: Sends the index 0, which is that of the hub."
    case tellsUndeclaredIndex = "MSP-13: Sends an index whose dedicated string it does not declare."
    case tellsSameIndex = "MSP-13: Sends every app the index that it sent first."
    case tellsTwoBytes = "MSP-13: Sends the index as a number of two bytes."
    case tellsTwice = "MSP-13: Sends the index twice."
    case hubOnce = "MSP-13: Opens the hub for one app only."
    case neverFreesIndex = "MSP-13: Never reuses an index that an app has used."
    case hubWithoutMultisessions =
        "MSP-13: Does not open the hub while an app holds a session under multisession."
    case refusesDedicated =
        "MSP-13: Opens no session under the dedicated string whose index it has sent."
    case muteDedicated = "MSP-13: Answers no service start under dedicated strings."

    // Sessions and registration (SDL protocol 4, RPC specification).
    case sessionZero = "SDL-1 SPX-5: Assigns the session id 0."
    case higherVersion =
        "SDL-1 SPX-8: Answers with its own version although the app offers a lower one."
    case silentHeartbeat = "SDL-4 SPX-34: Does not answer heartbeats."
    case silentEnd = "SDL-3 SPX-36: Does not answer the end of a service."
    case servesUnregistered = "SDL-5 SPX-44: Serves apps that have not registered."
    case refusesPlainRegistration = "SDL-2: Refuses registrations over plain TCP."
    case refusesAccessoryRegistration =
        "SDL-2 MSP-12 MSP-13: Refuses registrations in sessions by protocol string."
    case tellsNoStatus = "SDL-2: Sends no OnHMIStatus after a registration."

    // The protocol itself (SDL protocol specification, RPC specification).
    case silentOnOtherServices =
        "SPX-4: Does not answer the start of a service that it does not offer."
    case answersAsRPCService = "SPX-4: Refuses any service under the number of the RPC service."
    case sameSessionAgain = "SPX-5: Gives each session of a connection the same id."
    case fiveForFormerApps = "SPX-6: Answers an app that has stated no version in version 5."
    case saysFormerVersion =
        "SPX-7 SPX-12 SDL-1: States protocolVersion 4.0.0 in answers of version 5."
    case speaksOwnVersion = "SPX-9: Continues in version 5, whatever version was agreed."
    case breaksStatus = "SPX-12: Sends OnHMIStatus with a level that does not exist."
    case answersInSessionZero = "SPX-22 SPX-12: Sends RPCs in session 0."
    case servesUnknownSessions = "SPX-22: Answers requests of sessions that it has not assigned."
    case countsByItself = "SPX-30 SPX-45: Numbers its responses with correlation ids of its own."
    case takesNegativeIDs = "SPX-32: Serves requests with negative correlation ids."
    case onlyFirstHeartbeat = "SPX-34: Answers only the first heartbeat of each connection."
    case talksAfterEnd =
        "SPX-36: Sends OnHMIStatus after it has acknowledged the end of the service."
    case anyHashEnds = "SPX-36 SDL-3: Ends the service regardless of the hash."
    case namesNoParameter = "SPX-36: Refuses an EndService with a wrong hash without naming hashId."
    case refusedEndEnds = "SPX-36: Forgets the session although it refuses to end it."
    case transportUpdateForAll = "SPX-37 SPX-12: Sends TransportEventUpdate to every app."
    case readsBySegments = "SPX-42: Treats the bytes of each read as whole frames."
    case registersAgain = "SPX-43: Registers an app that is already registered."
    case servesAfterUnregistering = "SPX-44: Serves apps that have unregistered."
    case registersOnlyOnce = "SPX-44: Does not register an app again after it has unregistered."
    case silentAboutUnknown = "SPX-45: Does not answer requests of functions that do not exist."
    case takesIncompleteRegistrations =
        "SPX-46: Registers apps that leave out mandatory parameters."
    case anyLanguageIsFine =
        "SPX-47: Registers an app with another language as if the languages were the same."
    case refusesOtherLanguages = "SPX-47: Refuses apps with another language."
    case dropsLongMessages = "SPX-19: Ignores messages of more than 255 frames."
    case takesCorruptedFiles = "SPX-48: Accepts files with a wrong checksum."
    case silentAboutUnsupported = "SPX-53: Does not answer requests of functions that it lacks."
    case servesIncompleteRequests = "SPX-54: Serves requests that leave out mandatory parameters."
    case deafAfterMalformed = "SPX-55: Starts no more sessions after a malformed message."
    case silentOnReservedServices = "SPX-4: Does not answer the start of a reserved service."
    case echoesVersion =
        "SPX-8: Answers with the version of the app although it does not support it."
    case longFramesForFormerApps = """
        SPX-13 SPX-12: Sends frames to apps of versions 1 and 2 that are longer than these \
        versions allow.
        """
    case talksAfterOwnEnd =
        "SPX-58: Sends OnAppInterfaceUnregistered after it has ended the service."
    case servesWrongValues = "SPX-54: Serves requests with values that are not allowed."
    case servesLongTexts = "SPX-54: Serves requests with texts that are too long."
    case servesNumbersOutOfRange = "SPX-54: Serves requests with numbers that are out of range."
    case servesUnknownWords = "SPX-54: Serves requests with words that an enumeration lacks."
    case servesNull = "SPX-54: Serves requests with null for a parameter."
    case silentAboutWrongTypes = "SPX-53: Does not answer requests with values of another type."
    case exitsOnWrongTypes = "SPX-55: Exits when a request has a value of another type."
    case exitsOnLongTexts = "SPX-55: Exits when a request has a text that is too long."
    case exitsOnLongLists = "SPX-55: Exits when a request has a list that is too long."
    case exitsOnNumbersOutOfRange =
        "SPX-55: Exits when a request has a number that is out of range."
    case exitsOnUnknownWords = "SPX-55: Exits when a request has a word that an enumeration lacks."
    case exitsOnIncompleteRequests = "SPX-55: Exits when a request lacks a mandatory parameter."
    case unitCrashesOnNull = "SPX-55: Crashes when a request has null for a parameter."
    case unitCrashesOnMalformed = "SPX-55: Crashes when a message cannot be decoded."
    case hangsOnWrongTypes = "SPX-55: Hangs when a request has a value of another type."
    case unitHangsOnMalformed = "SPX-55: Hangs when a message cannot be decoded."
    case endsOthersOnMalformed =
        "SPX-55: Ends the connections of other phones when a message cannot be decoded."
    case unregistersOthersOnWrongValues =
        "SPX-55: Unregisters the apps of other phones when a request has a wrong value."
    case silentAboutNull = "SPX-53: Does not answer requests with null for a parameter."
    case silentAboutLongTexts = "SPX-53: Does not answer requests with texts that are too long."
    case silentAboutNumbers = "SPX-53: Does not answer requests with numbers that are out of range."
    case answersTwice = "SPX-53: Answers requests with wrong values twice."
    case refusesWithSuccess = "SPX-54: Refuses requests with wrong values with the result SUCCESS."
    case spinsAfterWrongValues = "SPX-64: Never waits again after a request with a wrong value."
    case unitKeepsWrongValues = "SPX-64: Keeps eight MiB for each request with a wrong value."
    case unitKeepsDescriptors = "SPX-64: Keeps two descriptors for each request with a wrong value."
    case refusesChangeOfLanguage = "SPX-59: Refuses ChangeRegistration."
    case silentAboutLanguage = "SPX-60: Does not notify apps that its language has changed."
    case comparesFormerLanguage = "SPX-60: Compares with the language that it had at first."

    // The data kept of apps (RPC specification, hashID).
    case tellsNoHash = "SPX-49: Sends no OnHashChange."
    case refusesEveryHash = "SPX-49: Answers each hash with RESUME_FAILED."
    case acceptsWithoutData = "SPX-49: Accepts the hash but has kept no data."
    case forgetsWithTheLink = "SPX-49: Keeps nothing of apps whose connection ends."
    case takesAnyHash = "SPX-50: Accepts any hash."
    case refusesUnknownHashes =
        "SPX-50: Does not register an app with a hash that it does not know."
    case keepsAfterUnregistering = "SPX-51: Keeps the data of apps that unregister."
    case forgetsLevel = "SPX-52: Does not bring an app back to the foreground."
    case keepsOnce = "SPX-49: Restores the data of an app only once."
    case keepsSixteenItems = "SPX-49: Keeps only the first 16 items that an app sets."
    case forgetsWithTheIgnition = "SPX-61: Keeps nothing when the ignition is switched off."
    case keepsOverOneIgnition = "SPX-61: Keeps the data of apps over only one ignition cycle."

    /// A head unit.
    public static let kind = DeviceKind.headUnit

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
        default:
            // Whatever is sent wrong to measure what it costs shows the mistake too, and a device
            // that has ended answers no further request.
            switch requirements.first {
            case "SPX-55": ["SPX-53", "SPX-54", "SPX-64"]
            case "SPX-53", "SPX-54": ["SPX-64"]
            default: []
            }
        }
    }
}
