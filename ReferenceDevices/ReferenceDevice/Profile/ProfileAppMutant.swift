/// Mistakes that apps with profile connections make.
public enum ProfileAppMutant: String, DeviceMutant {
    // When it scans, and what it reports (PCM-1, PCM-2, PCM-12).
    case scansBeforeAvailable = "scans-before-available"
    case forgetsScanWish = "forgets-scan-wish"
    case reportsEveryAdvertisement = "reports-every-advertisement"
    case matchesNameOnly = "matches-name-only"
    case ignores128BitUUIDs = "ignores-128-bit-uuids"
    case ignores16BitUUIDs = "ignores-16-bit-uuids"
    case ignoresScanResponse = "ignores-scan-response"
    case ignoresIncompleteLists = "ignores-incomplete-lists"
    case matchesServiceData = "matches-service-data"
    case firstUUIDOnly = "first-uuid-only"
    case firstClassWins = "first-class-wins"

    // Accessories (PCM-11).
    case matchesAnyAccessory = "matches-any-accessory"
    case comparesStringsLoosely = "compares-strings-loosely"
    case opensFirstString = "opens-first-string"
    case triesGATTForAccessories = "tries-gatt-for-accessories"
    case ignoresRefusedSession = "ignores-refused-session"

    // Activation (PCM-3 to PCM-6).
    case connectsOnDiscovery = "connects-on-discovery"
    case reportsSuccessOnConnect = "reports-success-on-connect"
    case reportsSuccessBeforeRead = "reports-success-before-read"
    case readsBeforeSubscribing = "reads-before-subscribing"
    case neverSubscribes = "never-subscribes"
    case subscribesWrongCharacteristic = "subscribes-wrong-characteristic"
    case ignoresRefusedSubscription = "ignores-refused-subscription"
    case alwaysNotifies = "always-notifies"
    case ignoresRefusedRead = "ignores-refused-read"
    case ignoresMissingEncryption = "ignores-missing-encryption"
    case takesLateForNext = "takes-late-answer-for-next"
    case doesWithoutLateAnswers = "does-without-late-answers"
    case writesEarly = "writes-early"
    case sendsInactive = "sends-inactive"
    case subscribesWithoutService = "subscribes-without-service"
    case succeedsWithoutService = "succeeds-without-service"
    case neverFailsConnecting = "never-fails-connecting"

    // Deactivation (PCM-7).
    case disconnectsWithoutUnsubscribing = "disconnects-without-unsubscribing"
    case keepsLinkOnDeactivation = "keeps-link-on-deactivation"
    case keepsAccessoryLink = "keeps-accessory-link"
    case keepsSession = "keeps-session"
    case unsubscribesWithoutDisconnecting = "disconnects-before-the-answer"
    case disconnectsSystemLink = "disconnects-system-link"

    // Manual objects, retrieval, monitoring (PCM-8 to PCM-10).
    case manualConnects = "manual-connects"
    case manualNeverFails = "manual-never-fails"
    case manualRefusesConnected = "manual-refuses-connected"
    case retrievesDisconnected = "retrieves-disconnected"
    case retrievesEverything = "retrieves-everything"
    case retrievesNothing = "retrieves-nothing"
    case monitorsFromLaunch = "monitors-from-launch"
    case monitorsForEver = "monitors-for-ever"
    case reportsOldOnMonitor = "reports-old-on-monitor"

    // Loss of the link (PCM-14).
    case cutsAtTwenty = "cuts-at-twenty"
    case deliversToFirst = "delivers-to-first"
    case losesAll = "loses-all"
    case staysActiveAfterLoss = "stays-active-after-loss"
    case sendsOnDeadHandle = "sends-on-dead-handle"
    case skipsSubscriptionOnReactivation = "skips-subscription-on-reactivation"
    case neverReactivates = "never-reactivates"
    case crashesOnLoss = "crashes-on-loss"
    case crashesOnMalformed = "crashes-on-malformed"

    /// An app with profile connections.
    public static let kind = DeviceKind.profileApp

