/// Mistakes that head units make.
public enum HeadUnitMutant: String, Mutant {
    // How it shows itself (MSP-12).
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

    /// A head unit.
    public static let kind = DeviceKind.headUnit

    /// The requirements that it breaks; the one that it is made for comes first.
    public var requirements: [String] {
        switch self {
        case .undeclaredMultisession, .misspeltMultisession, .refusesMultisession,
            .indexOnMultisession, .forgetsSecondPhone:
            ["MSP-12"]
        case .endsFormerMultisession, .secondMultisessionRefused, .thirdMultisessionRefused,
            .eighthMultisessionRefused, .multisessionEndsDedicated, .endOfOneEndsAll,
            .unregistersAll:
            ["MSP-10"]
        case .undeclaredHub, .undeclaredDedicated, .tellsNoIndex, .tellsZero,
            .tellsUndeclaredIndex, .tellsSameIndex, .tellsTwoBytes, .tellsTwice, .hubOnce,
            .neverFreesIndex,
            .hubWithoutMultisessions, .refusesDedicated, .muteDedicated:
            ["MSP-13"]
        case .sessionZero, .higherVersion: ["SDL-1"]
        case .silentHeartbeat: ["SDL-4"]
        case .silentEnd: ["SDL-3"]
        case .servesUnregistered: ["SDL-5"]
        case .refusesPlainRegistration: ["SDL-2"]
        case .refusesAccessoryRegistration: ["SDL-2", "MSP-12", "MSP-13"]
        case .tellsNoStatus: ["SDL-2"]
        }
    }

    /// The requirements whose situation it does not let arise.
    public var masks: [String] {
        switch self {
        case .sessionZero, .refusesPlainRegistration, .tellsNoStatus, .higherVersion:
            ["SDL-1", "SDL-2", "SDL-3", "SDL-4", "SDL-5", "MSP-10", "MSP-12", "MSP-13"]
        case .undeclaredMultisession, .misspeltMultisession, .refusesMultisession,
            .undeclaredHub, .muteDedicated, .refusesDedicated, .refusesAccessoryRegistration,
            .indexOnMultisession:
            ["SDL-2", "MSP-10"]
        default: []
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .undeclaredMultisession: "Does not declare the multisession string."
        case .misspeltMultisession: "Declares the multisession string with a capital S."
        case .refusesMultisession: "Declares multisession and opens no session under it."
        case .endsFormerMultisession:
            "Ends the session of the app before when another opens one under multisession."
        case .secondMultisessionRefused: "Opens one session under multisession at a time."
        case .thirdMultisessionRefused: "Opens two sessions under multisession at a time."
        case .eighthMultisessionRefused: "Opens seven sessions under multisession at a time."
        case .multisessionEndsDedicated:
            "Ends the sessions under dedicated strings when one under multisession is opened."
        case .endOfOneEndsAll: "Ends every session under multisession when one of them ends."
        case .unregistersAll: "Unregisters every app when one of them unregisters."
        case .forgetsSecondPhone: "Declares multisession to the first phone only."
        case .indexOnMultisession: "Tells an index in sessions under multisession, as on the hub."
        case .undeclaredHub: "Does not declare the hub's string."
        case .undeclaredDedicated: "Declares the hub and none of the dedicated strings."
        case .tellsNoIndex: "Opens sessions on the hub and says nothing in them."
        case .tellsZero: "Tells the index 0, which is the hub's own."
        case .tellsUndeclaredIndex: "Tells an index whose dedicated string it does not declare."
        case .tellsSameIndex: "Tells every app the index that it told first."
        case .tellsTwoBytes: "Tells the index as a number of two bytes."
        case .tellsTwice: "Tells the index twice."
        case .hubOnce: "Opens the hub for one app only."
        case .neverFreesIndex: "Tells no index again that an app has used."
        case .hubWithoutMultisessions:
            "Does not open the hub while an app holds a session under multisession."
        case .refusesDedicated: "Opens no session under a dedicated string that it has told."
        case .muteDedicated: "Answers no service start under dedicated strings."
        case .sessionZero: "Assigns the session id 0."
        case .higherVersion: "Tells its own version although the app offers a lower one."
        case .silentHeartbeat: "Does not answer heartbeats."
        case .silentEnd: "Does not answer the end of a service."
        case .servesUnregistered: "Serves apps that have not registered."
        case .refusesPlainRegistration: "Refuses registrations over plain TCP."
        case .refusesAccessoryRegistration: "Refuses registrations in sessions by protocol string."
        case .tellsNoStatus: "Sends no OnHMIStatus after a registration."
        }
    }
}
