"""Habits of the SDL app on the accessory bus; sentences of the MultiSession proposal (MSP)."""

from common import mutant, variant

VARIANTS = [
    variant("late-start", "sdl.md section 4: delay after connection", "begins its first setup 400 ms after the accessories were told", startDelay=0.4),
    variant("slow-retries", "no document gives a time between attempts", "300 ms between attempts", retryDelay=0.3),
    variant("fast-retries", "sdl.md section 4: retries without delay", "no wait between attempts", retryDelay=0.0),
    variant("retries-the-notified", "the proposal does not say with which accessory an attempt is repeated",
            "a repeated attempt takes the notified accessory again", retriesNotified=True),
    variant("last-accessory-first", "findAccessoryForProtocol gives an accessory, the order is open",
            "of several accessories with the string the last one is taken", lastAccessoryFirst=True),
    variant("pause-after-control", "no document gives a time", "300 ms between the end of the control session and the data session", afterControl=0.3),
    variant("comes-again-late", "no document gives a time", "a new setup 1.5 s after a lost session", reconnectDelay=1.5),
    variant("reads-index-late", "no document gives a time", "reads the index 300 ms after the opening of the control session", readsIndexAfter=0.3),
    variant("opening-in-two", "TCP has no borders", "the request of a session in two parts, 10 ms apart", cutsOpening=True),
    variant("old-protocol", "protocol_spec 4.2: apps before 5 send no payload", "protocol 4 on the bus", protocolVersion="4.0.0"),
]

NEW = "If the Head Unit supports the new protocol string then the iOS proxy should attempt to start a data session with the head unit over the new protocol string."
HUB = "should continue existing behavior of attempting a control session via the Hub protocol and negotiating a dedicated protocol string over which it should start a data session"
GATE = "SDL_SYSTEM_VERSION_GREATER_THAN_OR_EQUAL_TO(@\"9\")"
NUMERIC = "compare:version options:NSNumericSearch"
LEGACY = "else if ([accessory supportsProtocol:legacyProtocolString])"
NOTIFIED = "the EAAccessoryDidConnectNotification will contain the SDL accessory to connect to and we can connect without searching"
SEARCH = "Otherwise, we fall through to a search."
BYSTRING = "(sdlAccessory = [EAAccessoryManager findAccessoryForProtocol:multiSessionProtocolString])"
NOTHING = "No accessory supporting a required sync protocol was found."
COUNT = "if (self.retryCounter < createSessionRetries) { // We should be attempting to connect self.retryCounter++;"
LIMIT = "We are beyond the number of retries allowed"
SEVERAL = "Ability for multiple apps to connect over the same protocol string"
EXACT = "it should check if the system supports the new protocol string"
FAILED = "index out of range, or a control session that ends without an index: the attempt has failed and is retried (MSP-14)"

