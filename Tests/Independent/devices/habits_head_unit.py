"""Habits of the head unit; sentences of the MultiSession proposal (MSP-12, MSP-13, MSP-10)."""

from common import mutant, variant

VARIANTS = [
    variant("legacy-too", "the proposal removes no string", "declares com.ford.sync.prot0 too", legacy=True),
    variant("multisession-last", "the proposal requires the string, not its place", "declares multisession after all others", multisessionLast=True),
    variant("few-channels", "sdl.md: prot1 to prot29 may be declared, not all must", "declares five dedicated channels", channels=5),
    variant("channels-from-top", "the index is the head unit's choice", "gives the highest free channel first", channelsFromTop=True),
    variant("other-strings-too", "an accessory may declare other strings", "declares strings of other vendors", otherStrings=True),
    variant("ids-from-hundred", "protocol_spec 4.2: 1 to 255", "session ids from 100 on", firstSession=100),
    variant("protocol-4", "protocol_spec 4.2", "a head unit of protocol 4", version=4),
    variant("protocol-3", "protocol_spec 4.2", "a head unit of protocol 3", version=3),
    variant("slow-answers", "no document gives a time", "150 ms before each answer", pause=0.15),
    variant("hash-before-response", "sdl.md: OnHashChange before or after its response", "OnHashChange before the response", hashFirst=True),
    variant("full-at-once", "sdl.md: direct FULL is legal", "OnHMIStatus FULL right after registration", fullAtOnce=True),
    variant("talkative", "sdl.md: notifications after the response", "OnPermissionsChange, OnDriverDistraction after registration", talkative=True),
    variant("cut-writes", "TCP has no message boundaries", "writes of 9 bytes", cutWrites=9),
    variant("index-late", "no document gives a time", "the index 400 ms after the opening of the control session", indexDelay=0.4),
    variant("heartbeats", "protocol_spec 4.5", "Heartbeat of the head unit every 0.7 s", heartbeat=0.7),
    variant("level-late", "no document gives a time", "OnHMIStatus 200 ms after the response", levelDelay=0.2),
    variant("ids-in-steps", "protocol_spec 4.2: 1 to 255", "session ids 1, 8, 15 and so on", sessionStep=7),
    variant("warnings", "MOBILE_API: WARNINGS is a success", "answers a registration with WARNINGS", registrationCode="WARNINGS"),
    variant("asks-at-start", "sdl.md: notifications after the response", "OnSystemRequest and OnLanguageChange after registration",
            afterRegistration=[["OnSystemRequest", {"requestType": "LOCK_SCREEN_ICON_URL", "url": "http://example/icon.png"}],
                               ["OnLanguageChange", {"language": "EN-US", "hmiDisplayLanguage": "EN-US"}]]),
]

DECLARE = "Head units which support multisession should declare support for the following protocol string when setting up their iAP session."
STRING = "New protocol string: com.smartdevicelink.multisession"
HUB = "Head Units would still need to support the 'Hub' protocol string and the Hub strategy"
OLD = "inorder to support apps which do not upgrade to the latest proxy"
SEVERAL = "Head units which support multisession would allow multiple apps to connect over the same protocol string"
PREVIOUS = "overcome the limitation of an app disconnecting the connection of a previous app"