    /// The requirements that it breaks; the one that it was written for comes first.
    public var requirements: [String] {
        switch self {
        case .scansBeforeAvailable, .forgetsScanWish: ["PCM-1"]
        case .reportsEveryAdvertisement, .matchesNameOnly, .ignores128BitUUIDs,
            .ignores16BitUUIDs, .ignoresScanResponse, .ignoresIncompleteLists,
            .matchesServiceData:
            ["PCM-2"]
        case .firstUUIDOnly: ["PCM-2"]
        case .matchesAnyAccessory, .comparesStringsLoosely, .opensFirstString,
            .triesGATTForAccessories, .ignoresRefusedSession:
            ["PCM-11"]
        case .firstClassWins: ["PCM-12"]
        case .connectsOnDiscovery: ["PCM-3"]
        case .reportsSuccessOnConnect, .reportsSuccessBeforeRead, .readsBeforeSubscribing,
            .neverSubscribes, .subscribesWrongCharacteristic, .ignoresRefusedSubscription,
            .ignoresRefusedRead, .alwaysNotifies, .neverFailsConnecting, .takesLateForNext,
            .doesWithoutLateAnswers, .ignoresMissingEncryption:
            ["PCM-4"]
        case .writesEarly, .sendsInactive: ["PCM-5"]
        case .subscribesWithoutService, .succeedsWithoutService: ["PCM-6"]
        case .disconnectsWithoutUnsubscribing, .unsubscribesWithoutDisconnecting:
            ["PCM-7", "PCM-7b"]
        case .keepsLinkOnDeactivation, .keepsAccessoryLink, .keepsSession: ["PCM-7"]
        case .disconnectsSystemLink: ["PCM-7b"]
        case .manualConnects, .manualNeverFails, .manualRefusesConnected: ["PCM-8"]
        case .retrievesDisconnected, .retrievesEverything, .retrievesNothing: ["PCM-9"]
        case .monitorsFromLaunch, .monitorsForEver, .reportsOldOnMonitor: ["PCM-10"]
        case .cutsAtTwenty, .deliversToFirst: ["PCM-13"]
        case .losesAll, .staysActiveAfterLoss, .sendsOnDeadHandle, .skipsSubscriptionOnReactivation,
            .neverReactivates, .crashesOnLoss:
            ["PCM-14"]
        case .crashesOnMalformed: ["PCM-4"]
        }
    }