MUTANTS = [
    mutant("no-multisession", "MSP-1", NEW, "never uses multisession", stringOrder=[1, 2]),
    mutant("hub-before-multisession", "MSP-1", "thereby eliminating the need for the 'Hub' strategy", "a control session before the multisession data session", hubBeforeMultisession=True),
    mutant("no-version-gate", "MSP-2", GATE, "multisession also below system version 9", noVersionGate=True),
    mutant("version-as-text", "MSP-2", NUMERIC, "compares versions as text: 10.2 counts as older than 9", versionAsText=True),
    mutant("gate-strict", "MSP-2", GATE, "system version 9 and 9.x do not count as 9 or later", gateStrict=True),
    mutant("gate-8", "MSP-2", GATE, "multisession from system version 8 on", gate=[8]),
    mutant("gate-9-3", "MSP-2", GATE, "multisession from system version 9.1 on", gate=[9, 1]),
    mutant("gate-8-4", "MSP-2", GATE, "multisession from system version 8.4 on", gate=[8, 4]),
    mutant("old-system-legacy-only", "MSP-2", GATE, "below version 9 only the legacy string is tried", oldSystemsLegacyOnly=True),
    mutant("control-not-closed", "MSP-3", HUB, "the control session stays open beside the data session", keepsControl=True),
    mutant("sdl-on-control", "MSP-3", HUB, "SDL on the hub's string, without an index", sdlOnControl=True),
    mutant("index-plus-one", "MSP-3", HUB, "the dedicated string of the next index", indexShift=1),
    mutant("index-as-digit", "MSP-14", FAILED, "the byte 0x31 is read as the digit 1", indexAsDigit=True),
    mutant("padded-index", "MSP-3", HUB, "index 1 makes prot01", paddedIndex=True, undeclared=True),
    mutant("two-byte-index", "MSP-3", HUB, "the index is read as two bytes if there are two", twoByteIndex=True),
    mutant("highest-index-28", "MSP-3", HUB, "index 29 counts as out of range", highestIndex=28),
    mutant("lowest-index-2", "MSP-3", HUB, "index 1 counts as out of range", lowestIndex=2),
    mutant("no-legacy", "MSP-4", LEGACY, "never uses the legacy string", stringOrder=[0, 1]),
    mutant("control-first", "MSP-5", NEW, "control before multisession", stringOrder=[1, 0, 2]),
    mutant("legacy-before-control", "MSP-5", LEGACY, "legacy before control", stringOrder=[0, 2, 1]),
    mutant("legacy-first", "MSP-5", LEGACY, "legacy before all others", stringOrder=[2, 0, 1]),
    mutant("declared-order", "MSP-5", NEW, "takes the first string that is declared", declaredOrder=True),
    mutant("hub-after-failure", "MSP-5", NEW, "after a failed multisession attempt the hub is tried", fallsBackOnRetry=True),
    mutant("notified-ignored", "MSP-6", NOTIFIED, "searches all accessories on a notification", searchesOnNotification=True),
    mutant("notified-only", "MSP-6", SEARCH, "a notified accessory without a known string: the others are not searched", notifiedOnly=True),
    mutant("accessory-first", "MSP-7", BYSTRING, "takes the first accessory that has any string", accessoryFirst=True),
    mutant("first-accessory-only", "MSP-7", SEARCH, "looks at the first accessory only", firstAccessoryOnly=True),
    mutant("tries-anyway", "MSP-8", NOTHING, "tries the hub on an accessory that has no known string", triesAnyway=True),
    mutant("notifications-ignored", "MSP-8", NOTIFIED, "a later notification starts no setup", ignoresNotifications=True),
    mutant("polls", "MSP-8", "self.sessionSetupInProgress = NO;", "looks again every second after a setup ended", polls=1.0),
    mutant("one-more-retry", "MSP-9", COUNT, "one attempt more than allowed", moreRetries=1),
    mutant("one-retry-less", "MSP-9", COUNT, "one attempt less than allowed", moreRetries=-1),
    mutant("always-three-retries", "MSP-9", COUNT, "three attempts whatever is configured", fixedRetries=3),
    mutant("at-most-seven-retries", "MSP-9", COUNT, "at most seven attempts", retriesLimit=7),
    mutant("unlimited", "MSP-9", LIMIT, "attempts without end", unlimited=True),
    mutant("failure-ends", "MSP-9", COUNT, "no second attempt after a failed one", failureEnds=True),
    mutant("index-resets-counter", "MSP-9", COUNT, "an index that arrives sets the counter back", indexResets=True),
    mutant("control-resets-counter", "MSP-9", COUNT, "an opened control session sets the counter back", openedControlResets=True),
    mutant("data-session-resets-counter", "MSP-9", COUNT, "an opened data session sets the counter back although it ended before the registration", openedResets=True),
    mutant("counter-never-reset", "MSP-8", "a later connect notification starts a new setup (MSP-8)", "attempts of all setups are counted together", counterForever=True),
    mutant("failed-control-not-counted", "MSP-9", COUNT, "a control session without index is repeated without being counted", failedControlNotCounted=True),
    mutant("dedicated-again", "MSP-9", COUNT, "a refused dedicated session is opened again once, within the same attempt", dedicatedAgain=1),
    mutant("closes-at-exhaustion", "MSP-8", "a later connect notification starts a new setup (MSP-8)", "leaves the bus when the retries are exhausted", closesAtEnd=True),
    mutant("late-extra-attempt", "MSP-9", LIMIT, "one more attempt 1.5 s after exhaustion", polls=1.5, lateExtra=True),
    mutant("newcomer-ends-session", "MSP-10", "an app disconnecting the connection of a previous app", "a newly connected accessory ends the running session", newcomerEndsSession=True),
    mutant("second-app-ends-first", "MSP-10", SEVERAL, "a second app of the same phone ends the first one's session", secondAppEndsFirst=True),
    mutant("second-app-uses-hub", "MSP-10", SEVERAL, "a second app takes the hub, because multisession is in use", secondAppUsesHub=True),
    mutant("gone-accessory-stays", "MSP-7", SEARCH, "an accessory that was disconnected is still searched", keepsGone=True),
    mutant("no-new-setup", "MSP-8", "a later connect notification starts a new setup (MSP-8)", "after a lost session notifications start no setup", noNewSetup=True),
    mutant("undeclared-channel", "MSP-14", FAILED, "opens a dedicated string that is not declared", undeclared=True),
    mutant("index-zero", "MSP-14", FAILED, "index 0: opens a data session on the hub's string", lowestIndex=0),
    mutant("index-thirty", "MSP-14", FAILED, "index 30 and above are opened", highestIndex=255, undeclared=True),
    mutant("index-modulo", "MSP-14", FAILED, "index 31 is taken as 1", indexModulo=True),
    mutant("index-low-bits", "MSP-14", FAILED, "only the low five bits of the index count", indexLow5Bits=True),
    mutant("guesses-index", "MSP-14", FAILED, "a control session that ends without an index is taken as index 1", guessesIndex=True),
    mutant("waits-for-index", "MSP-14", FAILED, "waits for an index without end", waitsForIndex=True),
    mutant("waits-for-opened", "MSP-9", COUNT, "waits for the opening of a session without end", waitsForOpened=True),
    mutant("silent-session-left-open", "MSP-9", "a silent session is given up by closing the connection (accessory-bus.md)", "a silent session's connection is not closed", leavesSilentOpen=True),
    mutant("caseless-strings", "MSP-5", EXACT, "COM.SmartDeviceLink.MultiSession counts as the string", caseless=True),
    mutant("strings-by-prefix", "MSP-5", EXACT, "com.smartdevicelink.multisession2 counts as the string", byPrefix=True),
    mutant("strings-by-last-part", "MSP-5", EXACT, "com.other.multisession counts as the string", bySuffix=True),
    # The third round, written from the proposal before the tables were read.
    mutant("version-as-fraction", "MSP-2", NUMERIC, "a version with two points counts as older than 9", versionAsFraction=True),
    mutant("only-nine", "MSP-2", GATE, "multisession on system version 9 only, not on 10", onlyNine=True),
    mutant("old-system-hub-only", "MSP-2", LEGACY, "below version 9 the legacy string is not tried", oldSystemsHubOnly=True),
    mutant("remembers-channel", "MSP-3", HUB, "a later setup opens the channel of the first without a control session", remembersChannel=True),
    mutant("remembers-choice", "MSP-5", EXACT, "a later setup uses the string of the first, whatever is declared", remembersChoice=True),
    mutant("hub-after-a-lost-session", "MSP-5", NEW, "after a multisession session that was lost the hub is used", lostThenHub=True),
]