MUTANTS = [
    mutant("multisession-not-declared", "MSP-12", DECLARE, "does not declare multisession", notDeclared=["com.smartdevicelink.multisession"]),
    mutant("multisession-other-case", "MSP-12", STRING, "declares com.smartdevicelink.multiSession", renamed={"com.smartdevicelink.multisession": "com.smartdevicelink.multiSession"}),
    mutant("multisession-ford", "MSP-12", STRING, "declares com.ford.sync.multisession", renamed={"com.smartdevicelink.multisession": "com.ford.sync.multisession"}),
    mutant("multisession-numbered", "MSP-12", STRING, "declares com.smartdevicelink.multisession0", renamed={"com.smartdevicelink.multisession": "com.smartdevicelink.multisession0"}),
    mutant("multisession-refused", "MSP-12", DECLARE, "declares multisession and refuses its sessions", refuses=["com.smartdevicelink.multisession"]),
    mutant("hub-not-declared", "MSP-13", HUB, "does not declare the hub string", notDeclared=["com.smartdevicelink.prot0"]),
    mutant("hub-refused", "MSP-13", HUB, "declares the hub string and refuses its sessions", refuses=["com.smartdevicelink.prot0"]),
    mutant("hub-silent", "MSP-13", HUB, "no index on the hub", noIndex=True),
    mutant("index-as-digit", "MSP-13", HUB, "the index as a digit", indexAsDigit=True),
    mutant("index-in-two-bytes", "MSP-13", HUB, "the index in two bytes, the high one first", indexBytes=2),
    mutant("index-zero", "MSP-13", HUB, "index 0", fixedIndex=0),
    mutant("index-not-declared", "MSP-13", HUB, "an index whose string is not declared", fixedIndex=29, channels=5),
    mutant("index-out-of-range", "MSP-13", HUB, "index 30", fixedIndex=30),
    mutant("dedicated-not-declared", "MSP-13", HUB, "declares no dedicated strings", channels=0, fixedIndex=1),
    mutant("dedicated-refused", "MSP-13", HUB, "refuses the sessions on dedicated strings", refusesDedicated=True),
    mutant("hub-closed-with-index", "MSP-13", HUB, "refuses the hub while a multisession session is open", hubOnlyAlone=True),
    mutant("same-index-for-all", "MSP-13", HUB, "the second app gets the first one's index while that is in use", fixedIndex=1),
    mutant("index-never-again", "MSP-13", HUB, "an index that became free is not assigned again: after two apps none is left", lastIndex=2, neverFreed=True),
    mutant("second-app-ends-first", "MSP-10", PREVIOUS, "a second session over multisession ends the first", endsPrevious=True),
    mutant("second-app-refused", "MSP-10", SEVERAL, "a second session over multisession is refused", mostSessions=1),
    mutant("third-app-refused", "MSP-10", SEVERAL, "a third session over multisession is refused", mostSessions=2),
    mutant("eighth-app-refused", "MSP-10", SEVERAL, "an eighth session over multisession is refused", mostSessions=7),
    mutant("hub-app-ends-multisession", "MSP-10", PREVIOUS, "an app over the hub ends those over multisession", hubEndsOthers=True),
    mutant("multisession-ends-hub-app", "MSP-10", PREVIOUS, "an app over multisession ends those over dedicated strings", multisessionEndsOthers=True),
    mutant("end-of-one-ends-all", "MSP-10", SEVERAL, "the end of one app's session ends all others", endEndsAll=True),
    mutant("one-registration", "MSP-10", SEVERAL, "a second app's registration is refused", mostApps=1),
    mutant("unregister-ends-all", "MSP-10", SEVERAL, "the unregistration of one app unregisters all", unregisterEndsAll=True),
    mutant("answers-to-last", "MSP-10", SEVERAL, "answers go to the app that came last", answersToLast=True),
    mutant("registers-over-hub-only", "MSP-12", DECLARE, "registrations over multisession are refused", refusesRegistrationOver=["com.smartdevicelink.multisession"]),
    mutant("dedicated-without-registration", "MSP-13", OLD, "registrations over dedicated strings are refused", refusesRegistrationOver=["com.smartdevicelink.prot1", "com.smartdevicelink.prot2", "com.smartdevicelink.prot29"]),
    mutant("second-life-forgets-string", "MSP-12", DECLARE, "from the second phone on multisession is not declared", notDeclaredFromSecond=["com.smartdevicelink.multisession"]),
    mutant("second-phone-without-hub", "MSP-13", HUB, "from the second phone on the hub is not declared", notDeclaredFromSecond=["com.smartdevicelink.prot0"]),
    # The third round, written from the proposal before the tables were read.
    mutant("dedicated-beside-control", "MSP-13", HUB, "a dedicated session is refused once the control session is closed", dedicatedBesideControl=True),
    mutant("one-hub-app", "MSP-13", OLD, "no index while another app has a dedicated channel", oneHubApp=True),
    mutant("notifies-last", "MSP-10", SEVERAL, "notifications go to the app that came last", notifiesLast=True),
    mutant("service-end-ends-all", "MSP-10", SEVERAL, "EndService of one app ends the services of all", serviceEndEndsAll=True),
]