    /// The requirements whose situation cannot arise because of the mistake.
    public var masks: [String] {
        switch self {
        // A device that is not found is not activated, and one found wrongly is not of its class.
        case .reportsEveryAdvertisement, .matchesNameOnly, .ignores128BitUUIDs,
            .ignores16BitUUIDs, .ignoresScanResponse, .ignoresIncompleteLists, .firstUUIDOnly:
            ["PCM-1", "PCM-12"]
        case .firstClassWins: ["PCM-2"]
        // An unrequested link disturbs everything that follows the discovery.
        case .connectsOnDiscovery:
            [
                "PCM-1", "PCM-2", "PCM-4", "PCM-5", "PCM-6", "PCM-7", "PCM-9", "PCM-10", "PCM-11",
                "PCM-12", "PCM-13", "PCM-14",
            ]
        // An app that accepts every accessory also accepts those that other requirements are about.
        case .matchesAnyAccessory: ["PCM-9", "PCM-12"]
        case .retrievesEverything: ["PCM-11", "PCM-12"]
        case .retrievesNothing: ["PCM-12"]
        // Other requirements depend on what an activation is: those about activations that fail,
        // about activations after a loss, and about objects that were made by hand.
        case .reportsSuccessOnConnect, .reportsSuccessBeforeRead, .readsBeforeSubscribing,
            .neverSubscribes, .subscribesWrongCharacteristic, .writesEarly:
            ["PCM-4", "PCM-5", "PCM-6", "PCM-7", "PCM-7b", "PCM-8", "PCM-13", "PCM-14"]
        default: []
        }
    }

    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .scansBeforeAvailable:
            "Scans as soon as this is requested, whether Bluetooth is available or not."
        case .forgetsScanWish: "Never scans if this was requested before Bluetooth was available."
        case .reportsEveryAdvertisement: "Reports every peripheral that advertises."
        case .matchesNameOnly:
            "Reports peripherals by their name, whatever services they advertise."
        case .ignores128BitUUIDs: "Ignores 128-bit service UUIDs in advertisements."
        case .ignores16BitUUIDs: "Ignores 16-bit service UUIDs in advertisements."
        case .ignoresScanResponse: "Ignores the data of scan responses."
        case .ignoresIncompleteLists: "Ignores incomplete lists of services."
        case .matchesServiceData: "Treats service data as the offer of a service."
        case .firstUUIDOnly: "Looks only for the first service of a class."
        case .matchesAnyAccessory: "Treats every accessory as one of its class."
        case .comparesStringsLoosely: "Compares protocol strings without regard to case."
        case .opensFirstString:
            "Opens the session under the first string that the accessory declares."
        case .triesGATTForAccessories:
            "Looks for a peripheral although its class specifies a protocol string."
        case .ignoresRefusedSession: "Reports an activation although its session was refused."
        case .firstClassWins: "Makes every connection of the class that was registered first."
        case .connectsOnDiscovery:
            "Connects to a peripheral, or opens a session, as soon as a device is found."
        case .reportsSuccessOnConnect: "Reports an activation as soon as the link is established."
        case .reportsSuccessBeforeRead:
            "Reports an activation before its reads have been answered."
        case .readsBeforeSubscribing: "Reads first and subscribes afterwards."
        case .neverSubscribes: "Activates without subscribing."
        case .subscribesWrongCharacteristic: "Subscribes to the neighbour of its characteristic."
        case .ignoresRefusedSubscription:
            "Reports an activation although its subscription was refused."
        case .alwaysNotifies:
            "Requests notifications of a characteristic that has only indications."
        case .ignoresRefusedRead: "Reports an activation although a read was refused."
        case .ignoresMissingEncryption:
            "Reports an activation although a value needs an encrypted link and was not read."
        case .takesLateForNext:
            "Sends its next request after two seconds and takes a late answer for the answer to it."
        case .doesWithoutLateAnswers:
            "Continues without an answer that takes more than ten seconds."
        case .writesEarly: "Writes application data while it activates."
        case .sendsInactive: "Sends application data on a link whose connection is not active."
        case .subscribesWithoutService:
            "Subscribes to a characteristic although the service is missing."
        case .succeedsWithoutService: "Reports an activation although the service is missing."
        case .neverFailsConnecting:
            "Reports neither success nor failure when no link can be made."
        case .disconnectsWithoutUnsubscribing: "Disconnects without ending its subscription."
        case .keepsLinkOnDeactivation: "Keeps its own link when it deactivates."
        case .keepsAccessoryLink:
            "Keeps its own link to an accessory when it deactivates."
        case .keepsSession: "Keeps its session with an accessory when it deactivates."
        case .unsubscribesWithoutDisconnecting:
            "Disconnects before the end of its subscription is answered."
        case .disconnectsSystemLink: "Ends a link of the system when it deactivates."
        case .manualConnects: "Connects for an object that was made by hand."
        case .manualNeverFails:
            "Reports nothing for an object that was made by hand if the device is not connected."
        case .manualRefusesConnected:
            "Fails to activate an object that was made by hand although the device is connected."
        case .retrievesDisconnected: "Retrieves devices whose links have ended."
        case .retrievesEverything: "Retrieves connected devices that offer no service of interest."
        case .retrievesNothing: "Retrieves nothing."
        case .monitorsFromLaunch: "Reports new devices before monitoring was requested."
        case .monitorsForEver: "Continues to report new devices after monitoring was ended."
        case .reportsOldOnMonitor: "Reports devices that were connected before as new."
        case .cutsAtTwenty: "Sends only the first twenty bytes of application data."
        case .deliversToFirst: "Delivers all received data to the first active connection."
        case .losesAll: "Treats the loss of one link as the loss of all."
        case .staysActiveAfterLoss: "Reports nothing when its link is lost."
        case .sendsOnDeadHandle: "Sends on the handle of a link that has ended."
        case .skipsSubscriptionOnReactivation:
            "Neither subscribes nor opens a session when it activates again."
        case .neverReactivates: "Does nothing when it is activated again."
        case .crashesOnLoss: "Crashes when its link is lost."
        case .crashesOnMalformed: "Crashes when an answer is truncated."
        }
    }
}
