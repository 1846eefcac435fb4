"""Habits and mistakes of the SDL app, fifth round: what is wrong only in a later life, at another head unit, or with certain values.

Sentences are quoted from SDL-0054 (CRM) and SDL-0183 (RHM), or are those of the requirement."""

from common import fifth_round, mutant, variant
from habits_sdl import AFTER, APPLY, CALLBACKS, EXACT, LEGAL, MISMATCH, NEWUNIT, NIL, OTHER, REFUSED, SEND, SENT, SETLANG, SIMILAR

NO_TIME = "no document gives a time"
VARIANTS = fifth_round([
    variant("handlers-after-2-s", NO_TIME, "what a handler sends comes two seconds after the event", handlerDelay=2.0),
    variant("data-after-2-s", NO_TIME, "the data is set two seconds after the first level", dataDelay=2.0),
    variant("change-after-2-s", NO_TIME, "ChangeRegistration two seconds after the response", changeDelay=2.0),
    variant("comes-back-after-4-s", NO_TIME, "4 s between the end of a connection and the next one", reconnectDelay=4.0),
    variant("comes-back-ever-later", NO_TIME, "each return to a head unit is half a second later than the one before", reconnectGrows=0.5),
    variant("slow-requests", NO_TIME, "300 ms before each request of the managers", pause=0.3),
    variant("handlers-ask-first", LEGAL + ": requests at any time", "a handler asks for the displays before it sends its request",
            beforeHandler=[{"GetSystemCapability": {"systemCapabilityType": "DISPLAYS"}}]),
    variant("asks-at-each-hash", LEGAL + ": requests at any time", "GetSystemCapability after each OnHashChange", asksAtHash=True),
    variant("speaks-at-each-level", LEGAL + ": requests at any time", "Speak at each level that is not NONE", speaksAtEachLevel=True),
    variant("button-comes-and-goes", "MOBILE_API", "SubscribeButton and UnsubscribeButton before the data",
            atFull=[["SubscribeButton", {"buttonName": "SEEKLEFT"}], ["UnsubscribeButton", {"buttonName": "SEEKLEFT"}]]),
    variant("tries-refused-again", "no document forbids it", "a refused request of the managers is sent once more after 300 ms", triesAgainAfter=0.3),
    variant("files-before-level", "no document gives an order of files", "images are put right after the registration, also in NONE", filesBeforeLevel=True),
    variant("stays-unregistered", NO_TIME, "the connection stays open for a second after OnAppInterfaceUnregistered", staysUnregistered=1.0),
    variant("ends-service-unregistered", "protocol_spec 6.1", "EndService after OnAppInterfaceUnregistered", endsServiceUnregistered=True),
    variant("ids-at-random", "protocol_spec 2.3 and 5.2.1.1: no order mandated", "correlation ids and message ids at random", idsAtRandom=True),
])

LANGUAGE_MUTANTS = [
    mutant("unsupported-unit-resets-language", "CRM-8", SETLANG, "after a head unit of a language that is not supported the app asks for its first language",
           unsupportedResetsLanguage=True),
    mutant("nil-resets-names", "CRM-6", NIL, "where the delegate gives nothing the names become those of the start", nilResetsNames=True),
    mutant("unanswered-change-resets-names", "CRM-7", APPLY, "a change that had no answer keeps the language, but not the names", unansweredResetsNames=True),
    mutant("compares-each-3-s", "CRM-10", NEWUNIT, "no comparison within three seconds of the one before", comparesEach=3.0),
    mutant("voice-names-of-30", "CRM-7", SEND, "VR names are cut at 30 characters", voiceLength=30),
    mutant("tts-like-app-name", "CRM-7", SEND, "a TTS name that is equal to the app name is left out", ttsEqualOmitted=True),
    mutant("late-languages-unknown", "CRM-3", MISMATCH, "languages that RPC 4.5 added count as not supported", lateLanguagesUnknown=True),
    mutant("waiting-change-goes-on", "CRM-1", AFTER, "a change that the app has not sent yet at the end of a session is sent in the next one", changeDelay=2.0, tasksGoOn=True),
    mutant("unregistered-resets-language", "CRM-8", SETLANG, "after OnAppInterfaceUnregistered the app asks for its first language", unregisteredResetsLanguage=True),
]

HASH_MUTANTS = [
    mutant("shows-as-of-hash", "RHM-11", SIMILAR, "what was shown after the last OnHashChange is not stored", showsAsOfHash=True),
    mutant("refused-data-merged", "RHM-8", REFUSED, "refused data is stored again for what the developer no longer sets", refusedDataMerged=True),
    mutant("removal-shifts-handlers", "RHM-5", CALLBACKS, "if an item was removed those after it have the handlers of their neighbours", removalShiftsHandlers=True),
    mutant("first-handlers-of-session", "RHM-5", CALLBACKS, "an item that is set again with another handler keeps the first one", firstHandlerStays=True),
    mutant("equal-texts-stored-once", "RHM-11", SIMILAR, "of two texts that are equal the second is not stored", equalTextsOnce=True),
    mutant("graphics-without-case", "RHM-6", EXACT, "graphics whose names differ in letter case count as the same", graphicsCaseless=True),
    mutant("acceptance-sticks", "RHM-12", OTHER, "at a head unit to which no hash was sent nothing is set after an accepted hash elsewhere", acceptanceSticks=True),
    mutant("refusal-sticks", "RHM-5", EXACT, "after a refused hash everything is set again although the next one is accepted", refusalSticks=True),
    mutant("quick-presses-are-one", "RHM-5", CALLBACKS, "an event within half a second of the one before reaches no handler", pressesApart=0.5),
    mutant("waiting-data-goes-on", "RHM-5", EXACT, "what was to be set at the end of a session is set in the next one, before its level", dataDelay=1.5, tasksGoOn=True),
    mutant("lost-registration-drops-hash", "RHM-2", SENT, "a registration whose connection was lost before the response drops the stored hash", lostRegistrationDrops=True),
]

MUTANTS = fifth_round(LANGUAGE_MUTANTS + HASH_MUTANTS)
