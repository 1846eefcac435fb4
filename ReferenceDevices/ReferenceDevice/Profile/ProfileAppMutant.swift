/// Mistakes that apps with profile connections make.
public enum ProfileAppMutant: String, DeviceMutant {
    // When it scans, and what it reports (PCM-1, PCM-2, PCM-12).
    case scansBeforeAvailable =
        "PCM-1: Scans as soon as this is requested, whether Bluetooth is available or not."
    case forgetsScanWish =
        "PCM-1: Never scans if this was requested before Bluetooth was available."
    case reportsEveryAdvertisement = "PCM-2: Reports every peripheral that advertises."
    case matchesNameOnly =
        "PCM-2: Reports peripherals by their name, whatever services they advertise."
    case ignores128BitUUIDs = "PCM-2: Ignores 128-bit service UUIDs in advertisements."
    case ignores16BitUUIDs = "PCM-2: Ignores 16-bit service UUIDs in advertisements."
    case ignoresScanResponse = "PCM-2: Ignores the data of scan responses."
    case ignoresIncompleteLists = "PCM-2: Ignores incomplete lists of services."
    case matchesServiceData = "PCM-2: Treats service data as the offer of a service."
    case firstUUIDOnly = "PCM-2: Looks only for the first service of a class."
    case firstClassWins = "PCM-12: Makes every connection of the class that was registered first."

    // Accessories (PCM-11).
    case matchesAnyAccessory = "PCM-11: Treats every accessory as one of its class."
    case comparesStringsLoosely = "PCM-11: Compares protocol strings without regard to case."
    case opensFirstString =
        "PCM-11: Opens the session under the first string that the accessory declares."
    case triesGATTForAccessories =
        "PCM-11: Looks for a peripheral although its class specifies a protocol string."
    case ignoresRefusedSession = "PCM-11: Reports an activation although its session was refused."

    // Activation (PCM-3 to PCM-6).
    case connectsOnDiscovery =
        "PCM-3: Connects to a peripheral, or opens a session, as soon as a device is found."
    case reportsSuccessOnConnect =
        "PCM-4: Reports an activation as soon as the link is established."
    case reportsSuccessBeforeRead =
        "PCM-4: Reports an activation before its reads have been answered."
    case readsBeforeSubscribing = "PCM-4: Reads first and subscribes afterwards."
    case neverSubscribes = "PCM-4: Activates without subscribing."
    case subscribesWrongCharacteristic = "PCM-4: Subscribes to the neighbour of its characteristic."
    case ignoresRefusedSubscription =
        "PCM-4: Reports an activation although its subscription was refused."
    case alwaysNotifies =
        "PCM-4: Requests notifications of a characteristic that has only indications."
    case ignoresRefusedRead = "PCM-4: Reports an activation although a read was refused."
    case ignoresMissingEncryption =
        "PCM-4: Reports an activation although a value needs an encrypted link and was not read."
    case takesLateAnswerForNext = """
        PCM-4: Sends its next request after two seconds and takes a late answer for the answer to \
        it.
        """
    case doesWithoutLateAnswers =
        "PCM-4: Continues without an answer that takes more than ten seconds."
    case writesEarly = "PCM-5: Writes application data while it activates."
    case sendsInactive = "PCM-5: Sends application data on a link whose connection is not active."
    case subscribesWithoutService =
        "PCM-6: Subscribes to a characteristic although the service is missing."
    case succeedsWithoutService = "PCM-6: Reports an activation although the service is missing."
    case neverFailsConnecting =
        "PCM-4: Reports neither success nor failure when no link can be made."

    // Deactivation (PCM-7).
    case disconnectsWithoutUnsubscribing =
        "PCM-7 PCM-7b: Disconnects without ending its subscription."
    case keepsLinkOnDeactivation = "PCM-7: Keeps its own link when it deactivates."
    case keepsAccessoryLink = "PCM-7: Keeps its own link to an accessory when it deactivates."
    case keepsSession = "PCM-7: Keeps its session with an accessory when it deactivates."
    case disconnectsBeforeTheAnswer =
        "PCM-7 PCM-7b: Disconnects before the end of its subscription is answered."
    case endsAllLinks = "PCM-7: Ends the links of all its objects when it deactivates one."
    case disconnectsSystemLink = "PCM-7b: Ends a link of the system when it deactivates."

    // Manual objects, retrieval, monitoring (PCM-8 to PCM-10).
    case manualConnects = "PCM-8: Connects for an object that was made by hand."
    case manualNeverFails =
        "PCM-8: Reports nothing for an object that was made by hand if the device is not connected."
    case manualRefusesConnected =
        "PCM-8: Fails to activate an object that was made by hand although the device is connected."
    case retrievesDisconnected = "PCM-9: Retrieves devices whose links have ended."
    case retrievesEverything =
        "PCM-9: Retrieves connected devices that offer no service of interest."
    case retrievesNothing = "PCM-9: Retrieves nothing."
    case monitorsFromLaunch = "PCM-10: Reports new devices before monitoring was requested."
    case monitorsForEver = "PCM-10: Continues to report new devices after monitoring was ended."
    case reportsOldOnMonitor = "PCM-10: Reports devices that were connected before as new."

    // Loss of the link (PCM-14).
    case cutsAtTwenty = "PCM-13: Sends only the first twenty bytes of application data."
    case deliversToFirst = "PCM-13: Delivers all received data to the first active connection."
    case losesAll = "PCM-14: Treats the loss of one link as the loss of all."
    case staysActiveAfterLoss = "PCM-14: Reports nothing when its link is lost."
    case sendsOnDeadHandle = "PCM-14: Sends on the handle of a link that has ended."
    case skipsSubscriptionOnReactivation =
        "PCM-14: Neither subscribes nor opens a session when it activates again."
    case neverReactivates = "PCM-14: Does nothing when it is activated again."
    case crashesOnLoss = "PCM-14: Crashes when its link is lost."
    case crashesOnMalformed = "PCM-4: Crashes when an answer is truncated."

    /// An app with profile connections.
    public static let kind = DeviceKind.profileApp

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
}
